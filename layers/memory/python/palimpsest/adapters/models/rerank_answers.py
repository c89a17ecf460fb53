"""What rerankers elsewhere have in common: what they are sent, and an answer that scores each text by its number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from palimpsest.domain.errors import ModelUnavailable, RerankerUnavailable

TEXT_BYTES: Final = 1_500
QUERY_BYTES: Final = 200
"""Of UTF-8, at most. Bedrock counts a text once for each 512 tokens of it and the query, and a call for each hundred of
those: 20 texts of so many bytes are a hundred, were each byte a token. Models read little more of a text anyway."""

_LARGEST: Final = 1e6
"""No score is beyond that; whole numbers of JSON have no bound, and not all fit a float."""


def request(query: str, texts: Sequence[str]) -> dict[str, object]:
    """What is asked, in the form that began with Cohere; every text is to be scored."""
    shown = [_cut(text, TEXT_BYTES) for text in texts]
    return {"query": _cut(query, QUERY_BYTES), "documents": shown, "top_n": len(shown)}


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode(errors="ignore")


def scores_in(told: Mapping[str, object], count: int) -> list[float]:
    """The scores in an answer, in the order of the texts, 0 to 1.

    Where one lies outside of that, they are logits, as some servers give them, and a logistic curve takes them there.

    Raises:
        RerankerUnavailable: It does not score each text once.
    """
    rows = told.get("results")
    scores: dict[int, float] = {}
    for row in rows if isinstance(rows, list) else []:
        match row:
            case {"index": int(index), "relevance_score": float() | int() as score} if abs(score) <= _LARGEST:
                scores[index] = float(score)
    if sorted(scores) != list(range(count)):
        raise wrong("it does not score each text once")
    if all(0 <= score <= 1 for score in scores.values()):
        return [scores[index] for index in range(count)]
    return [logistic(scores[index]) for index in range(count)]


def logistic(logit: float) -> float:
    """Anything to between 0 and 1, in the same order."""
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(max(logit, -700)))


def unavailable(error: ModelUnavailable) -> RerankerUnavailable:
    """The same error as one of a reranker."""
    return RerankerUnavailable(f"reranker_{error.reason}", str(error), may_cost=error.may_cost)


def wrong(why: str) -> RerankerUnavailable:
    """The error for an answer that was paid and can't be used."""
    return RerankerUnavailable(
        "reranker_wrong_answer", f"the answer of the reranker can't be used: {why}", may_cost=True
    )
