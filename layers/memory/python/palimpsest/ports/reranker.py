"""A reranker: how well each of some texts answers a query, read beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Reranker(Protocol):
    """Any number of threads may call it at once. A call is made once: whoever wants the scores goes on without."""

    @property
    def name(self) -> str:
        """Its kind and its model, as the settings name them; costs nothing."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the query, 0 to 1, in the order of the texts.

        Raises:
            RerankerUnavailable: There are no such scores now; the error says whether the call may have to be paid.
        """
        ...


@dataclass(frozen=True, slots=True)
class PricedReranker:
    """A reranker, and what one call of it costs at most, in micro-dollars; 0 for one on this machine."""

    reranker: Reranker
    price: int
