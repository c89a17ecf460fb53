"""Pairs of entities that may be one, for somebody to decide: a pair has one for ever, and is asked about once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import EntityId, RunId, SpaceId, TwinId
from palimpsest.ports.table import Delete, Equals, Index, Item, Missing, Put, Query, Table, Value
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, decimal, item
from palimpsest.stores.walking import walk


class TwinState(StrEnum):
    """What became of a pair."""

    OPEN = "open"
    APART = "apart"
    """Somebody said that they are two."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A pair. `run`: found it."""

    id: TwinId
    space: SpaceId
    one: EntityId
    other: EntityId
    score: float
    reason: str
    found_at: datetime
    run: RunId
    state: TwinState = TwinState.OPEN

    def answered(self, state: TwinState) -> Twin:
        return replace(self, state=state)


@dataclass(frozen=True, slots=True)
class Twins:
    """Reads and writes pairs."""

    table: Table

    def find(self, twins: Iterable[TwinId]) -> dict[TwinId, Twin]:
        """Those that exist, strongly read."""
        places = [graph_keys.twin(each) for each in dict.fromkeys(twins)]
        found = self.table.get(places).items.values() if places else ()
        return {each.id: each for each in map(read, found)}

    def note(self, twin: Twin) -> bool:
        """A new pair; False when there is one already."""
        try:
            self.table.write(Put(_item(twin), Missing("pk")))
        except ConditionFailed:
            return False
        return True

    def answer(self, twin: Twin, state: TwinState) -> bool:
        """The pair with another state; False when somebody answered it meanwhile."""
        try:
            self.table.write(Put(_item(twin.answered(state)), Equals("state", twin.state)))
        except ConditionFailed:
            return False
        return True

    def forget(self, twin: Twin) -> None:
        """As if nobody had found it, unless somebody has answered it."""
        with suppress(ConditionFailed):
            self.table.write(Delete(graph_keys.twin(twin.id), Equals("state", TwinState.OPEN)))

    def walk(self, space: SpaceId, state: TwinState, before: str | None = None) -> Iterator[tuple[str, Twin]]:
        """(place, pair) of the space in that state, the likeliest first, below the place `before`."""
        query = Query(graph_keys.twins(space, state), index=Index.ONE, high=before, descending=True)
        for entry in walk(self.table, query):
            place = Reader(entry).text("g1sk")
            twin = self.find([TwinId(place.rpartition("#")[2])]).get(TwinId(place.rpartition("#")[2]))
            if place != before and twin is not None and twin.state is state:
                yield place, twin


def read(stored: Item) -> Twin:
    """The pair in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Twin(
        id=TwinId(r.text("pk").removeprefix("NP#")),
        space=SpaceId(r.text("space")),
        one=EntityId(r.text("one")),
        other=EntityId(r.text("other")),
        score=r.number("score"),
        reason=r.text("reason"),
        found_at=r.instant("found_at"),
        run=RunId(r.text("run")),
        state=r.choice("state", TwinState),
    )


def _item(twin: Twin) -> dict[str, Value]:
    return item(
        graph_keys.twin(twin.id),
        space=twin.space,
        one=twin.one,
        other=twin.other,
        score=decimal(round(twin.score, 4)),
        reason=twin.reason,
        found_at=twin.found_at,
        run=twin.run,
        state=twin.state,
        g1pk=graph_keys.twins(twin.space, twin.state),
        g1sk=f"{twin.score:.4f}#{instants.write(twin.found_at)}#{twin.id}",
    )
