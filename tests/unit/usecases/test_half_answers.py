"""An arm that got a part of what it asked for gives that part, and the answer says what is lacking (law 8)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.graph.links import Links, MemorySource, Mention, Outcome
from palimpsest.domain.ids import RootId
from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.talk import Place
from palimpsest.ports.search_index import Candidates, Matches, Search, SearchIndex
from palimpsest.ports.table import Put
from palimpsest.settings import Settings
from palimpsest.stores.link_codec import items_of
from palimpsest.usecases import narrow
from palimpsest.usecases.answers import ArmState, Recalled, RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode, SourceClaim
from tests.support.graph import entities, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.passing_indexes import PassingIndex, PassingIndexes

NOW = datetime(2025, 6, 11, 12, tzinfo=UTC)
HALF = (ArmState.DEGRADED, "index_partial")


def refuse() -> None:
    raise IndexUnavailable("index_throttled", "too many questions")


@dataclass
class Weather:
    """What becomes of questions: those about talks, and those about a time."""

    around: Callable[[], None] = lambda: None
    then: Callable[[], None] = lambda: None
    lacking: str | None = None
    released: threading.Event = field(default_factory=threading.Event)

    def hang(self) -> None:
        self.released.wait(30)


class MoodyIndex(PassingIndex):
    """One generation."""

    def __init__(self, weather: Weather, inner: SearchIndex) -> None:
        super().__init__(inner)
        self._weather = weather

    def around(self, search: Search, places: Sequence[Place]) -> Candidates:
        self._weather.around()
        return replace(super().around(search, places), lacking=self._weather.lacking)

    def keyword(self, search: Search) -> Matches:
        self._be_asked(search)
        return super().keyword(search)

    def vector(self, search: Search) -> Candidates:
        self._be_asked(search)
        return super().vector(search)

    def _be_asked(self, search: Search) -> None:
        if search.filters.dated_from is not None or search.filters.dated_until is not None:
            self._weather.then()


@pytest.fixture
def weather() -> Iterator[Weather]:
    made = Weather()
    yield made
    made.released.set()


@pytest.fixture(params=[False, True], ids=["here", "remote"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, weather: Weather) -> Iterator[Installation]:
    indexes = PassingIndexes(tmp_path, lambda inner: MoodyIndex(weather, inner), is_remote=request.param)
    installed = install(tmp_path, indexes=indexes, settings=Settings(key="k" * 43, recall_seconds=0.5))
    yield installed
    installed.sqlite.close()


def say(memory: Installation, *texts: str) -> None:
    for each in texts:
        draft = Draft(each, source=SourceClaim(session="talk"), judge=JudgeMode.OFF)
        memory.wired.service.remember(OWNER, draft)
    memory.index()
    memory.clock.turn(timedelta(minutes=10))  # past the tail's margin


def recall(memory: Installation, query: str, **more: object) -> Recalled:
    asked = RecallQuery(query, is_dry_run=True, asked_at=NOW, **more)  # type: ignore[arg-type]
    return memory.wired.service.recall(OWNER, asked)


def arms(answer: Recalled) -> dict[str, tuple[ArmState, str | None]]:
    return {arm.name: (arm.state, arm.reason) for arm in answer.arms}


def texts(answer: Recalled) -> list[str]:
    return [each.version.statement.content for each in answer.memories]


def test_talks_that_can_not_be_looked_up_degrade_an_arm_and_take_no_candidate(
    memory: Installation, weather: Weather
) -> None:
    say(memory, "Where is the kettle?", "In the blue cupboard")
    weather.around = refuse

    answer = recall(memory, "kettle")

    assert arms(answer)["keyword"] == (ArmState.DEGRADED, "index_throttled")
    assert arms(answer)["vector"] == (ArmState.OK, None)
    assert texts(answer)[0] == "Where is the kettle?"


def test_talks_are_missed_by_the_arm_that_has_searched(memory: Installation, weather: Weather) -> None:
    say(memory, "Where is the kettle?")
    weather.around = refuse

    answer = recall(memory, "?!")

    assert arms(answer)["keyword"] == (ArmState.SKIPPED, "no_terms")
    assert arms(answer)["vector"] == (ArmState.DEGRADED, "index_throttled")


def test_half_of_what_stands_in_talks_is_used_and_told(memory: Installation, weather: Weather) -> None:
    say(memory, "Where is the kettle?", "In the blue cupboard")
    weather.lacking = "index_partial"

    answer = recall(memory, "kettle")

    assert arms(answer)["keyword"] == HALF
    assert set(texts(answer)) == {"Where is the kettle?", "In the blue cupboard"}


@pytest.mark.parametrize("memory", [True], indirect=True, ids=["remote"])
def test_talks_that_an_engine_keeps_to_itself_cost_what_is_left_of_the_time(
    memory: Installation, weather: Weather
) -> None:
    say(memory, "Where is the kettle?")
    weather.around = weather.hang
    begun = time.perf_counter()

    answer = recall(memory, "kettle")

    assert arms(answer)["keyword"] == (ArmState.DEGRADED, "index_timeout")
    assert texts(answer) == ["Where is the kettle?"]
    assert time.perf_counter() - begun < 5


def test_what_was_found_stays_when_the_question_about_the_time_fails(memory: Installation, weather: Weather) -> None:
    say(memory, "the office moved to Poznań")
    weather.then = refuse

    answer = recall(memory, "where did the office move in March 2025")

    assert arms(answer)["keyword"] == arms(answer)["vector"] == (ArmState.DEGRADED, "index_throttled")
    assert texts(answer) == ["the office moved to Poznań"]


def test_an_entity_with_more_sources_than_are_looked_at_is_told(memory: Installation) -> None:
    memory.save("Ola Nowak keeps bees")
    settle(memory)
    few = recall(memory, "what is kept", entity="Ola Nowak")
    ola = entities(memory)["Ola Nowak"]
    named = Mention(ola.id, "Ola Nowak", Method.DICTIONARY, 1.0)
    sources = [MemorySource(RootId(f"mem_{n:026d}"), 1) for n in range(narrow.MOST)]
    found = [Links(source, ola.space, NOW, NOW, Outcome.LINKED, mentions=(named,)) for source in sources]
    memory.table.write_batch([Put(item) for each in found for item in items_of(each).values()])

    many = recall(memory, "what is kept", entity="Ola Nowak")

    assert arms(few)["entity"] == (ArmState.OK, None)
    assert arms(many)["entity"] == (ArmState.DEGRADED, "entity_truncated")
