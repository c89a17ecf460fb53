"""The language model as a second look: it is shown the texts, numbered, and says their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain import prompts
from palimpsest.domain.errors import BudgetExhausted, ModelAnswerUnusable, ModelUnavailable, RerankerUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.reranking import by_rank
from palimpsest.ports.language_model import Json, Question, Shape
from palimpsest.usecases.ask_model import AskModel

_TOKENS: Final = 2_000
"""Far more than twenty numbers take: a model that reasons thinks within the same limit."""

_WITHIN: Final = timedelta(seconds=10)
"""Longer than a recall waits: what comes late is kept for the next one."""

_SHAPE: Final = Shape(
    "ranking",
    {
        "type": "object",
        "properties": {"ranking": {"type": "array", "items": {"type": "integer"}}},
        "required": ["ranking"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class RerankByModel:
    """Asks the model."""

    ask: AskModel

    @property
    def name(self) -> str:
        return f"model ({self.ask.name})"

    def __call__(self, space: SpaceId, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Equal steps down the model's order."""
        question = Question(prompts.RANK, prompts.to_rank(query, texts), _SHAPE, _TOKENS, _WITHIN)
        try:
            told = self.ask(space, question, lambda content: _places(content, len(texts)))
        except BudgetExhausted as error:
            raise RerankerUnavailable("budget", str(error)) from error
        except ModelUnavailable as error:
            raise RerankerUnavailable(f"reranker_{error.reason}", str(error)) from error
        except ModelAnswerUnusable as error:
            raise RerankerUnavailable("reranker_wrong_answer", str(error)) from error
        return by_rank(told.value)


def _places(content: Mapping[str, Json], count: int) -> list[int]:
    """Of each text its place, from 0. Numbers of no text are passed over; what is not named comes last, as it was.

    Raises:
        ModelAnswerUnusable: No text is named at all.
    """
    ranking = content.get("ranking")
    told = ranking if isinstance(ranking, list) else []
    named = [each for each in told if type(each) is int and 1 <= each <= count]
    if not named:
        raise ModelAnswerUnusable(f"`ranking` names none of the texts 1 to {count}")
    order = list(dict.fromkeys([*named, *range(1, count + 1)]))
    return [order.index(number) for number in range(1, count + 1)]
