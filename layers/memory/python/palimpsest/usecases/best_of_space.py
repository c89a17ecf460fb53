"""What one space answers with, before the spaces are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.usecases.answers import AnyHit, ArmReport, RecallQuery
from palimpsest.usecases.rank_space import Ranked
from palimpsest.usecases.reports import lessened


@dataclass(frozen=True, slots=True)
class BestOfSpace:
    """The best of one space, weighed, out of pools of which each arm could give so many.

    Attributes:
        hits: Some more than are asked for.
        doubled: How many say the same as one of them.
        lacking: Why they are weighed by less than there is.
    """

    ranked: Ranked
    limit: int
    hits: Sequence[AnyHit]
    doubled: int = 0
    lacking: str | None = None

    @property
    def reports(self) -> tuple[ArmReport, ...]:
        """How the arms fared; the tail's is the word of the table, which weighs, too."""
        return lessened(self.ranked.reports, ("tail",), self.lacking)

    def is_short(self, query: RecallQuery) -> bool:
        """There may be more than was found, since a full pool held too much that is outdated."""
        candidates = self.ranked.ranking
        if len(self.hits) >= query.limit or len(candidates) < self.limit:
            return False
        return candidates.lowest >= query.least_score  # else it was asked to be short
