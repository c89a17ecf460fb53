"""Rows that the index refuses for good: nothing acknowledged is lost to recall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import ConditionFailed, EntriesRefused, IndexUnavailable
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.search_index import (
    Entry,
    SearchIndex,
)
from palimpsest.ports.table import Key, Put
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.keys import LogPartition, chunk_log
from palimpsest.stores.watermarks import MOST_STUCK, Watermark
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import ContextHit, RecallQuery
from palimpsest.usecases.drafts import Annotation, Revision
from tests.support.crashing_table import Crashed
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.support.passing_indexes import PassingIndex, PassingIndexes


@dataclass
class Engine:
    """What the index does today: entries with a term of `refused` are never taken; `is_down` takes nothing."""

    refused: set[str] = field(default_factory=set)
    is_down: bool = False
    taken: int = 0


class PickyIndex(PassingIndex):
    """The embedded index behind an engine that refuses."""

    def __init__(self, engine: Engine, inner: SearchIndex) -> None:
        super().__init__(inner)
        self._engine = engine

    def upsert(self, entries: Iterable[Entry]) -> None:
        if self._engine.is_down:
            raise IndexUnavailable("index_throttled", "not today")
        every = list(entries)
        refused = [entry for entry in every if self._engine.refused & set(entry.terms)]
        taken = [entry for entry in every if not self._engine.refused & set(entry.terms)]
        self._engine.taken += len(taken)
        super().upsert(taken)
        if refused:
            raise EntriesRefused(tuple(entry.key for entry in refused))


class PickyIndexes(PassingIndexes):
    """Its generations."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine()
        super().__init__(folder, lambda inner: PickyIndex(self.engine, inner))


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

    rows = [key for key in memory.doorbells() if key.pk == partition_of(memory).pk]

    for _ in range(3):  # Lambda sends them again
        assert memory.wired.index_changes(rows) == rows
        memory.clock.turn(timedelta(minutes=5))
        assert watermark(memory).newest == before
        assert found(memory, "poison") == texts
    indexes.engine.refused = set()
    assert memory.wired.index_changes(rows) == []
    move_on(memory)
    assert found(memory, "poison") == texts


def is_note(name: str, call: Call) -> bool:
    return name == "write" and isinstance(call, Put) and str(call.item["pk"]).startswith("TW#")


def test_rows_that_could_not_be_kept_aside_come_again_and_are_kept_aside_then(tmp_path: Path) -> None:
    indexes = PickyIndexes(tmp_path)
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite, indexes=indexes)
    indexes.engine.refused = {"poison"}
    memory.save("a poison fox")
    rows = [key for key in memory.doorbells() if key.pk == partition_of(memory).pk]

    def lose() -> None:
        table.interpose(is_note, lose)
        raise ConditionFailed  # others move the watermark each time

    table.interpose(is_note, lose)
    assert memory.wired.index_changes(rows) == rows
    table.interpose(lambda *_: False, lambda: None)

    assert memory.wired.index_changes(rows) == []
    assert len(watermark(memory).stuck) == 1
    move_on(memory)
    assert "a poison fox" in found(memory, "fox")
    sqlite.close()


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("killed_at", range(3))
def test_a_function_that_is_killed_between_two_notes_loses_nothing(
    tmp_path: Path, killed_at: int, is_after: bool
) -> None:
    indexes = PickyIndexes(tmp_path)
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite, indexes=indexes)
    indexes.engine.refused = {"poison"}
    poisoned = {f"poison fox number {n}" for n in range(3)}
    for n in range(210):
        memory.save(f"poison fox number {n // 90}" if n % 90 == 0 else f"fox number {n}")
    rows = [key for key in memory.doorbells() if key.pk == partition_of(memory).pk]
    notes = 0

    def is_the_moment(name: str, call: Call) -> bool:
        nonlocal notes
        is_due = notes == killed_at + is_after and is_note(name, call) is not is_after
        notes += is_note(name, call)
        return is_due

    def kill() -> None:
        raise Crashed

    table.interpose(is_the_moment, kill)
    with pytest.raises(Crashed):
        memory.wired.index_changes(rows)
    table.interpose(lambda *_: False, lambda: None)

    fresh = install(tmp_path, sqlite=sqlite, indexes=indexes, prepare=False)
    fresh.clock.turn(timedelta(minutes=5))
    assert fresh.wired.index_changes(rows) == []
    assert len(watermark(fresh).stuck) == 3
    fresh.clock.turn(timedelta(minutes=5))
    assert found(fresh, "poison") == poisoned
    assert found(fresh, "101") == {"fox number 101"}
    assert found(fresh, "209") == {"fox number 209"}
    sqlite.close()


