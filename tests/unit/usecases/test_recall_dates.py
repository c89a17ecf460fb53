"""The time that a query names, over real embedded parts: every arm looks there, and nothing is left out for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.domain.filters import Filters
from palimpsest.settings import Settings
from palimpsest.usecases.answers import Hit, Recalled, RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode
from tests.support.installation import OWNER, Installation, install

PATIENT = Settings(key="k" * 43, recall_seconds=25.0)
NOW = datetime(2025, 6, 11, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installation = install(tmp_path, settings=PATIENT)
    yield installation
    installation.sqlite.close()


def save(memory: Installation, text: str, on: str | None = None, said: str | None = None) -> None:
    event, asserted = (None if day is None else datetime.fromisoformat(day).replace(tzinfo=UTC) for day in (on, said))
    memory.wired.service.remember(OWNER, Draft(text, event_date=event, asserted_at=asserted, judge=JudgeMode.OFF))


def recalled(memory: Installation, query: str, limit: int = 0, filters: Filters | None = None) -> Recalled:
    asked = RecallQuery(query, limit=limit, asked_at=NOW, filters=filters or Filters(), is_dry_run=True)
    return memory.wired.service.recall(OWNER, asked)


def texts(found: Recalled) -> list[str]:
    return [each.version.statement.content for each in found.memories]


@pytest.mark.parametrize("is_indexed", [True, False], ids=["index", "tail"])
@pytest.mark.parametrize(
    "query", ["what happened with the office in March 2025", "co się działo: office, w marcu 2025"]
)
def test_what_lies_in_the_time_comes_first_by_event_date(memory: Installation, query: str, is_indexed: bool) -> None:
    save(memory, "the office moved to Poznań", on="2024-07-02")
    save(memory, "the office moved to Gdańsk", on="2025-03-14")
    save(memory, "the office moved to Kraków", on="2023-03-14")
    if is_indexed:
        memory.index()

    found = recalled(memory, query)

    assert texts(found)[0] == "the office moved to Gdańsk"
    assert len(found.hits) == 3
    assert [hit.scores["date"] for hit in found.hits if isinstance(hit, Hit)] == [1.0, 0.0, 0.0]


def test_without_an_event_date_it_is_when_it_was_said_that_counts(memory: Installation) -> None:
    for day in ("2025-05-02", "2025-06-06", "2025-06-09"):
        save(memory, f"talked to Acme about the licence, number {day[-2:]}", said=day)
    memory.index()

    assert texts(recalled(memory, "what did we talk about with Acme last Friday"))[0].endswith("06")


def test_what_answers_best_but_is_dated_otherwise_is_not_left_out(memory: Installation) -> None:
    save(memory, "grandfather was born in 1938 in Lwów", said="2025-01-10")
    save(memory, "an old postcard shows the station", on="1938-06-01")
    memory.index()

    assert texts(recalled(memory, "who was born in 1938"))[0] == "grandfather was born in 1938 in Lwów"


def test_the_arms_look_in_the_time_even_where_much_else_fits_as_well(memory: Installation) -> None:
    rare = "daily note about the garden and the weather and the greenhouse and a long list of other things"
    save(memory, rare, on="2025-03-14")
    for number in range(120):
        save(memory, f"garden weather {number}", on="2024-10-01")
    memory.index()

    assert texts(recalled(memory, "the garden and the weather in March 2025", limit=1)) == [rare]


def test_dates_of_the_request_filter_and_put_the_querys_time_aside(memory: Installation) -> None:
    save(memory, "the office moved to Poznań", on="2024-07-02")
    save(memory, "the office moved to Gdańsk", on="2025-03-14")
    memory.index()
    until = Filters(dated_until=NOW - timedelta(days=180))

    found = recalled(memory, "the office in March 2025", filters=until)

    assert texts(found) == ["the office moved to Poznań"]
    assert [hit.scores.get("date") for hit in found.hits] == [None]
