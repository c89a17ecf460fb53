"""Steps that fall between two reads of a recall or of a rebuild, and days on which a part fails: found by review."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable, TableThrottled, WrongState
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, SpaceId, VersionRef
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.table import Put, Set, Update
from palimpsest.settings import Settings
from palimpsest.stores import changes, keys
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.watermarks import Watermarks
from palimpsest.usecases.answers import ArmState, RecallQuery
from palimpsest.usecases.drafts import Annotation, Draft, Revision
from tests.support import conflicting
from tests.support.conflicting import KEEP_EXISTING, KEEP_NEW
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import Call, InterposingTable


class Installed:
    """An installation over a table in which others can act."""

    def __init__(self, folder: Path) -> None:
        self.sqlite = SqliteTable(":memory:")
        self.table = InterposingTable(self.sqlite)
        self.memory = install(folder, table=self.table, sqlite=self.sqlite)

    def settle(self) -> None:
        """Past the tail's margin: what is found now is found by the index."""
        settle(self.memory)


def settle(memory: Installation) -> None:
    memory.index()
    memory.clock.turn(timedelta(minutes=1))
    memory.save(f"noise of {memory.clock.now()}")
    memory.index()


def tagged(memory: Installation, tag: str) -> list[str]:
    query = RecallQuery("fox", filters=Filters(tags=(tag,)), is_dry_run=True)
    return [each.version.statement.content for each in memory.wired.service.recall(OWNER, query).memories]


def reads_of(root: RootId) -> Callable[[str, Call], bool]:
    def is_it(name: str, call: Call) -> bool:
        return name == "get" and isinstance(call, Sequence) and keys.head(root) in call

    return is_it


def test_a_build_that_is_finished_while_another_is_begun_keeps_what_it_holds(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    memory.save("the quick brown fox")
    settle(memory)
    build = memory.wired.build_index

    def is_move(name: str, call: Call) -> bool:
        return name == "write" and isinstance(call, Put) and call.item["pk"] == "IX"

    installed.table.interpose(is_move, lambda: (build.begin(), build.finish()))
    build.begin()
    build.finish()

    assert "the quick brown fox" in memory.recalled("fox")
    assert len(list(tmp_path.glob("*.db"))) == 1


def test_a_step_during_a_rebuild_is_in_the_new_index(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    root = RootId(memory.save("the quick brown fox"))
    settle(memory)
    memory.wired.build_index.begin()

    def step() -> None:
        memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=("animal",)))
        memory.index()

    def is_read_of_versions(name: str, call: Call) -> bool:
        return name == "get" and isinstance(call, Sequence) and keys.version(root, 1) in call

    installed.table.interpose(is_read_of_versions, step)
    memory.wired.build_index.finish()
    settle(memory)

    assert tagged(memory, "animal") == ["the quick brown fox"]


