"""What follows from the kind of question: how many results there are, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palimpsest.settings import Settings
from palimpsest.usecases.answers import Recalled, RecallQuery
from palimpsest.usecases.drafts import Draft
from tests.support.installation import OWNER, Installation, install

PATIENT = Settings(key="k" * 43, recall_seconds=25.0)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installation = install(tmp_path, settings=PATIENT)
    for day in range(1, 29):
        said_at = datetime(2025, 2, day, tzinfo=UTC)
        text = f"the office has got desk number {day}" + " and a lamp" * (day % 3)
        installation.wired.service.remember(OWNER, Draft(text, event_date=said_at))
    installation.index()
    yield installation
    installation.sqlite.close()


def recalled(memory: Installation, query: str, limit: int = 0) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery(query, limit=limit, is_dry_run=True))


def test_how_many_results_there_are_follows_from_the_kind_of_question(memory: Installation) -> None:
    assert len(recalled(memory, "the office desk").hits) == 10
    assert len(recalled(memory, "why has the office a desk").hits) == 20
    assert len(recalled(memory, "list all of the office desks").hits) == 28


def test_a_limit_that_is_given_wins(memory: Installation) -> None:
    assert len(recalled(memory, "list all of the office desks", limit=3).hits) == 3
    assert len(recalled(memory, "the office desk", limit=25).hits) == 25


def test_results_are_in_the_order_that_the_query_asks_for(memory: Installation) -> None:
    def dates(query: str) -> list[datetime | None]:
        return [each.version.statement.event_date for each in recalled(memory, query).memories]

    oldest, newest, plain = (dates(f"the office desk{order}") for order in (", chronologically", ", newest first", ""))

    assert oldest == sorted(oldest, key=str)
    assert newest == sorted(newest, key=str, reverse=True)
    assert plain not in (oldest, newest)
