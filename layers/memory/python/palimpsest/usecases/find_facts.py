"""Find facts in a window of a conversation: by the language model where there is one, by rules where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain.errors import ModelError
from palimpsest.domain.extraction import USER, Method
from palimpsest.domain.learning import answering, asking
from palimpsest.domain.learning.extracting import Saying, facts
from palimpsest.domain.learning.fact import Fact
from palimpsest.domain.learning.window import Found, Utterance
from palimpsest.domain.version import MemoryType
from palimpsest.ports.language_model import Json, Question, Shape
from palimpsest.stores.spaces import Space
from palimpsest.usecases.ask_model import AskModel

_TOKENS: Final = 6_000
"""More than twenty facts take; a model that reasons thinks within the same limit."""

_WITHIN: Final = timedelta(seconds=45)
_FIELDS: Final[dict[str, Json]] = {
    "turn": {"type": "integer"},
    "text": {"type": "string"},
    "memory_type": {"type": "string", "enum": [each.value for each in MemoryType]},
    "subject": {"type": "string"},
    "evidence": {"type": "string"},
    "date_phrase": {"type": "string"},
    "event_date": {"type": "string"},
    "confidence": {"type": "integer"},
}
_SHAPE: Final = Shape(
    "facts",
    {
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": _FIELDS,
                    "required": list(_FIELDS),
                    "additionalProperties": False,
                },
            }
        },
        "required": ["facts"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class FindFacts:
    """Finds. `ask`: None without a model."""

    ask: AskModel | None

    def __call__(self, space: Space, window: Sequence[Utterance]) -> Found:
        """What is found of each utterance that is open; past the budget, or when the model fails, what rules find."""
        if self.ask is not None:
            question = Question(asking.SYSTEM, asking.asked(window, space.wishes), _SHAPE, _TOKENS, _WITHIN)
            try:
                told = self.ask(space.id, question, lambda content: answering.read(content, window))
            except ModelError:
                return by_rules(window)
            return Found(told.value, Method.MODEL, told.model)
        return by_rules(window)


def by_rules(window: Sequence[Utterance]) -> Found:
    """What rules find; they take each utterance for itself."""
    known = frozenset(each.who for each in window if each.who != USER)
    return Found(tuple(_facts(each, known) if each.is_open else () for each in window), Method.RULES)


def _facts(utterance: Utterance, known: frozenset[str]) -> tuple[Fact, ...]:
    speaker = None if utterance.who == USER else utterance.who
    return tuple(facts(Saying(utterance.text, utterance.said_on, speaker, known)))
