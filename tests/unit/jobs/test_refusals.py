"""Rows that the index refuses for good, and hosts whose clocks are wrong: nothing acknowledged is lost to recall."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.domain.errors import EntriesRefused, IndexUnavailable
from palimpsest.domain.ids import RootId, SpaceId, VersionRef
from palimpsest.ports.search_index import (
    Candidate,
    Entry,
    Generation,
    Matches,
    Removal,
    Search,
    SearchIndex,
    Statistics,
)
from palimpsest.stores import changes
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.watermarks import MOST_STUCK, Watermark
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation, install


@dataclass
class Engine:
    """What the index does today: entries with a term of `refused` are never taken; `is_down` takes nothing."""

    refused: set[str] = field(default_factory=set)
    is_down: bool = False


@dataclass(frozen=True)
class PickyIndex:
    """The embedded index behind an engine that refuses."""

    engine: Engine
    inner: SearchIndex

    @property
    def generation(self) -> Generation:
        return self.inner.generation

    def check(self) -> None:
        self.inner.check()

    def upsert(self, entries: Iterable[Entry]) -> None:
        if self.engine.is_down:
            raise IndexUnavailable("index_throttled", "not today")
        every = list(entries)
        refused = [entry for entry in every if self.engine.refused & set(entry.terms)]
        self.inner.upsert(entry for entry in every if entry not in refused)
        if refused:
            raise EntriesRefused(tuple(entry.key for entry in refused))

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        self.inner.remove(space, removals)

    def sweep(self, space: SpaceId) -> int:
        return self.inner.sweep(space)

    def keyword(self, search: Search) -> Matches:
        return self.inner.keyword(search)

    def vector(self, search: Search) -> list[Candidate]:
        return self.inner.vector(search)

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        return self.inner.statistics(space, terms)


class PickyIndexes:
    """Its generations."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        self.inner = EmbeddedIndexes(folder)
        self.is_remote = self.is_off = False

    def create(self, generation: Generation) -> SearchIndex:
        return PickyIndex(self.engine, self.inner.create(generation))

    def open(self, generation: Generation) -> SearchIndex:
        return PickyIndex(self.engine, self.inner.open(generation))

    def drop(self, generation: Generation) -> None:
        self.inner.drop(generation)

    def sweep(self, named: Collection[str]) -> int:
        return self.inner.sweep(named)

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def indexes(tmp_path: Path) -> PickyIndexes:
    return PickyIndexes(tmp_path)


@pytest.fixture
def memory(tmp_path: Path, indexes: PickyIndexes) -> Iterator[Installation]:
    memory = install(tmp_path, indexes=indexes)
    yield memory
    memory.sqlite.close()


def partition_of(memory: Installation) -> LogPartition:
    return memory.wired.build_index.spaces.ensure("default").log_partitions()[0]


def watermark(memory: Installation) -> Watermark:
    searching = memory.wired.build_index.fill.searching
    active = searching.state().active
    assert active is not None
    return searching.watermarks(active).read(partition_of(memory))


def move_on(memory: Installation) -> None:
    """Past the tail's margin: what is found of before is found by the index, or as a stuck row."""
    memory.index()
    memory.clock.turn(timedelta(minutes=1))
    memory.save(f"noise at {memory.clock.now()}")
    memory.index()


def found(memory: Installation, word: str) -> set[str]:
    """The texts with that word that a recall of it gives."""
    return {text for text in memory.recalled(word, limit=100) if word in text}


# --- rows that are refused ---


def test_a_row_that_the_index_refuses_for_good_is_kept_aside_and_recalled(
    memory: Installation, indexes: PickyIndexes
) -> None:
    indexes.engine.refused = {"poison"}
    memory.save("a fox before")
    memory.save("a poison fox")
    memory.save("a fox after")

    assert memory.wired.index_changes(memory.doorbells()) == []
    move_on(memory)

    assert found(memory, "fox") == {"a fox before", "a poison fox", "a fox after"}
    assert len(watermark(memory).stuck) == 1
    move_on(memory)
    assert "a poison fox" in found(memory, "fox")


def test_a_belief_that_the_index_takes_again_is_no_longer_kept_aside(
    memory: Installation, indexes: PickyIndexes
) -> None:
    indexes.engine.refused = {"poison"}
    root = RootId(memory.save("a poison fox"))
    move_on(memory)

    indexes.engine.refused = set()
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("a tame fox"))
    move_on(memory)

    assert watermark(memory).stuck == ()
    assert found(memory, "fox") == {"a tame fox"}


def test_a_refused_belief_that_is_forgotten_is_recalled_no_more(memory: Installation, indexes: PickyIndexes) -> None:
    indexes.engine.refused = {"poison"}
    root = RootId(memory.save("a poison fox"))
    move_on(memory)

    memory.wired.service.forget(OWNER, VersionRef(root))

    assert found(memory, "fox") == set()
    move_on(memory)
    assert found(memory, "fox") == set()
    assert watermark(memory).stuck == ()


