"""Judge what saves could not wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.usecases.judge_later import JudgeLater

_AT_ONCE: Final = 20
_ENOUGH_SECONDS: Final = 50.0
"""What one judgement may take; with less left the next slice does it."""


@dataclass(frozen=True, slots=True)
class JudgePending:
    """Judges those whose time has come, the oldest first; one that has to wait on waits behind the others."""

    judge: JudgeLater
    clock: Clock

    def slice(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """Judge until nothing is due; True when the time was up before."""
        while due := self.judge.unjudged.due(self.clock.now(), _AT_ONCE):
            for waiting in due:
                if seconds_left() < _ENOUGH_SECONDS:
                    return True
                if not self.judge(waiting):
                    self.judge.put_off(waiting)
        return False
