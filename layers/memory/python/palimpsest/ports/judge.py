"""The judge: how a new statement stands to what is believed already."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.version import Statement


class Judgement(StrEnum):
    """What a judge can find."""

    NEW = "new"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement, and the word for who made it (``none``, ``rules``, a model's name)."""

    judgement: Judgement
    judged_by: str


class Judge(Protocol):
    """Asked before a new belief is written."""

    def judge(self, space: SpaceId, statement: Statement) -> Verdict:
        """The verdict on a statement that no belief of the space says word for word."""
        ...
