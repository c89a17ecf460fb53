"""The index follows the table, whatever becomes of doorbells, embedders, processes and the index itself."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable, NothingSearched, TableThrottled
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Removal
from palimpsest.ports.table import Key, Page, Query
from palimpsest.settings import Settings
from palimpsest.stores.keys import LogPartition
from palimpsest.usecases.answers import ArmState, RecallQuery
from palimpsest.usecases.drafts import Draft, Revision, Saved
from palimpsest.usecases.readings import ListQuery
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install


class MoodyEmbedder:
    """The hashing embedder, when it is in the mood; counts the texts that it embeds."""

    def __init__(self, seed: int = 0, revision: str = "1") -> None:
        self._inner = HashingEmbedder(seed)
        self.model = Model("moody", revision, self._inner.model.dimensions)
        self.window, self.tokens = self._inner.window, self._inner.tokens
        self.is_up = True
        self.embedded = 0

    def query(self, text: str) -> Vector:
        self._require()
        return self._inner.query(text)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        self._require()
        self.embedded += len(texts)
        return self._inner.passages(texts)

    def _require(self) -> None:
        if not self.is_up:
            raise EmbedderUnavailable("embedder_failed", "not today")


def arms(memory: Installation, query: str) -> dict[str, tuple[ArmState, str | None]]:
    answer = memory.wired.service.recall(OWNER, RecallQuery(query, is_dry_run=True))
    return {arm.name: (arm.state, arm.reason) for arm in answer.arms}


def move_on(memory: Installation) -> None:
    """Past the tail's margin, so that only the index can find what was written before."""
    memory.index()
    memory.clock.turn(timedelta(minutes=1))
    memory.save(f"noise at {memory.clock.now()}")
    memory.index()


def stop(memory: Installation) -> None:
    memory.sqlite.close()


# --- embedding ---


def test_a_save_never_waits_for_an_embedder_that_is_down(tmp_path: Path) -> None:
    embedder = MoodyEmbedder()
    memory = install(tmp_path, embedder=embedder)
    embedder.is_up = False

    saved = memory.wired.service.remember(OWNER, Draft("The spare key is in the shed"))

    assert saved.memory.head.embedded == 0
    assert memory.recalled("spare key") == ["The spare key is in the shed"]
    assert arms(memory, "spare key")["vector"] == (ArmState.DEGRADED, "embedder_failed")
    stop(memory)


def test_what_was_pending_is_embedded_later_and_found_without_a_common_word(tmp_path: Path) -> None:
    embedder = MoodyEmbedder()
    memory = install(tmp_path, embedder=embedder)
    embedder.is_up = False
    root = RootId(memory.save("reservation"))
    memory.save("another thing")
    embedder.is_up = True

    assert memory.wired.embed_pending() == 2
    assert memory.wired.embed_pending() == 0

    move_on(memory)
    read = memory.wired.service.read(OWNER, VersionRef(root))
    assert (read.head.embedded, read.head.count) == (1, 1)
    assert memory.recalled("reservations")[0] == "reservation"
    stop(memory)


def test_long_texts_wait_for_the_background(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=MoodyEmbedder())

    memory.save("word " * 2_000)

    assert memory.wired.embed_pending.waiting(10)
    assert memory.wired.embed_pending() == 1
    stop(memory)


def test_a_version_that_came_meanwhile_is_not_given_the_vectors_of_the_old_one(tmp_path: Path) -> None:
    embedder = MoodyEmbedder()
    memory = install(tmp_path, embedder=embedder)
    embedder.is_up = False
    root = RootId(memory.save("one"))
    embedder.is_up = True
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("two"))

    assert memory.wired.embed_pending() == 0
    assert memory.wired.service.read(OWNER, VersionRef(root)).head.embedded == 2
    stop(memory)


# --- the index ---


def test_stale_and_forgotten_entries_are_never_shown_though_the_index_still_has_them(tmp_path: Path) -> None:
    memory = install(tmp_path)
    kept, gone = RootId(memory.save("deploys on tuesday")), RootId(memory.save("deploys by hand"))
    move_on(memory)

    memory.wired.service.revise(OWNER, VersionRef(kept), Revision("deploys on thursday"))
    memory.wired.service.forget(OWNER, VersionRef(gone))

    assert [text for text in memory.recalled("deploys") if "deploys" in text] == ["deploys on thursday"]
    stop(memory)


