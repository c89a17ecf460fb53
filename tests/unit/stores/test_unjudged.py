"""The list of what a model has still to judge."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.stores import unjudged
from palimpsest.stores.unjudged import MOST_TRIES, Unjudged, Waiting

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with SqliteTable() as table:
        yield table


def wait(table: SqliteTable, name: str, since: datetime = NOW, number: int = 1) -> Waiting:
    table.transact([unjudged.begun(VersionRef(RootId(name), number), since)[0]])
    return Waiting(RootId(name), number, since)


def test_those_that_wait_longest_come_first(table: SqliteTable) -> None:
    late, early = wait(table, "mem_a", NOW + MINUTE), wait(table, "mem_b")

    assert Unjudged(table).due(NOW + MINUTE, 10) == [early, late]
    assert Unjudged(table).due(NOW + MINUTE, 1) == [early]


def test_nothing_is_tried_before_its_time(table: SqliteTable) -> None:
    wait(table, "mem_a", NOW + MINUTE)

    assert Unjudged(table).due(NOW, 10) == []


def test_a_newer_version_waits_in_place_of_an_older_one(table: SqliteTable) -> None:
    wait(table, "mem_a")
    newer = wait(table, "mem_a", NOW + MINUTE, 2)

    assert Unjudged(table).due(NOW + MINUTE, 10) == [newer]


def test_what_was_tried_in_vain_waits_longer_each_time_and_at_last_nobody_is_to_try_again(table: SqliteTable) -> None:
    store, now = Unjudged(table), NOW
    wait(table, "mem_a")
    pauses = []

    while not (waiting := store.due(now, 1)[0]).is_last:
        store.put_off(waiting, now)
        (again,) = store.due(now + timedelta(days=9), 1)
        pauses.append(again.due - now)
        now = again.due

    assert pauses[:3] == [MINUTE, 2 * MINUTE, 4 * MINUTE]
    assert max(pauses) <= timedelta(hours=12)
    assert len(pauses) == MOST_TRIES - 1


def test_what_is_judged_waits_no_more(table: SqliteTable) -> None:
    waiting = wait(table, "mem_a")

    Unjudged(table).end(waiting)

    assert Unjudged(table).due(NOW, 10) == []


def test_a_judgement_is_written_only_while_it_is_waited_for(table: SqliteTable) -> None:
    seen = wait(table, "mem_a")
    wait(table, "mem_a", NOW + MINUTE, 2)

    Unjudged(table).end(seen)
    Unjudged(table).put_off(seen, NOW)
    with pytest.raises(ConditionFailed):
        table.transact([unjudged.ended(seen)[0]])

    assert [each.number for each in Unjudged(table).due(NOW + MINUTE, 10)] == [2]
