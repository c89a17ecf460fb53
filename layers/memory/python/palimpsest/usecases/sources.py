"""What was made from others, or learned from a document, is shown while all of them are there: not forgotten or erased.

Nothing is written for that when a belief is forgotten, so restoring it brings back what was made from it as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import HeadMoved, NotFound, WrongState
from palimpsest.domain.ids import DocumentId, VersionRef, parse_reference
from palimpsest.domain.version import Version
from palimpsest.ports.table import Check, Missing
from palimpsest.stores import keys, library_keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.derivations import documents_of
from palimpsest.stores.documents import Documents
from palimpsest.stores.moves import Guarded
from palimpsest.stores.standing import IS_THERE

_DEEPEST: Final = 8
"""Summaries of summaries; what lies deeper is not looked at."""

_MOST_CHECKED: Final = 64
"""In a transaction, which takes a hundred writes in all."""

Known: TypeAlias = Mapping[VersionRef, tuple[Head | None, Version | None]]


@dataclass(frozen=True, slots=True)
class Sources:
    """Looks; costs nothing for versions that were made from none."""

    beliefs: Beliefs

    def hidden(self, versions: Iterable[Version]) -> frozenset[VersionRef]:
        """Those of the versions of which a source, or a source of a source, is not there."""
        derived = [version for version in versions if version.statement.derived_from]
        if not derived:
            return frozenset()
        known = self._known(derived)
        behind = (version for _, version in known.values() if version is not None)
        there = _There(known, self._gone([*derived, *behind]))
        return frozenset(each.ref for each in derived if not there.shows(each, _DEEPEST))

    def require_shown(self, version: Version) -> None:
        """NotFound for a hidden one, as for one that is forgotten."""
        if self.hidden([version]):
            raise NotFound

    def none_erased(self, version: Version) -> list[Guarded]:
        """The checks that no source is erased meanwhile, for the transaction that shows it again.

        Raises:
            WrongState: One is erased for good, so that this can't be shown any more either.
        """
        heads = self.beliefs.heads([ref.root for ref in _sources(version)]) if _sources(version) else {}
        if any(head.state.is_erased for head in heads.values()):
            raise WrongState(State.ERASED, "this memory was made from one that is erased, so it stays forgotten")
        named = documents_of(version)
        if any(document.erased_at for document in self._documents.find(named).values()):
            raise WrongState(State.ERASED, "this memory was learned from a conversation that is erased")
        checks = [Check(keys.head(root), IS_THERE) for root in sorted(heads)]
        checks += [Check(library_keys.document(document), Missing("erased_at")) for document in named]
        return [(check, HeadMoved) for check in checks[:_MOST_CHECKED]]

    @property
    def _documents(self) -> Documents:
        return Documents(self.beliefs.table, self.beliefs.deployment)

    def _gone(self, versions: Sequence[Version]) -> frozenset[DocumentId]:
        """The documents that these were learned from and that are not there."""
        named = {document for version in versions for document in documents_of(version)}
        there = self._documents.find(sorted(named)).values()
        return frozenset(
            named - {document.id for document in there if document.restore_until is None and document.erased_at is None}
        )

    def _known(self, derived: Sequence[Version]) -> Known:
        """The sources of these, and theirs, level by level."""
        known: dict[VersionRef, tuple[Head | None, Version | None]] = {}
        wanted = {ref for version in derived for ref in _sources(version)}
        for _ in range(_DEEPEST):
            if not wanted:
                break
            heads, rows = self.beliefs.heads_and_versions([(ref.root, ref.number or 1) for ref in sorted(wanted)])
            found = {ref: (heads.get(ref.root), rows.get((ref.root, ref.number or 1))) for ref in wanted}
            known |= found
            rest = {ref for _, version in found.values() if version is not None for ref in _sources(version)}
            wanted = rest - known.keys()
        return known


def _sources(version: Version) -> list[VersionRef]:
    """The beliefs that it was made from."""
    refs = (parse_reference(source) for source in version.statement.derived_from)
    return [ref for ref in refs if ref is not None and ref.root != version.root]


@dataclass(frozen=True, slots=True)
class _There:
    """What was read of the sources. `gone`: documents that are not there."""

    known: Known
    gone: frozenset[DocumentId]

    def shows(self, version: Version, deep: int) -> bool:
        """All that it was made from is there."""
        if not self.gone.isdisjoint(documents_of(version)):
            return False
        return deep <= 0 or all(self._has(ref, deep - 1) for ref in _sources(version))

    def _has(self, ref: VersionRef, deep: int) -> bool:
        head, version = self.known.get(ref, (None, None))
        if head is None:
            return ref not in self.known
        if head.state is State.FORGOTTEN or head.state.is_erased:
            return False
        return version is None or self.shows(version, deep)
