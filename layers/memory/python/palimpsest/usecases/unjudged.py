"""The judge of an installation without one: whatever is not there word for word is new."""

from __future__ import annotations

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.version import Statement
from palimpsest.ports.judge import Judgement, Verdict


class Unjudged:
    """Finds everything new."""

    def judge(self, space: SpaceId, statement: Statement) -> Verdict:
        return Verdict(Judgement.NEW, "none")
