"""A reranker as a second look: one call, paid within the day's budget where it costs anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain.errors import BudgetExhausted, RerankerUnavailable, TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.reranker import PricedReranker
from palimpsest.usecases.reserving import Reserve

_WITHIN: Final = timedelta(minutes=1)
"""Longer than any reranker takes."""


@dataclass(frozen=True, slots=True)
class RerankAtPrice:
    """Calls a reranker. A call costs all of its price or, where it surely did not come about, nothing."""

    priced: PricedReranker
    reserve: Reserve

    @property
    def name(self) -> str:
        return self.priced.reranker.name

    def __call__(self, space: SpaceId, query: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the query."""
        reranker, price = self.priced.reranker, self.priced.price
        if not price:
            return reranker.scores(query, texts)
        try:
            reservation = self.reserve(space, price, _WITHIN)
        except BudgetExhausted as error:
            raise RerankerUnavailable("budget", str(error)) from error
        except TableError as error:
            raise RerankerUnavailable("table_unavailable", "the budget can't be read now") from error
        if reservation is None:
            raise RerankerUnavailable("reranker_late", "a reservation expired before it was used")
        try:
            scores = reranker.scores(query, texts)
        except RerankerUnavailable as error:
            self.reserve.settle(reservation, price if error.may_cost else 0)
            raise
        self.reserve.settle(reservation, price)
        return scores
