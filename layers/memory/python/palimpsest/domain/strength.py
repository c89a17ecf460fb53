"""How well a belief is remembered: what its recalls and its ratings make of it. Pure; ranking reads these numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

SPACING: Final = timedelta(hours=1)
"""Recalls closer together than this strengthen once: practice that is spaced holds, crammed practice hardly does
(Cepeda et al., Distributed practice in verbal recall tasks, Psychological Bulletin 132(3), 2006)."""

MOST_STRENGTH: Final = 5.0
"""A half-life of two weeks becomes ten at the most, so that habit never outweighs what a query asks for."""

MOST_RAISED: Final = 1.5
"""Up to here recalls raise importance; what a person set higher stays."""

RAISE: Final = 0.1
"""Of importance, for a spaced recall in which the belief was among the `LEADING`."""

LEADING: Final = 3
"""The first results of a recall, as far as they raise importance; what is shown below them may be there by chance."""

HARM: Final = 4
"""A harmful answer weighs as much as so many that were wrong."""

RATING_SPAN: Final = 0.25
"""Ratings move a score by at most so much of it, up or down."""


class Rating(StrEnum):
    """What somebody who used a memory says of it."""

    USEFUL = "useful"
    HARMFUL = "harmful"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Ratings:
    """How often a belief was rated so."""

    useful: int = 0
    harmful: int = 0
    wrong: int = 0

    @property
    def usefulness(self) -> float:
        """Posterior mean of the chance that the belief is of use, between 0 and 1; 0.5 where nobody said.

        A Beta(1, 1) prior (nothing is known), with one success for a rating as useful, one failure for one as wrong
        and four for one as harmful: (1 + useful) / (2 + useful + wrong + 4 harmful).
        """
        failures = self.wrong + HARM * self.harmful
        return (1 + self.useful) / (2 + self.useful + failures)

    @property
    def weight(self) -> float:
        """What a score may be multiplied by: 0.75 to 1.25, and 1 where nobody said."""
        return 1 + RATING_SPAN * (2 * self.usefulness - 1)


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """What recalls and ratings made of a belief. It belongs to the belief, not to one of its versions.

    Attributes:
        access_count: How many recalls answered with it.
        last_recalled_at: When the latest of them was.
        spaced: How many of them came at least an hour after the one that was counted here before.
        spaced_at: When the latest of those was.
        raises: How often recalls raised its importance since a person set it.
        raised_from: The importance that a person had set by then.
    """

    access_count: int = 0
    last_recalled_at: datetime | None = None
    spaced: int = 0
    spaced_at: datetime | None = None
    raises: int = 0
    raised_from: float | None = None
    ratings: Ratings = field(default_factory=Ratings)

    @property
    def strength(self) -> float:
        """1 to 5: how many times longer than another the belief is remembered; 1 before it is recalled.

        1 + 4 (1 - e^(-spaced / 4)). The first spaced recall adds about one, as in MemoryBank (Zhong et al.,
        arXiv:2305.10250: retention is e^(-t/S), and S grows by 1 with each recall), each later one less.
        """
        room = MOST_STRENGTH - 1
        return round(1 + room * (1 - math.exp(-self.spaced / room)), 4)

    def importance(self, given: float) -> float:
        """What a person set, raised by recalls since then: never lower, and raised no further than 1.5."""
        raises = self.raises if self.raised_from == given else 0
        return max(given, min(MOST_RAISED, round(given + RAISE * raises, 6)))

    def recalled(self, at: datetime, importance: float, *, is_leading: bool) -> Reinforcement:
        """After one more recall. The order in which recalls are told may cost a spaced one, and never gives one more.

        Args:
            at: When it was.
            importance: As a person has set it.
            is_leading: The belief was among the first results.
        """
        last = at if self.last_recalled_at is None else max(at, self.last_recalled_at)
        counted = replace(self, access_count=self.access_count + 1, last_recalled_at=last)
        if self.spaced_at is not None and at - self.spaced_at < SPACING:
            return counted
        counted = replace(counted, spaced=self.spaced + 1, spaced_at=at)
        if not is_leading or self.importance(importance) >= MOST_RAISED:
            return counted
        raises = self.raises + 1 if self.raised_from == importance else 1
        return replace(counted, raises=raises, raised_from=importance)
