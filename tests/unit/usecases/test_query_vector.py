"""The query is embedded while the arms that do not need its vector yet are at work."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from palimpsest.ports.embedder import Model, Vector
from palimpsest.settings import Settings
from palimpsest.usecases.answers import ArmState, RecallQuery
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, install
from tests.support.sleeping_indexes import SleepingIndexes

SETTINGS = Settings(key="k" * 43, recall_seconds=0.6)


class PatientEmbedder:
    """Embeds a query when it is told to."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self._inner = HashingEmbedder()
        self.window, self.tokens = self._inner.window, self._inner.tokens

    @property
    def model(self) -> Model:
        return self._inner.model

    def query(self, text: str) -> Vector:
        self.may_answer.wait(10)
        return self._inner.query(text)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return self._inner.passages(texts)


def test_the_index_is_asked_for_words_before_the_query_is_embedded(tmp_path: Path) -> None:
    embedder, indexes = PatientEmbedder(), SleepingIndexes(tmp_path)
    memory = install(tmp_path, embedder=embedder, indexes=indexes, settings=SETTINGS)
    memory.save("the quick brown fox")
    memory.index()
    indexes.engine.when_asked = embedder.may_answer.set

    answer = memory.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))

    states = {arm.name: arm.state for arm in answer.arms}
    assert states == dict.fromkeys(("tail", "keyword", "vector"), ArmState.OK) | {
        "entity": ArmState.EMPTY,
        "exact": ArmState.SKIPPED,
    }


def test_words_answer_when_the_query_is_not_embedded_in_time(tmp_path: Path) -> None:
    embedder = PatientEmbedder()
    memory = install(tmp_path, embedder=embedder, settings=SETTINGS)
    memory.save("the quick brown fox")
    memory.index()

    answer = memory.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))

    embedder.may_answer.set()
    told = {arm.name: (arm.state, arm.reason) for arm in answer.arms}
    assert told["keyword"] == (ArmState.OK, None)
    assert told["vector"] == (ArmState.DEGRADED, "embedder_late")
    assert [hit.similarity for hit in answer.hits] == [None]