def test_a_lost_doorbell_is_made_up_for_by_the_next(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("the quick brown fox")
    memory.doorbells()

    move_on(memory)

    assert "the quick brown fox" in memory.recalled("fox")
    stop(memory)


def test_a_row_that_was_committed_out_of_order_is_indexed(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("first")
    memory.save("second")
    first, second = memory.doorbells()

    memory.wired.index_changes([second])
    memory.wired.index_changes([first])
    move_on(memory)

    assert memory.recalled("first")[0] == "first"
    assert memory.recalled("second")[0] == "second"
    stop(memory)


def test_a_failing_index_has_its_rows_announced_again(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("x")
    shutil.rmtree(tmp_path)
    fresh = install_again(tmp_path, memory)

    rows = memory.doorbells()

    assert fresh.wired.index_changes(rows) == rows
    stop(memory)


def install_again(folder: Path, memory: Installation, embedder: MoodyEmbedder | None = None) -> Installation:
    """Another process over the same table."""
    installation = install(folder, sqlite=memory.sqlite, embedder=embedder, prepare=False)
    installation.clock.turn(timedelta(minutes=5))
    return installation


# --- rebuilding ---


def test_a_rebuild_embeds_nothing_and_loses_nothing(tmp_path: Path) -> None:
    embedder = MoodyEmbedder()
    memory = install(tmp_path, embedder=embedder)
    texts = [f"note {n} about topic {n % 3}" for n in range(130)]
    for text in texts:
        memory.save(text)
    memory.save("elsewhere", space="other")
    before = memory.recalled("note about topic", limit=100)
    embedder.embedded = 0
    memory.wired.build_index.begin()

    assert memory.wired.build_index.finish()

    assert embedder.embedded == 0
    assert sorted(memory.recalled("note about topic", limit=100)) == sorted(before)
    assert memory.recalled("elsewhere", space="other") == ["elsewhere"]
    assert len(list(tmp_path.glob("*.db"))) == 1
    stop(memory)


def test_an_index_whose_files_are_gone_is_rebuilt_while_the_tail_answers(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("The spare key is in the shed")
    move_on(memory)
    shutil.rmtree(tmp_path)
    fresh = install_again(tmp_path, memory)

    assert arms(fresh, "spare key")["keyword"] == (ArmState.FAILED, "index_missing")
    assert "The spare key is in the shed" in fresh.recalled("spare key")
    assert fresh.wired.build_index.prepare()
    assert fresh.wired.build_index.finish()
    assert arms(fresh, "spare key")["keyword"] == (ArmState.OK, None)
    assert not fresh.wired.build_index.prepare()
    stop(memory)


@pytest.mark.parametrize("crash_at", range(0, 24, 3))
def test_a_rebuild_that_dies_leaves_the_old_index_serving_and_is_finished_later(tmp_path: Path, crash_at: int) -> None:
    sqlite = SqliteTable(":memory:")
    table = CrashingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    memory.save("one fox")
    memory.save("two foxes")
    move_on(memory)
    memory.wired.build_index.begin()

    table.crash_at(crash_at, is_after=bool(crash_at % 2))
    with contextlib.suppress(Crashed):
        memory.wired.build_index.finish()
    table.live_on()

    found = {"one fox", "two foxes"}
    assert found <= set(memory.recalled("fox"))
    memory.save("three foxes")
    memory.index()
    memory.wired.build_index.finish()
    memory.clock.turn(timedelta(minutes=1))
    assert found | {"three foxes"} <= set(memory.recalled("fox"))
    assert arms(memory, "fox")["keyword"] == (ArmState.OK, None)
    stop(memory)


def test_another_model_is_not_mixed_in_and_waits_to_be_asked_for(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=MoodyEmbedder(seed=1, revision="1"))
    memory.save("The spare key is in the shed")
    move_on(memory)
    other = MoodyEmbedder(seed=2, revision="2")
    fresh = install_again(tmp_path, memory, other)

    assert not fresh.wired.build_index.prepare()
    assert arms(fresh, "spare key")["vector"] == (ArmState.DEGRADED, "other_model")
    assert "The spare key is in the shed" in fresh.recalled("spare key")
    assert fresh.wired.service.report_status(OWNER).index.state == "other_model"

    fresh.wired.service.rebuild_index(OWNER)
    assert fresh.wired.build_index.finish()
    assert other.embedded == 2
    assert arms(fresh, "spare key")["vector"] == (ArmState.OK, None)
    assert fresh.wired.service.report_status(OWNER).index.state == "ready"
    stop(memory)


# --- arms ---


class NoLog:
    """A table whose change log can't be read."""

    def __init__(self, table: SqliteTable) -> None:
        self._table = table
        self.is_up = True

    def __getattr__(self, name: str) -> object:
        return getattr(self._table, name)

    def query(self, query: Query) -> Page:
        if query.pk.startswith("T#") and not self.is_up:
            raise TableThrottled
        return self._table.query(query)


def test_a_recall_that_no_arm_can_answer_is_an_error_and_no_empty_answer(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = NoLog(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)  # type: ignore[arg-type]
    memory.save("x")
    shutil.rmtree(tmp_path)
    fresh = install(tmp_path, table=table, sqlite=sqlite, prepare=False)  # type: ignore[arg-type]
    table.is_up = False

    with pytest.raises(NothingSearched) as error:
        fresh.recalled("x")

    assert error.value.reasons["tail"] == "table_unavailable"
    stop(memory)


def test_the_log_partition_is_told_from_its_key() -> None:
    partition = LogPartition.of("T#01J#3")

    assert (partition.space, partition.shard, partition.pk) == ("01J", 3, "T#01J#3")
    assert Key(partition.pk, "x").pk == "T#01J#3"


def test_entries_that_a_loss_of_power_took_from_the_index_are_put_back(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("The spare key is in the shed")
    move_on(memory)
    state = memory.wired.build_index.generations.read()
    assert state.active is not None
    space = memory.wired.build_index.spaces.every()[0]
    opened = memory.wired.build_index.fill.searching.open(state.active)
    opened.index.remove(space.id, [Removal(f"{root}#00000001", 1) for root in roots(memory)])
    fresh = install_again(tmp_path, memory)
    assert "The spare key is in the shed" not in fresh.recalled("spare key")

    for partition in space.log_partitions():
        fresh.wired.index_changes.recheck(partition, timedelta(minutes=10))

    assert "The spare key is in the shed" in fresh.recalled("spare key")
    stop(memory)


def roots(memory: Installation) -> list[str]:
    listed = memory.wired.service.list_memories(OWNER, ListQuery()).memories
    return [m.head.root for m in listed]


def test_an_index_that_is_deleted_under_a_running_process_is_built_anew(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("The spare key is in the shed")
    move_on(memory)

    shutil.rmtree(tmp_path)

    assert arms(memory, "spare key")["keyword"] == (ArmState.FAILED, "index_missing")
    memory.wired.plan()
    assert memory.wired.build_index.finish()
    assert arms(memory, "spare key")["keyword"] == (ArmState.OK, None)
    stop(memory)


class SlowEmbedder(MoodyEmbedder):
    """Embeds passages only when it is let; queries at once."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        assert self.go.wait(30)
        return super().passages(texts)


def test_recalls_are_answered_while_a_large_batch_is_embedded(tmp_path: Path) -> None:
    embedder = SlowEmbedder()
    memory = install(tmp_path, embedder=embedder, settings=Settings(embed_seconds=0.01))

    results = memory.wired.service.remember_all(OWNER, [Draft(f"note {n} {'word ' * 1_500}") for n in range(20)])

    assert all(isinstance(result, Saved) and result.memory.head.embedded == 0 for result in results)
    assert {name: state for name, (state, _) in arms(memory, "note 3").items()} == {
        "tail": ArmState.OK,
        "keyword": ArmState.EMPTY,
        "vector": ArmState.EMPTY,
        "entity": ArmState.EMPTY,
        "exact": ArmState.SKIPPED,
    }
    embedder.go.set()
    stop(memory)