def test_a_belief_with_more_versions_than_a_slice_can_take_is_put_in_part_by_part(tmp_path: Path) -> None:
    indexes = PickyIndexes(tmp_path)
    memory = install(tmp_path, indexes=indexes)
    root = RootId(memory.save("fox number 0"))
    for n in range(1, 650):
        memory.wired.service.revise(OWNER, VersionRef(root), Revision(f"fox number {n}"))
    move_on(memory)
    memory.clock.turn(timedelta(minutes=5))
    memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=("animal",)))
    rows = [key for key in memory.doorbells() if key.pk == partition_of(memory).pk]
    indexes.engine.taken = 0

    slices = 0
    is_done = False
    while not is_done and slices < 10:  # each in a process of its own
        fresh = install(tmp_path, sqlite=memory.sqlite, indexes=indexes, prepare=False)
        fresh.clock.turn(timedelta(minutes=10))
        is_done = fresh.wired.index_changes.catch_up(partition_of(fresh), rows, lambda: 0.0)
        slices += 1

    assert slices == 4
    assert 650 <= indexes.engine.taken <= 654  # each slice begins with the row before the watermark
    assert watermark(memory).part is None
    memory.sqlite.close()


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


# --- parts of documents that are refused ---


def send(memory: Installation, text: str) -> list[Key]:
    """A document that is read; the rows that tell of its chunks."""
    added = memory.wired.service.add_document(OWNER, Sending("ops/animals.md", text.encode()))
    memory.wired.worker(Work(Job.INGEST, added.document.id), lambda: 1_000)
    return [key for key in memory.doorbells() if key.pk.startswith("TC#")]


def chunks_found(memory: Installation, query: str) -> list[str]:
    hits = memory.wired.service.recall(OWNER, RecallQuery(query)).hits
    return [hit.chunk.text for hit in hits if isinstance(hit, ContextHit)]


def chunk_watermark(memory: Installation) -> Watermark:
    searching = memory.wired.build_index.fill.searching
    active = searching.state().active
    assert active is not None
    space = memory.wired.build_index.spaces.ensure("default").id
    return searching.watermarks(active).read(chunk_log(space))


ANIMALS = "# Tame\n\nA tame fox sleeps.\n\n# Wild\n\nA poison frog jumps.\n"


def test_a_chunk_that_the_index_takes_again_is_found_and_no_longer_kept_aside(
    memory: Installation, indexes: PickyIndexes
) -> None:
    indexes.engine.refused = {"poison"}
    rows = send(memory, ANIMALS)
    assert memory.wired.index_changes(rows) == []
    assert len(chunk_watermark(memory).stuck) == 1
    memory.clock.turn(timedelta(minutes=5))
    assert chunks_found(memory, "tame fox") == ["A tame fox sleeps."]

    indexes.engine.refused = set()
    assert memory.wired.index_changes(rows) == []

    assert chunk_watermark(memory).stuck == ()
    assert "A poison frog jumps." in chunks_found(memory, "poison frog")


def test_chunks_that_could_not_be_kept_aside_come_again_and_are_kept_aside_then(tmp_path: Path) -> None:
    indexes = PickyIndexes(tmp_path)
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite, indexes=indexes)
    indexes.engine.refused = {"poison"}
    rows = send(memory, ANIMALS)

    def lose() -> None:
        table.interpose(is_note, lose)
        raise ConditionFailed  # others move the watermark each time

    table.interpose(is_note, lose)
    assert memory.wired.index_changes(rows) == rows
    table.interpose(lambda *_: False, lambda: None)

    assert memory.wired.index_changes(rows) == []
    assert len(chunk_watermark(memory).stuck) == 1
    sqlite.close()


def test_a_chunk_that_is_refused_does_not_hold_up_a_rebuild(memory: Installation, indexes: PickyIndexes) -> None:
    memory.wired.index_changes(send(memory, ANIMALS))
    indexes.engine.refused = {"poison"}

    memory.wired.build_index.begin()

    assert memory.wired.build_index.finish()
    memory.clock.turn(timedelta(minutes=5))
    assert chunks_found(memory, "tame fox") == ["A tame fox sleeps."]


def test_a_rebuild_that_the_index_refuses_too_many_chunks_of_is_given_up(
    memory: Installation, indexes: PickyIndexes
) -> None:
    parts = (f"# Frog {number}\n\nPoison frog {number} jumps.\n" for number in range(MOST_STUCK + 1))
    memory.wired.index_changes(send(memory, "\n".join(parts)))
    indexes.engine.refused = {"poison"}

    memory.wired.build_index.begin()

    assert not memory.wired.build_index.finish()
    assert "more than 32" in str(memory.wired.build_index.generations.read().failure)
    memory.clock.turn(timedelta(minutes=5))
    assert chunks_found(memory, "frog 7 jumps")
