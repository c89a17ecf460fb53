"""The list of the spaces that are to be swept: begun, gone on with, ended, and noted anew at any moment between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.ids import SpaceId
from palimpsest.stores.sweeps import RESTS, WRITES_WITHIN, Sweep, Sweeps
from tests.support.installation import START

HOUR = timedelta(hours=1)


@pytest.fixture
def sweeps() -> Iterator[Sweeps]:
    with SqliteTable() as table:
        yield Sweeps(table)


def _due(sweeps: Sweeps, after: timedelta) -> Sweep:
    (sweep,) = sweeps.due(START + after, 5)
    return sweep


def test_a_sweep_of_another_generation_begins_anew(sweeps: Sweeps) -> None:
    sweeps.note(SpaceId("s"), START)
    begun = sweeps.begin(_due(sweeps, RESTS), "one", START + RESTS)
    assert begun is not None
    assert sweeps.keep(begun, "k", 3) is not None

    again = sweeps.begin(_due(sweeps, RESTS), "one", START + RESTS + HOUR)
    other = sweeps.begin(_due(sweeps, RESTS), "two", START + RESTS + HOUR)

    assert again == Sweep(SpaceId("s"), START, START + RESTS, "one", "k", 3)
    assert other == Sweep(SpaceId("s"), START, START + RESTS + HOUR, "two")
    assert sweeps.keep(begun, "l", 0) is None


def test_a_word_that_comes_after_a_sweep_was_read_keeps_the_space_in_the_list(sweeps: Sweeps) -> None:
    sweeps.note(SpaceId("s"), START)
    begun = sweeps.begin(_due(sweeps, RESTS), "one", START + RESTS)
    assert begun is not None
    sweeps.note(SpaceId("s"), START + RESTS)

    sweeps.end(begun, START + RESTS)

    assert sweeps.due(START + RESTS, 5) == []
    assert _due(sweeps, 2 * RESTS) == Sweep(SpaceId("s"), START + RESTS)


def test_a_sweep_that_began_while_somebody_may_still_have_written_is_not_the_last(sweeps: Sweeps) -> None:
    noted = Sweep(SpaceId("s"), START, began_at=START + WRITES_WITHIN)

    assert noted.is_last
    assert not replace(noted, began_at=START + WRITES_WITHIN - HOUR / 60).is_last
    assert not replace(noted, taken=1).is_last
    assert not replace(noted, began_at=None).is_last
