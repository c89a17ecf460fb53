"""The vocabulary as callers are shown it: each term with how much there is of it, each proposal with its examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotFound
from palimpsest.domain.graph.links import subject
from palimpsest.domain.graph.term import TermEvent, TermKind, TermStatus, VocabularyTerm
from palimpsest.domain.ids import SpaceId, TermRef
from palimpsest.domain.naming.vocabulary import Tier
from palimpsest.stores.link_entries import Held
from palimpsest.stores.links import LinkStore
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.stores.tallies import Counted, Tallies
from palimpsest.stores.vocabularies import Vocabularies
from palimpsest.usecases.live_sources import LiveSources
from palimpsest.usecases.take_up import EXAMPLES

SOURCES: Final = 2
"""So many sources that are nobody's copy have to have use for a proposal before it is shown."""

_ENTRIES: Final = 3 * EXAMPLES
_PROPOSALS: Final = 200
"""Looked at; a space whose people never answer has no more."""

_EVENTS: Final = 100
_COUNTED: Final = {TermKind.ENTITY_TYPE: Counted.TYPE, TermKind.PREDICATE: Counted.PREDICATE}
_TIERS: Final = tuple(Tier)


@dataclass(frozen=True, slots=True)
class TermShown:
    """A term.

    Attributes:
        count: How many entities or relations there are of it; of a proposal how many sources have use for it.
        examples: Of a proposal that waits: what sources hold for it, the newest first.
    """

    id: TermRef
    term: VocabularyTerm
    count: int = 0
    examples: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class VocabularyShown:
    """All terms of a space; the system's first, and proposals with most sources first."""

    space: str
    terms: tuple[TermShown, ...]
    proposals: tuple[TermShown, ...]


@dataclass(frozen=True, slots=True)
class ShowVocabulary:
    """Shows it. What only forgotten or erased sources have use for is not shown."""

    spaces: Spaces
    vocabularies: Vocabularies
    tallies: Tallies
    links: LinkStore
    live: LiveSources

    def __call__(self, caller: Caller, space: str | None) -> VocabularyShown:
        """The vocabulary of a space; what every space begins with of one that has not begun.

        Raises:
            NotAllowed: The key may not enter the space.
        """
        caller.require(Role.READER)
        name = caller.require_space(space)
        found = self.spaces.find(name)
        if found is None:
            system = [TermShown(TermRef(mac, name), term) for mac, term in self.vocabularies.system().items()]
            return VocabularyShown(name, tuple(system), ())
        every = self.vocabularies.terms(found.id)
        counts = {kind: self.tallies.counts(found.id, counted) for kind, counted in _COUNTED.items()}
        terms = [
            TermShown(TermRef(mac, name), term, counts[term.kind].get(term.name, 0))
            for mac, term in every.items()
            if not term.is_proposal
        ]
        terms.sort(key=lambda each: _TIERS.index(each.term.tier))
        proposals = self._proposals(found, {mac: term for mac, term in every.items() if term.is_proposal})
        return VocabularyShown(name, tuple(terms), tuple(sorted(proposals, key=lambda each: -each.count)))

    def one(self, caller: Caller, ref: TermRef) -> tuple[TermShown, list[TermEvent]]:
        """A term, and what people did to it, newest first.

        Raises:
            NotFound: It is unknown, hidden, or in a space that the key may not enter.
        """
        caller.require(Role.READER)
        space = self.space_of(caller, ref)
        if space is None:
            return TermShown(ref, self.vocabularies.system()[ref.mac]), []
        return self.shown(space, ref.mac), self.vocabularies.history(space.id, ref.mac, _EVENTS)

    def space_of(self, caller: Caller, ref: TermRef) -> Space | None:
        """The space of a term; None of a system term whose space has not begun.

        Raises:
            NotFound: It is unknown, or lies in a space that the key may not enter.
        """
        space = self.spaces.find(ref.space) if caller.may_enter(ref.space) else None
        if space is None and not (caller.may_enter(ref.space) and ref.mac in self.vocabularies.system()):
            raise NotFound("term")
        return space

    def shown(self, space: Space, mac: str) -> TermShown:
        """A term of the space as it stands; NotFound when there is none, or when it is a hidden proposal."""
        term = self.vocabularies.find(space.id, [mac]).get(mac)
        if term is None or term.status is TermStatus.DELETED:
            raise NotFound("term")
        if term.is_proposal:
            found = self._proposals(space, {mac: term})
            if not found:
                raise NotFound("term")
            return found[0]
        count = self.tallies.counts(space.id, _COUNTED[term.kind]).get(term.name, 0)
        return TermShown(TermRef(mac, space.name), term, count)

    def _proposals(self, space: Space, proposals: dict[str, VocabularyTerm]) -> list[TermShown]:
        """Those that are dismissed, and those that enough sources have use for."""
        shown = [
            TermShown(TermRef(mac, space.name), term)
            for mac, term in proposals.items()
            if term.status is TermStatus.DISMISSED
        ]
        waiting = [mac for mac, term in proposals.items() if term.status is TermStatus.ACTIVE][:_PROPOSALS]
        for mac, held in self._held(space.id, waiting).items():
            count = len({subject(each.source) for each in held})
            if count >= SOURCES:
                term = replace(proposals[mac], name=held[0].held.term)
                shown.append(TermShown(TermRef(mac, space.name), term, count, tuple(held)))
        return shown

    def _held(self, space: SpaceId, macs: Iterable[str]) -> dict[str, list[Held]]:
        """What live sources hold for each, one entry for each source."""
        found = {mac: self.links.holding(space, mac, _ENTRIES) for mac in macs}
        live = self.live(each.source for held in found.values() for each in held)
        distinct = {mac: {each.source: each for each in reversed(held)} for mac, held in found.items()}
        return {
            mac: [each for each in reversed(of.values()) if each.source in live][:EXAMPLES]
            for mac, of in distinct.items()
        }
