"""The places where something of a belief may lie, each gone through in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from palimpsest.domain.belief import State
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import TableUnavailable
from palimpsest.domain.graph.links import Links, MemorySource
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Key
from palimpsest.stores import belief_codec, keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.derivations import Derivations
from palimpsest.stores.dispute_traces import DisputeTraces
from palimpsest.stores.erasures import Erasures
from palimpsest.stores.handed_out import HandedOutRecords
from palimpsest.stores.link_codec import items_of
from palimpsest.stores.links import LinkStore
from palimpsest.stores.mutes import Mutes
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.stores.surveys import Surveys
from palimpsest.stores.traces import Seen, Traces


@dataclass(frozen=True, slots=True)
class Part:
    """Something that a place holds.

    Attributes:
        cursor: Where this part begins, for a slice that goes on with it.
        found: Its traces by their position in the place, rising, with the kind of each.
        take_away: Deletes them, and sees that they are gone.
        unasked: What of this place could not be asked at all.
    """

    cursor: str
    found: Mapping[str, str]
    take_away: Callable[[], object]
    unasked: tuple[str, ...] = ()


class Place(Protocol):
    """Gives the parts one after the other, each when the one before has been taken away."""

    def __call__(self, erasure: Erasure, cursor: str) -> Iterator[Part]: ...


class Subject(Protocol):
    """What is special to erasing one kind of thing."""

    def is_written(self, erasure: Erasure) -> bool:
        """Somebody who began before the erasure may still write something of it."""
        ...

    def by_name(self) -> Mapping[str, Place]:
        """In the order in which they have to be gone through: what tells of other places goes last."""
        ...

    def end(self, erasure: Erasure) -> None:
        """Every place is empty: leave the receipt, and the id so that it never comes again."""
        ...


@dataclass(frozen=True, slots=True)
class OfBeliefs:
    """What is to be taken away of a belief. Whoever writes something of it checks its head, so nobody comes late."""

    erasures: Erasures
    beliefs: Beliefs
    entries: Place
    clock: Clock
    traces: Traces
    derivations: Derivations
    disputes: DisputeTraces
    handed_out: HandedOutRecords
    links: LinkStore
    seen_phrases: SeenPhrases
    spaces: Spaces
    surveys: Surveys
    mutes: Mutes

    def is_written(self, erasure: Erasure) -> bool:
        return False

    def by_name(self) -> Mapping[str, Place]:
        return {
            "text": self.text,
            "judgement": self.judgement,
            "recalls": self.recalls,
            "conflicts": self.conflicts,
            "links": self.named,
            "belief": self.belief,
            "edges": self.to_it,
            "index": self.entries,
        }

    def end(self, erasure: Erasure) -> None:
        head = self.beliefs.heads([erasure.root]).get(erasure.root)
        if head is None:
            raise TableUnavailable("the head of a memory that is being erased is gone, so its tombstone is")
        erased = replace(head, state=State.ERASED)
        self.surveys.forget(erasure.space)  # which may name who spoke in it
        self.mutes.forget(erasure.space)  # which may come of asking for it
        shards = self._space(erasure).write_shards
        tombstone = belief_codec.head_item(erased, shards=shards, waits_for_vectors=False)
        self.erasures.end(erasure, belief_codec.head_write(head, tombstone), self.clock.now())

    def text(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """The record of its text."""
        if erasure.text_mac is not None:
            found = self.traces.records_of_text(self._space(erasure), erasure.root, erasure.text_mac)
            yield self._part("", [trace.key for trace in found], "text")

    def judgement(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """Its entry in the list of what a model has still to judge."""
        yield self._part("", self.traces.there([keys.unjudged(erasure.root)]), "unjudged")

    def recalls(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """What recalls noted of it; a record that names others too goes on without it."""
        root = erasure.root
        for at, stored in self.handed_out.naming(root, self._space(erasure), erasure.began_at, cursor):
            found = {self.handed_out.position(each): "recall" for each in stored}
            yield Part(at, found, partial(self.handed_out.go_without, root, stored))

    def conflicts(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """Its conflicts and findings, whose reasons may quote it, with the rows that list them."""
        found = self.disputes.of(erasure.root)
        named = {place.pk: kind for place in found if (kind := keys.kind(place)) in ("conflict", "finding")}
        yield Part("", dict(sorted(named.items())), partial(self.traces.take_away, found))

    def named(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """What it named and stated, entities that nothing else names, and phrases that were seen in it first."""
        source = MemorySource(erasure.root, 0)
        links = self.links.of(source)
        found = {key.sk: kind for each in links for key in items_of(each) if (kind := keys.kind(key)) is not None}
        if found:
            yield Part("", dict(sorted(found.items())), partial(self._unnamed, source, links))

    def belief(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """All that lies with it but its head, and its rows in the change log."""
        while True:
            seen = self.traces.beside(erasure.root, self._space(erasure), erasure.revision)
            if not seen.items:
                return
            found = {trace.key.sk: trace.kind for trace in seen.items if trace.kind}
            found |= {f"{item.sk}\1": "change" for item in seen.rows.values()}
            yield Part("", found, partial(self._with_rows, seen))

    def to_it(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """Edges of other beliefs that lead to it."""
        found = [edge.place for edge in self.derivations.leading_to(erasure.root)]
        yield self._part("", self.traces.there(found), "edge")

    def _part(self, cursor: str, found: Sequence[Key], kind: str) -> Part:
        named = {f"{key.pk} {key.sk}": kind for key in found}
        return Part(cursor, named, partial(self.traces.take_away, found))

    def _unnamed(self, source: MemorySource, links: Sequence[Links]) -> None:
        """The phrases first, since the links tell of them."""
        for each in links:
            self.seen_phrases.forget(each.space, each.seen, each.source)
        self.links.clear(source, is_erasure=True)

    def _with_rows(self, seen: Seen) -> None:
        """The rows first, since the items tell of them."""
        self.traces.take_away(seen.rows)
        self.traces.take_away([trace.key for trace in seen.items])

    def _space(self, erasure: Erasure) -> Space:
        return self.spaces.by_id(erasure.space)
