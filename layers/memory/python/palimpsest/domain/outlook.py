"""How likely an answer is to be one: by how near it is, how much of the query it covers, and who said it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_E5: Final = "multilingual-e5-small"
_FITTED: Final[Mapping[str, tuple[float, float, float]]] = {_E5: (-37.6, 40.6, 4.6)}
"""By model: constant, weight of the nearest cosine and of what is covered, of the log odds that a question belongs to
its space. Fitted on LoCoMo, questions of one conversation asked in the space of another (AUROC .92)."""

_NONE: Final = -3.0
_WEAK: Final = 0.0
"""Log odds under which an answer is none, or weak."""

_COVERED: Final = 0.4
"""The share of the query under which an answer is weak where vectors tell nothing."""

_SAID_BY_OTHERS: Final = -0.1
"""How much better what others said answers than what the one said who is asked about: then it is somebody else's. True
of 44 % of LoCoMo's questions about the wrong person, and of 2 % of the others."""


class Confidence(StrEnum):
    """How sure an answer is to answer."""

    CONFIDENT = "confident"
    WEAK = "weak"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Outlook:
    """What speaks for the best result of a space.

    Attributes:
        model: Whose cosine it is.
        nearest: The best cosine of the query with any candidate; None without vectors.
        covered: The share of the query's idf that the best result and what stands around it have, 0 to 1.
        gap: How much better the best of whom the query names is than the best of all others; None where it names
            nobody, or several.
        is_named: What the query names by its id is among the results.
        is_timely: The best result lies in the time that the query names.
        is_elsewhere: The query names things that the space knows, and the best result names none of them.
    """

    model: str
    nearest: float | None
    covered: float
    gap: float | None = None
    is_named: bool = False
    is_timely: bool = False
    is_elsewhere: bool = False

    @property
    def odds(self) -> float:
        """The log odds that the space has something to say to the query, as far as words and vectors tell."""
        fitted = _FITTED.get(self.model)
        if fitted is None or self.nearest is None or math.isnan(self.nearest):
            return (self.covered - _COVERED) * 10
        constant, near, covered = fitted
        return constant + near * self.nearest + covered * self.covered

    @property
    def confidence(self) -> Confidence:
        """A hint: no figure is good enough to refuse on."""
        if self.is_named:
            return Confidence.CONFIDENT
        if self.odds < _NONE and not self.is_timely:
            return Confidence.NONE
        is_of_others = self.is_elsewhere or (self.gap is not None and self.gap < _SAID_BY_OTHERS)
        is_weak = self.odds < _WEAK or is_of_others
        return Confidence.WEAK if is_weak else Confidence.CONFIDENT
