"""Hosts whose clocks are wrong: nothing acknowledged is lost to recall."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.stores import changes
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_refusals import found, move_on, watermark


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


def save_at(memory: Installation, text: str, off: timedelta) -> None:
    """Saved by a host whose clock is off."""
    memory.clock.turn(off)
    memory.save(text)
    memory.clock.turn(-off)


def test_a_fast_writer_hides_nothing_of_the_others(memory: Installation) -> None:
    save_at(memory, "a fox of the fast host", timedelta(minutes=5))
    memory.index()

    memory.save("a fox of a good host")

    assert found(memory, "fox") == {"a fox of the fast host", "a fox of a good host"}
    assert changes.place_time(watermark(memory).newest) < memory.clock.now() + timedelta(seconds=2)


def test_a_doorbell_that_was_lost_after_a_fast_writer_is_made_up_for(memory: Installation) -> None:
    save_at(memory, "a fox of the fast host", timedelta(minutes=5))
    memory.index()
    memory.save("a fox of a good host")
    memory.doorbells()  # nobody hears it

    memory.clock.turn(timedelta(minutes=10))
    move_on(memory)
    move_on(memory)

    assert found(memory, "fox") == {"a fox of the fast host", "a fox of a good host"}


def test_a_slow_writer_is_recalled_once_the_index_has_it_though_its_row_lies_behind_the_watermark(
    memory: Installation,
) -> None:
    move_on(memory)
    save_at(memory, "a fox of the slow host", timedelta(minutes=-5))

    # The stated condition: until the index shows it, a row from further back than the tail's margin is not seen.
    assert found(memory, "fox") == set()
    memory.index()
    assert found(memory, "fox") == {"a fox of the slow host"}


def test_an_indexer_with_a_slow_clock_leaves_a_longer_tail_and_hides_nothing(tmp_path: Path) -> None:
    refresh = timedelta(seconds=60)
    memory = install(tmp_path, refresh=refresh)
    memory.save("a fox")
    memory.clock.turn(timedelta(minutes=-5))
    memory.index()
    memory.clock.turn(timedelta(minutes=5))

    reached = watermark(memory)
    place = reached.settled(memory.clock.now(), refresh)

    assert changes.place_time(reached.newest) <= memory.clock.now() - timedelta(minutes=4)
    assert not place or changes.place_time(place) <= memory.clock.now() - refresh
    assert found(memory, "fox") == {"a fox"}
    memory.sqlite.close()


def test_a_step_by_a_host_with_a_slow_clock_is_later_than_the_step_before(memory: Installation) -> None:
    root = RootId(memory.save("deploys happen on tuesday"))

    memory.clock.turn(timedelta(minutes=-5))
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("deploys happen on thursday"))
    memory.clock.turn(timedelta(minutes=5))

    told = memory.wired.service.history(OWNER, VersionRef(root))
    newer, older = told.versions
    assert newer.version.recorded_at > older.version.recorded_at
    assert memory.recalled("deploys") == ["deploys happen on thursday"]
