"""Whatever happens on the way to the search engine or the embedder, recall answers in time from what is there."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.filters import Filters
from palimpsest.domain.prices import Price
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.language_model import PricedModel
from palimpsest.settings import Settings
from palimpsest.usecases.answers import ArmState, Recalled, RecallQuery
from palimpsest.usecases.drafts import Draft
from tests.support import bad_way, opensearch_proxy
from tests.support.bad_way import BadWay, half_of_the_shards_fail, of_each_search, says
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install
from tests.support.scripted_model import ScriptedModel
from tests.support.small_opensearch import small_opensearch

SECONDS = 3.0
OLD = {f"fox number {number}" for number in range(6)}
FRESH = "a fresh fox"
FINE = (ArmState.OK, None)


class TurnedEmbedder:
    """The hashing one; the test says how queries fare."""

    def __init__(self) -> None:
        self.inner = HashingEmbedder()
        self.before: Callable[[], object] = lambda: None

    @property
    def model(self) -> Model:
        return self.inner.model

    @property
    def window(self) -> int:
        return self.inner.window

    def tokens(self, texts: Sequence[str]) -> list[int]:
        return self.inner.tokens(texts)

    def query(self, text: str) -> Vector:
        self.before()
        return self.inner.query(text)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return self.inner.passages(texts)


@dataclass
class Away:
    """An installation whose search engine is far away. `ends`: lets go of what hangs."""

    memory: Installation
    way: BadWay
    embedder: TurnedEmbedder
    ends: threading.Event = field(default_factory=threading.Event)

    def recall(self, **more: Any) -> Recalled:
        """In time, with what was saved a moment ago."""
        begun = time.perf_counter()
        answer = self.memory.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True, **more))
        assert time.perf_counter() - begun < SECONDS
        assert FRESH in texts(answer)
        return answer


def texts(answer: Recalled) -> set[str]:
    return {each.version.statement.content for each in answer.memories}


_SELDOM = {"entity", "exact"}


def arms(answer: Recalled) -> dict[str, tuple[ArmState, str | None]]:
    return {arm.name: (arm.state, arm.reason) for arm in answer.arms if arm.name not in _SELDOM}


@pytest.fixture
def away(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Away]:
    yield from _away(tmp_path, request, is_serverless=False)


@pytest.fixture
def collection(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Away]:
    yield from _away(tmp_path, request, is_serverless=True)


def _away(tmp_path: Path, request: pytest.FixtureRequest, *, is_serverless: bool) -> Iterator[Away]:
    """Six memories that only the index shows, and one that it has not yet."""
    real = request.config.getoption("--opensearch")
    prefix = opensearch_proxy.unused_prefix()
    with small_opensearch() as small, bad_way.way_to(real or small.url) as way:
        indexes = OpenSearchIndexes(Cluster(way.url, read_seconds=1.0, is_serverless=is_serverless), prefix)
        embedder = TurnedEmbedder()
        memory = install(tmp_path, indexes=indexes, embedder=embedder)
        for content in sorted(OLD):
            memory.wired.service.remember(OWNER, Draft(content, tags=("old",)))
        memory.index()
        if real:
            way.forward("POST", f"/{prefix}-*/_refresh", None)
        memory.clock.turn(timedelta(minutes=10))
        memory.save(FRESH)
        made = Away(memory, way, embedder)
        fine = {"tail": FINE, "keyword": FINE, "vector": FINE}
        assert any(arms(made.recall()) == fine for _ in range(10))  # the first one of a busy machine may be late
        indexes.close()
        yield made
        made.ends.set()
        way.ended.set()
        if real:
            way.forward("DELETE", f"/{prefix}-*", None)


FAILURES: dict[str, tuple[dict[str, Any], str]] = {
    "silence": ({"is_silent": True}, "index_timeout"),
    "slowness": ({"delay_seconds": 5.0}, "index_timeout"),
    "connections that break": ({"drops": 1_000}, "index_unreachable"),
    "answers that end in the middle": ({"cut_at": 40}, "index_unreachable"),
    "answers that drip": ({"drips": True}, "index_timeout"),
    "too many requests": ({"change": says(429, {"status": 429, "error": {"type": "x"}})}, "index_throttled"),
    "a throttled collection": ({"change": says(429, b"Too Many Requests")}, "index_throttled"),
    "a gateway that finds nobody": ({"change": says(502, b"<html>Bad Gateway</html>")}, "index_unreachable"),
    "a service that is down": ({"change": says(503, {})}, "index_unreachable"),
    "a time-out on the other side": ({"change": says(504, {})}, "index_timeout"),
    "no shard that answers": (
        {"change": says(503, {"status": 503, "error": {"type": "search_phase_execution_exception"}})},
        "index_red",
    ),
    "a refusal": ({"change": says(403, {"status": 403, "error": {"type": "security_exception"}})}, "index_refused"),
    "no JSON": ({"change": says(200, b'{"hits": {"hi')}, "index_garbled"),
    "no UTF-8": ({"change": says(200, b"\xff\xfe\x00")}, "index_garbled"),
    "an answer to something else": ({"change": says(200, {"acknowledged": True})}, "index_garbled"),
    "a list": ({"change": says(200, [])}, "index_garbled"),
    "features that are none": (
        {
            "change": of_each_search(
                lambda answer: [hit["_source"].update(features="QQ") for hit in answer["hits"]["hits"]]
            )
        },
        "index_garbled",
    ),
    "hits without a key": (
        {"change": of_each_search(lambda answer: [hit.pop("_source") for hit in answer["hits"]["hits"]])},
        "index_garbled",
    ),
}


@pytest.mark.parametrize("what", FAILURES)
def test_recall_answers_from_the_table_whatever_the_engine_does(away: Away, what: str) -> None:
    weather, reason = FAILURES[what]
    for name, value in weather.items():
        setattr(away.way, name, value)

    answer = away.recall()

    failed = (ArmState.FAILED, reason)
    assert arms(answer) == {"tail": FINE, "keyword": failed, "vector": failed}
    assert texts(answer) == {*OLD, FRESH}


def test_a_collection_that_sleeps_is_told_and_not_waited_for_again(collection: Away) -> None:
    collection.way.is_silent = True
    collection.memory.wired.service.recall.search_spaces.searching.indexes._cluster._answered = None  # type: ignore[attr-defined]

    first = collection.recall()
    asked = collection.way.asked
    second = collection.recall()

    asleep = (ArmState.DEGRADED, "index_asleep")
    assert arms(first) == arms(second) == {"tail": FINE, "keyword": asleep, "vector": asleep}
    assert texts(first) == texts(second) == {*OLD, FRESH}
    assert collection.way.asked == asked


def test_what_the_other_shards_have_is_answered_and_the_arm_says_that_there_may_be_more(away: Away) -> None:
    away.way.change = of_each_search(half_of_the_shards_fail)

    answer = away.recall()

    partial = (ArmState.DEGRADED, "index_partial")
    assert arms(answer) == {"tail": FINE, "keyword": partial, "vector": partial}
    assert {arm.name: arm.candidates for arm in answer.arms if arm.name in ("keyword", "vector")} == {
        "keyword": 3,
        "vector": 3,
    }
    assert FRESH in texts(answer)


def test_a_connection_that_breaks_once_and_an_engine_that_is_a_little_slow_are_not_noticed(away: Away) -> None:
    away.way.drops, away.way.delay_seconds = 1, 0.2

    answer = away.recall()

    assert arms(answer) == {"tail": FINE, "keyword": FINE, "vector": FINE}


def test_filters_hold_while_the_table_answers_alone(away: Away) -> None:
    away.way.drops = 1_000

    begun = time.perf_counter()
    found = away.memory.wired.service.recall(OWNER, RecallQuery("fox", filters=Filters(tags=("old",))))

    assert texts(found) == OLD
    assert time.perf_counter() - begun < SECONDS


def _fails() -> None:
    raise EmbedderUnavailable("embedder_throttled", "too many requests")


def test_an_embedder_that_fails_costs_the_vector_arm_alone(away: Away) -> None:
    away.embedder.before = _fails

    answer = away.recall()

    assert arms(answer) == {"tail": FINE, "keyword": FINE, "vector": (ArmState.DEGRADED, "embedder_throttled")}
    assert texts(answer) == {*OLD, FRESH}


def test_an_embedder_that_hangs_costs_the_vector_arm_alone(away: Away) -> None:
    away.embedder.before = lambda: away.ends.wait(30)

    answers = [away.recall() for _ in range(2)]  # the second waits behind the first

    for answer in answers:
        assert arms(answer) == {"tail": FINE, "keyword": FINE, "vector": (ArmState.DEGRADED, "embedder_late")}
        assert texts(answer) == {*OLD, FRESH}


def test_a_spent_budget_costs_a_recall_nothing(tmp_path: Path) -> None:
    model = ScriptedModel([])
    settings = Settings(key="k" * 43, daily_cap=Decimal(0))
    memory = install(tmp_path, model=PricedModel(model, Price.usd("3", "15")), settings=settings)
    memory.save(FRESH)

    answer = memory.wired.service.recall(OWNER, RecallQuery("fox", is_dry_run=True))

    assert (texts(answer), arms(answer)["tail"], model.asked) == ({FRESH}, FINE, [])
    assert ArmState.FAILED not in {arm.state for arm in answer.arms}


@pytest.mark.parametrize("weather", [{"is_silent": True}, {"drips": True}], ids=["silence", "dripping"])
def test_with_both_gone_many_recalls_at_once_are_answered_in_time(away: Away, weather: dict[str, Any]) -> None:
    away.embedder.before = lambda: away.ends.wait(30)
    for name, value in weather.items():
        setattr(away.way, name, value)

    with ThreadPoolExecutor(4) as callers:
        answers = [job.result() for job in [callers.submit(away.recall) for _ in range(8)]]

    assert all(texts(answer) == {*OLD, FRESH} for answer in answers)


def test_after_bad_weather_everything_is_as_before(away: Away) -> None:
    before = away.recall()
    away.way.drips = True
    away.recall()
    away.way.drips = False

    after = away.recall()

    assert arms(after) == arms(before)
    ageless = [[replace(hit, score=0.0, scores={}) for hit in answer.hits] for answer in (before, after)]
    assert ageless[0] == ageless[1]
