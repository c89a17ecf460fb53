"""Past the bound of the tail an answer says so, and how old the oldest is that it may lack."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.usecases.answers import ArmReport, ArmState, RecallQuery
from tests.support.installation import OWNER, Installation, install


def tail_report(memory: Installation) -> ArmReport:
    recalled = memory.wired.service.recall(OWNER, RecallQuery("note", spaces=("default",), is_dry_run=True))
    (report,) = [arm for arm in recalled.arms if arm.name == "tail"]
    return report


def save_many(memory: Installation, count: int) -> None:
    for number in range(count):
        memory.save(" ".join(f"note{number}word{place}" for place in range(120)))


def test_a_tail_that_was_cut_tells_its_lag(tmp_path: Path) -> None:
    memory = install(tmp_path, refresh=timedelta(seconds=60))
    memory.save("an old note")
    memory.index()
    memory.clock.turn(timedelta(hours=1))
    save_many(memory, 150)
    memory.index()
    memory.clock.turn(timedelta(seconds=20))

    report = tail_report(memory)

    assert (report.state, report.reason) == (ArmState.DEGRADED, "tail_truncated")
    assert report.lag_seconds == pytest.approx(20, abs=3)
    memory.sqlite.close()


def test_a_tail_that_holds_all_tells_no_lag(tmp_path: Path) -> None:
    memory = install(tmp_path, refresh=timedelta(seconds=60))
    save_many(memory, 5)
    memory.index()

    report = tail_report(memory)

    assert (report.state, report.lag_seconds) == (ArmState.OK, None)
    memory.sqlite.close()
