"""The vocabulary of a space: what it changed of the terms that all spaces begin with, terms of its own, proposals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.graph.term import TermEvent, TermKind, TermStatus, VocabularyTerm
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.naming.validating import Vocabulary
from palimpsest.domain.naming.vocabulary import ENTITY_TYPES, PREDICATES, Term, Tier
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Add, Equals, Missing, Put, Query, Set, Table, Update, Write
from palimpsest.stores import graph_keys, term_codec
from palimpsest.stores.codec import Reader
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.kinds import NOW
from palimpsest.stores.spaces import Space
from palimpsest.stores.walking import walk

_CACHED: Final = timedelta(seconds=5)
_SPACES: Final = 100
"""Remembered at once."""

_CHANGES: Final = "vocabulary"
"""The counter of what people changed about the terms that texts are read with."""

SYSTEM: Final = tuple(
    VocabularyTerm(kind, term.name, term.description, Tier.SYSTEM)
    for kind, terms in ((TermKind.ENTITY_TYPE, ENTITY_TYPES), (TermKind.PREDICATE, PREDICATES))
    for term in terms
)
"""What every space begins with; stored only where one has changed it."""


@dataclass(frozen=True, slots=True)
class ActiveVocabulary:
    """What sources of a space are read with.

    Attributes:
        names: Of the active terms.
        revision: How often those were changed.
        types, predicates: The same with what they mean.
        dismissed: Names that are not to be proposed again.
        blocked: The same, and what is disabled.
    """

    names: Vocabulary = field(default_factory=Vocabulary)
    revision: int = 0
    types: tuple[Term, ...] = ENTITY_TYPES
    predicates: tuple[Term, ...] = PREDICATES
    dismissed: tuple[str, ...] = ()
    blocked: frozenset[tuple[TermKind, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """Reads and moves terms; remembers for a few seconds what texts are read with."""

    table: Table
    deployment: Deployment
    clock: Clock
    _known: dict[SpaceId, tuple[datetime, ActiveVocabulary]] = field(default_factory=dict, init=False)

    def active(self, space: Space) -> ActiveVocabulary:
        """What is active in the space: right for what this process changed, a few seconds late for others."""
        now = self.clock.now()
        read_at, known = self._known.get(space.id, (now, None))
        if known is None or now - read_at > _CACHED:
            revision = self._revision(space.id)  # first, so that what is read later is at least as new
            known = _active(self.terms(space.id).values(), revision)
            if len(self._known) >= _SPACES:
                self._known.clear()
            self._known[space.id] = now, known
        return known

    def mac(self, kind: TermKind, name: str) -> str:
        """The keyed hash by which a term stands in keys and ids."""
        return self.deployment.mac("term", kind, name)

    def system(self) -> dict[str, VocabularyTerm]:
        """What a space has that has not begun, by keyed hash."""
        return {self.mac(term.kind, term.name): term for term in SYSTEM}

    def terms(self, space: SpaceId) -> dict[str, VocabularyTerm]:
        """All terms and proposals of a space by keyed hash, strongly read; without those that were deleted."""
        query = Query(graph_keys.term(space, "").pk, prefix=graph_keys.TERMS, consistent=True)
        stored = {_mac(each): term_codec.read_term(each) for each in walk(self.table, query)}
        every = self.system() | stored
        return {mac: term for mac, term in every.items() if term.status is not TermStatus.DELETED}

    def find(self, space: SpaceId, macs: Iterable[str]) -> dict[str, VocabularyTerm]:
        """Those that are there, strongly read: as they are stored, deleted ones, too."""
        places = {graph_keys.term(space, mac): mac for mac in dict.fromkeys(macs)}
        found = self.table.get(list(places)).items if places else {}
        known = {mac: term for mac, term in self.system().items() if mac in places.values()}
        return known | {places[place]: term_codec.read_term(stored) for place, stored in found.items()}

    def propose(self, space: SpaceId, proposals: Mapping[str, TermKind]) -> None:
        """Have these, by keyed hash, wait for an answer, unless they are there in any way."""
        known = self.find(space, proposals)
        for mac, kind in proposals.items():
            if known.get(mac, _DELETED).status is TermStatus.DELETED:
                before = known.get(mac, _nameless(kind))
                term = VocabularyTerm(kind, "", "", Tier.PROPOSED, revision=before.revision + 1)
                self._try(Put(term_codec.term_item(space, mac, term), _unmoved(before)))

    def move(
        self, space: SpaceId, before: VocabularyTerm, after: VocabularyTerm, event: TermEvent, also: Sequence[Write]
    ) -> bool:
        """Put `after`, which has a name, in place of `before`; False when somebody came between.

        ConditionFailed of `also` counts as that, too.
        """
        mac = self.mac(after.kind, after.name)
        writes: list[Write] = [
            Put(term_codec.term_item(space, mac, after), _unmoved(before)),
            Put(term_codec.event_item(space, mac, event), Missing("pk")),
            *also,
        ]
        if before.is_read_with or after.is_read_with:
            key = graph_keys.counter(space, _CHANGES)
            writes.append(Update(key, (Add("count", 1), Set("_v", NOW.of(key).writes))))
        try:
            self.table.transact(writes)
        except ConditionFailed:
            return False
        finally:
            self._known.pop(space, None)
        return True

    def history(self, space: SpaceId, mac: str, limit: int) -> list[TermEvent]:
        """What people did to a term, newest first."""
        key = graph_keys.term_event(space, mac, 0)
        prefix = graph_keys.term_events(mac)
        page = self.table.query(Query(key.pk, prefix=prefix, descending=True, consistent=True, limit=limit))
        return [term_codec.read_event(stored) for stored in page.items]

    def _revision(self, space: SpaceId) -> int:
        key = graph_keys.counter(space, _CHANGES)
        stored = self.table.get([key]).items.get(key)
        return 0 if stored is None else Reader(stored).integer("count")

    def _try(self, put: Put) -> None:
        try:
            self.table.write(put)
        except ConditionFailed:
            return  # somebody else proposed it, or answered it already


def _nameless(kind: TermKind) -> VocabularyTerm:
    return VocabularyTerm(kind, "", "", Tier.PROPOSED, TermStatus.DELETED)


_DELETED: Final = _nameless(TermKind.ENTITY_TYPE)


def _unmoved(before: VocabularyTerm) -> Missing | Equals:
    """The condition that it stands as it was seen."""
    return Equals("revision", before.revision) if before.revision else Missing("pk")


def _mac(stored: Mapping[str, object]) -> str:
    return str(stored["sk"]).removeprefix(graph_keys.TERMS)


def _active(terms: Iterable[VocabularyTerm], revision: int) -> ActiveVocabulary:
    every = sorted(terms, key=lambda term: (term.tier is not Tier.SYSTEM, term.tier is Tier.PROPOSED))
    read_with = [(each.kind, Term(each.name, each.description, each.tier)) for each in every if each.is_read_with]
    types = tuple(term for kind, term in read_with if kind is TermKind.ENTITY_TYPE)
    predicates = tuple(term for kind, term in read_with if kind is TermKind.PREDICATE)
    return ActiveVocabulary(
        names=Vocabulary(frozenset(term.name for term in types), frozenset(term.name for term in predicates)),
        revision=revision,
        types=types,
        predicates=predicates,
        dismissed=tuple(sorted(each.name for each in every if each.status is TermStatus.DISMISSED)),
        blocked=frozenset((each.kind, each.name) for each in every if each.is_blocked),
    )
