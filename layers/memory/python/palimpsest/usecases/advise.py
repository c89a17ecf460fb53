"""Ask the model which side of a conflict holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain import prompts
from palimpsest.domain.conflict import Action
from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.domain.prompts import Exhibit
from palimpsest.domain.version import Version
from palimpsest.ports.language_model import Json, Question, Shape
from palimpsest.stores.spaces import Space
from palimpsest.usecases.ask_model import AskModel

UNSURE: Final = "unsure"
_CHOICES: Final = (Action.KEEP_NEW, Action.KEEP_EXISTING, Action.KEEP_BOTH)
_LEAST_SCORE: Final = 0.5
_REASON_CHARACTERS: Final = 200
_TOKENS: Final = 2_000
_WITHIN: Final = timedelta(seconds=8)
"""A slice of a run looks at its time between two items, and keeps ten seconds for the last one."""

_SHAPE: Final = Shape(
    "decision",
    {
        "type": "object",
        "properties": {
            "decision": {"type": "string", "enum": [*(each.value for each in _CHOICES), UNSURE]},
            "percent": {"type": "integer"},
            "reason": {"type": "string"},
        },
        "required": ["decision", "percent", "reason"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Advice:
    """What a model would decide.

    Attributes:
        action: None when it is not sure.
        score: How sure it is, 0 to 1.
        model: Its name.
    """

    action: Action | None
    score: float
    reason: str | None
    model: str


@dataclass(frozen=True, slots=True)
class Advise:
    """Asks. `clean`: takes out of a model's words what the space does not store."""

    ask: AskModel
    clean: Callable[[Space, str], str]

    def __call__(self, space: Space, existing: Version, incoming: Version) -> Advice:
        """The model's advice on two versions that contradict each other.

        It is not sure when it says so or is less than half sure, when it did not see all of both texts, and when it
        would let what is trusted less stand against what is trusted more.

        Raises:
            ModelError: There is none.
        """
        exhibits = [
            Exhibit("existing statement", existing.statement, existing.recorded_at),
            Exhibit("incoming statement", incoming.statement, incoming.recorded_at),
        ]
        question = Question(prompts.RESOLVE, prompts.shown(exhibits), _SHAPE, _TOKENS, _WITHIN)
        advice = self.ask(space.id, question, lambda told: self._read(space, told)).value
        return advice if _is_allowed(advice, existing, incoming) else _unsure(advice)

    def _read(self, space: Space, content: Mapping[str, Json]) -> Advice:
        match content:
            case {"decision": str(decision), "percent": int(percent), "reason": str(reason)}:
                if decision not in (*_CHOICES, UNSURE) or not 0 <= percent <= 100:
                    raise ModelAnswerUnusable("`decision` or `percent` is none that there is")
                told = self.clean(space, " ".join(reason.split()))[:_REASON_CHARACTERS] or None
                action = None if decision == UNSURE else Action(decision)
                return Advice(action, percent / 100, told, self.ask.name)
        raise ModelAnswerUnusable("it lacks decision, percent or reason")


def _is_allowed(advice: Advice, existing: Version, incoming: Version) -> bool:
    old, new = existing.statement, incoming.statement
    if advice.score < _LEAST_SCORE or not (prompts.is_whole(old) and prompts.is_whole(new)):
        return False
    match advice.action:
        case Action.KEEP_NEW:
            return not new.source.trust.is_below(old.source.trust)
        case Action.KEEP_EXISTING:
            return not old.source.trust.is_below(new.source.trust)
        case _:
            return True


def _unsure(advice: Advice) -> Advice:
    return Advice(None, advice.score, advice.reason, advice.model)
