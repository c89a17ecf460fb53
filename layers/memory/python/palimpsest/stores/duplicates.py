"""Pairs of entities that may be one, for somebody to decide: a pair has one for ever, and is asked about once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import DuplicateId, EntityId, RunId, SpaceId
from palimpsest.ports.table import Delete, Equals, Index, Item, Missing, Put, Query, Table, Value
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, decimal, item
from palimpsest.stores.walking import walk


class DuplicateState(StrEnum):
    """What became of a pair."""

    OPEN = "open"
    APART = "apart"
    """Somebody said that they are two."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A pair. `run`: found it; None when somebody parted two that had been merged."""

    id: DuplicateId
    space: SpaceId
    one: EntityId
    other: EntityId
    score: float
    reason: str
    found_at: datetime
    run: RunId | None
    state: DuplicateState = DuplicateState.OPEN

    def answered(self, state: DuplicateState) -> Duplicate:
        return replace(self, state=state)


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Reads and writes pairs."""

    table: Table

    def find(self, duplicates: Iterable[DuplicateId]) -> dict[DuplicateId, Duplicate]:
        """Those that exist, strongly read."""
        places = [graph_keys.duplicate(each) for each in dict.fromkeys(duplicates)]
        found = self.table.get(places).items.values() if places else ()
        return {each.id: each for each in map(read, found)}

    def note(self, duplicate: Duplicate) -> bool:
        """A new pair; False when there is one already."""
        try:
            self.table.write(noting(duplicate))
        except ConditionFailed:
            return False
        return True

    def answer(self, duplicate: Duplicate, state: DuplicateState) -> bool:
        """The pair with another state; False when somebody answered it meanwhile."""
        try:
            self.table.write(answering(duplicate, state))
        except ConditionFailed:
            return False
        return True

    def forget(self, duplicate: Duplicate) -> None:
        """As if nobody had found it, unless somebody has answered it."""
        with suppress(ConditionFailed):
            self.table.write(Delete(graph_keys.duplicate(duplicate.id), Equals("state", DuplicateState.OPEN)))

    def walk(self, space: SpaceId, state: DuplicateState, before: str | None = None) -> Iterator[tuple[str, Duplicate]]:
        """(place, pair) of the space in that state, the likeliest first, below the place `before`."""
        query = Query(graph_keys.duplicates(space, state), index=Index.ONE, high=before, descending=True)
        for entry in walk(self.table, query):
            place = Reader(entry).text("g1sk")
            duplicate = self.find([DuplicateId(place.rpartition("#")[2])]).get(DuplicateId(place.rpartition("#")[2]))
            if place != before and duplicate is not None and duplicate.state is state:
                yield place, duplicate


def noting(duplicate: Duplicate) -> Put:
    """The write of a new pair; it fails when there is one already."""
    return Put(_item(duplicate), Missing("pk"))


def answering(duplicate: Duplicate, state: DuplicateState) -> Put:
    """The write that gives the pair another state; it fails when somebody answered it meanwhile."""
    return Put(_item(duplicate.answered(state)), Equals("state", duplicate.state))


def read(stored: Item) -> Duplicate:
    """The pair in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Duplicate(
        id=DuplicateId(r.text("pk").removeprefix("NP#")),
        space=SpaceId(r.text("space")),
        one=EntityId(r.text("one")),
        other=EntityId(r.text("other")),
        score=r.number("score"),
        reason=r.text("reason"),
        found_at=r.instant("found_at"),
        run=r.optional("run", lambda name: RunId(r.text(name))),
        state=r.choice("state", DuplicateState),
    )


def _item(duplicate: Duplicate) -> dict[str, Value]:
    return item(
        graph_keys.duplicate(duplicate.id),
        space=duplicate.space,
        one=duplicate.one,
        other=duplicate.other,
        score=decimal(round(duplicate.score, 4)),
        reason=duplicate.reason,
        found_at=duplicate.found_at,
        run=duplicate.run,
        state=duplicate.state,
        g1pk=graph_keys.duplicates(duplicate.space, duplicate.state),
        g1sk=f"{duplicate.score:.4f}#{instants.write(duplicate.found_at)}#{duplicate.id}",
    )