def test_more_refusals_than_can_be_kept_aside_hold_the_watermark_back(
    memory: Installation, indexes: PickyIndexes
) -> None:
    memory.save("a fox before")
    memory.index()
    before = watermark(memory).newest
    indexes.engine.refused = {"poison"}
    texts = {f"poison number {n}" for n in range(MOST_STUCK + 1)}
    for text in texts:
        memory.save(text)

    rows = memory.doorbells()

    for _ in range(2):
        assert memory.wired.index_changes(rows) == [key for key in rows if key.pk == partition_of(memory).pk]
    memory.clock.turn(timedelta(minutes=5))
    assert watermark(memory).newest == before
    assert found(memory, "poison") == texts


def test_an_index_that_is_down_holds_the_watermark_before_the_first_row_it_lacks(
    memory: Installation, indexes: PickyIndexes
) -> None:
    memory.save("a fox before")
    memory.index()
    before = watermark(memory).newest
    indexes.engine.is_down = True
    memory.save("a fox after")

    rows = memory.doorbells()
    failed = memory.wired.index_changes(rows)

    assert failed == [key for key in rows if key.pk == partition_of(memory).pk]
    assert watermark(memory).newest == before
    indexes.engine.is_down = False
    assert memory.wired.index_changes(failed) == []
    move_on(memory)
    assert found(memory, "fox") == {"a fox before", "a fox after"}


def test_refused_entries_do_not_hold_up_a_rebuild(memory: Installation, indexes: PickyIndexes) -> None:
    memory.save("a fox before")
    memory.save("a poison fox")
    memory.index()
    indexes.engine.refused = {"poison"}

    memory.wired.build_index.begin()

    assert memory.wired.build_index.finish()
    assert "a fox before" in found(memory, "fox")


# --- clocks ---


def save_at(memory: Installation, text: str, off: timedelta) -> None:
    """Saved by a host whose clock is off."""
    memory.clock.turn(off)
    memory.save(text)
    memory.clock.turn(-off)


def test_a_fast_writer_hides_nothing_of_the_others(memory: Installation) -> None:
    save_at(memory, "a fox of the fast host", timedelta(minutes=5))
    memory.index()

    memory.save("a fox of a good host")

    assert found(memory, "fox") == {"a fox of the fast host", "a fox of a good host"}
    assert changes.place_time(watermark(memory).newest) < memory.clock.now() + timedelta(seconds=2)


def test_a_doorbell_that_was_lost_after_a_fast_writer_is_made_up_for(memory: Installation) -> None:
    save_at(memory, "a fox of the fast host", timedelta(minutes=5))
    memory.index()
    memory.save("a fox of a good host")
    memory.doorbells()  # nobody hears it

    memory.clock.turn(timedelta(minutes=10))
    move_on(memory)
    move_on(memory)

    assert found(memory, "fox") == {"a fox of the fast host", "a fox of a good host"}


def test_a_slow_writer_is_recalled_once_the_index_has_it_though_its_row_lies_behind_the_watermark(
    memory: Installation,
) -> None:
    move_on(memory)
    save_at(memory, "a fox of the slow host", timedelta(minutes=-5))

    # The stated condition: until the index shows it, a row from further back than the tail's margin is not seen.
    assert found(memory, "fox") == set()
    memory.index()
    assert found(memory, "fox") == {"a fox of the slow host"}


def test_an_indexer_with_a_slow_clock_leaves_a_longer_tail_and_hides_nothing(tmp_path: Path) -> None:
    refresh = timedelta(seconds=60)
    memory = install(tmp_path, refresh=refresh)
    memory.save("a fox")
    memory.clock.turn(timedelta(minutes=-5))
    memory.index()
    memory.clock.turn(timedelta(minutes=5))

    reached = watermark(memory)
    place = reached.settled(memory.clock.now(), refresh)

    assert changes.place_time(reached.newest) <= memory.clock.now() - timedelta(minutes=4)
    assert not place or changes.place_time(place) <= memory.clock.now() - refresh
    assert found(memory, "fox") == {"a fox"}
    memory.sqlite.close()


def test_a_step_by_a_host_with_a_slow_clock_is_later_than_the_step_before(memory: Installation) -> None:
    root = RootId(memory.save("deploys happen on tuesday"))

    memory.clock.turn(timedelta(minutes=-5))
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("deploys happen on thursday"))
    memory.clock.turn(timedelta(minutes=5))

    told = memory.wired.service.history(OWNER, VersionRef(root))
    newer, older = told.versions
    assert newer.version.recorded_at > older.version.recorded_at
    assert memory.recalled("deploys") == ["deploys happen on thursday"]