def test_a_memory_that_is_updated_during_a_recall_is_answered_as_it_is_now(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    root = RootId(memory.save("deploys happen on tuesday"))
    settle(memory)
    revise = memory.wired.service.revise

    installed.table.interpose(
        reads_of(root),
        lambda: revise(OWNER, VersionRef(root), Revision("deploys happen on thursday")),
    )

    assert "deploys happen on thursday" in memory.recalled("deploys")


def test_a_recall_is_answered_though_it_can_not_be_recorded(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    memory.save("the quick brown fox")

    def refuse() -> None:
        raise TableThrottled

    installed.table.interpose(lambda name, call: name in ("write", "write_batch"), refuse)
    answer = memory.wired.service.recall(OWNER, RecallQuery("fox"))

    assert [each.version.statement.content for each in answer.memories] == ["the quick brown fox"]
    assert not answer.is_recorded
    assert memory.wired.service.recall(OWNER, RecallQuery("fox")).is_recorded


def test_a_recall_is_answered_while_the_disk_stands_still(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    memory.save("the quick brown fox")
    moves_on = Event()

    installed.table.interpose(lambda name, call: name in ("write", "write_batch"), lambda: moves_on.wait(30) and None)
    answers, took = [], []
    for _ in range(3):
        begun = time.perf_counter()
        answers.append(memory.wired.service.recall(OWNER, RecallQuery("fox")))
        took.append(time.perf_counter() - begun)
    moves_on.set()

    assert all([m.version.statement.content for m in each.memories] == ["the quick brown fox"] for each in answers)
    assert not any(each.is_recorded for each in answers)
    assert max(took) < 3


def test_a_row_that_no_codec_can_read_degrades_the_tail_and_stops_nobody(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    memory = installed.memory
    memory.save("first fox")
    row = memory.doorbells()[0]
    installed.sqlite.write(Update(row, (Set("terms", b"garbage"),)))
    memory.save("second fox")

    answer = memory.wired.service.recall(OWNER, RecallQuery("fox"))

    assert {arm.name: (arm.state, arm.reason) for arm in answer.arms}["tail"] == (
        ArmState.DEGRADED,
        "unreadable_rows",
    )
    memory.wired.index_changes([row])
    settle(memory)
    assert {"first fox", "second fox"} <= set(memory.recalled("fox"))


def test_the_first_recall_after_a_swap_by_another_process_has_all_its_arms(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("the quick brown fox")
    settle(memory)
    other = install(tmp_path, sqlite=memory.sqlite, prepare=False)
    assert "the quick brown fox" in other.recalled("fox")

    memory.wired.build_index.begin()
    memory.wired.build_index.finish()

    answer = other.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))
    assert {arm.name: arm.state for arm in answer.arms} == {
        "tail": ArmState.OK,
        "keyword": ArmState.OK,
        "vector": ArmState.OK,
        "entity": ArmState.EMPTY,
        "exact": ArmState.SKIPPED,
    }


class OtherModel:
    """The hashing embedder under another name, with vectors of another length."""

    def __init__(self, dimensions: int) -> None:
        self._inner = HashingEmbedder(seed=9, dimensions=dimensions)
        self.model = Model("other", "1", dimensions)
        self.window, self.tokens = self._inner.window, self._inner.tokens

    def query(self, text: str) -> Vector:
        return self._inner.query(text)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return self._inner.passages(texts)


@pytest.mark.parametrize("dimensions", [384, 16])
def test_vectors_of_two_models_are_never_compared_in_the_tail_either(tmp_path: Path, dimensions: int) -> None:
    memory = install(tmp_path)
    memory.save("the quick brown fox")

    fresh = install(tmp_path, sqlite=memory.sqlite, embedder=OtherModel(dimensions), prepare=False)
    answer = fresh.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))

    assert [hit.similarity for hit in answer.hits] == [None]


@pytest.mark.parametrize("dimensions", [16, 384])
def test_vectors_of_two_models_are_never_compared(tmp_path: Path, dimensions: int) -> None:
    memory = install(tmp_path)
    memory.save("the quick brown fox")
    settle(memory)
    fresh = install(tmp_path, sqlite=memory.sqlite, embedder=OtherModel(dimensions), prepare=False)

    answer = fresh.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))

    assert {arm.name: (arm.state, arm.reason) for arm in answer.arms}["vector"] == (ArmState.DEGRADED, "other_model")
    assert [("keyword" in hit.why, hit.similarity) for hit in answer.hits] == [(True, None)]


def test_what_was_forgotten_under_another_model_waits_for_vectors_when_it_is_restored(tmp_path: Path) -> None:
    memory = install(tmp_path)
    ref = VersionRef(RootId(memory.save("the quick brown fox")))
    memory.wired.service.forget(OWNER, ref)
    fresh = install(tmp_path, sqlite=memory.sqlite, embedder=OtherModel(16), prepare=False)

    restored = fresh.wired.service.restore(OWNER, ref)

    assert restored.head.embedded == 0
    assert fresh.wired.embed_pending() == 1


def test_a_busy_space_has_a_settled_place_however_often_its_index_is_fed() -> None:
    refresh = timedelta(seconds=60)
    marks = Watermarks(SqliteTable(":memory:"), "generation", refresh)
    partition = LogPartition(SpaceId("s"), 0)
    for second in range(0, 600, 2):
        at = START + timedelta(seconds=second)
        marks.advance(partition, marks.read(partition), changes.place_at(at), at)

    settled = marks.read(partition).settled(START + timedelta(seconds=600), refresh)

    assert timedelta(seconds=500) < changes.place_time(settled) - START <= timedelta(seconds=540)


class HangingEmbedder(OtherModel):
    """Embeds passages; hangs on queries until it gives up."""

    def query(self, text: str) -> Vector:
        threading.Event().wait(1.0)
        raise EmbedderUnavailable("embedder_unreachable", "gave up")


def test_an_embedder_that_hangs_on_queries_leaves_keyword_search_alone(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=HangingEmbedder(16), settings=Settings(embed_seconds=0.02))
    memory.wired.service.remember(OWNER, Draft("the quick brown fox"))

    for _ in range(8):
        answer = memory.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))
        assert [each.version.statement.content for each in answer.memories] == ["the quick brown fox"]


def test_who_decides_between_two_reads_of_another_who_decides_is_told_to_be_first(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    towns = conflicting.begin(installed.memory)

    installed.table.interpose(reads_of(towns.new), lambda: towns.resolve(KEEP_NEW))
    with pytest.raises(WrongState) as refused:
        towns.resolve(KEEP_EXISTING)

    assert refused.value.state == "resolved"
