"""Read a source by the language model: one call a text, within the budget, and by rules where that can't be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.errors import BudgetExhausted, ModelError
from palimpsest.domain.graph.links import ReadBy
from palimpsest.domain.naming import asking
from palimpsest.domain.naming.answering import read_answer
from palimpsest.domain.naming.asking import Reading
from palimpsest.domain.naming.proposals import Proposals
from palimpsest.domain.naming.relevant import relevant
from palimpsest.ports.clock import Clock
from palimpsest.ports.language_model import Json, Question, Shape
from palimpsest.stores.spaces import Space
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.name_reader import Asked, NameReader, NamesRead

FAILURES: Final = 5
"""In a row, after which the model is left alone."""

RESTS: Final = timedelta(minutes=5)
"""So long."""

_TOKENS: Final = 2_000
"""Far more than an answer takes: a model that reasons thinks within the same limit."""

_WITHIN: Final = timedelta(seconds=8)
"""A slice of a run looks at its time between two sources, and keeps ten seconds for the last one."""


def _list_of(**fields: str) -> Json:
    properties: Mapping[str, Json] = {name: {"type": type_} for name, type_ in fields.items()}
    closed: Mapping[str, Json] = {"required": list(fields), "additionalProperties": False}
    return {"type": "array", "items": {"type": "object", "properties": properties, **closed}}


_SHAPE: Final = Shape(
    "named",
    {
        "type": "object",
        "properties": {
            "entities": _list_of(name="string", type="string", percent="integer"),
            "relations": _list_of(
                source="string", predicate="string", target="string", phrase="string", percent="integer"
            ),
            "attributes": _list_of(entity="string", text="string", percent="integer"),
        },
        "required": ["entities", "relations", "attributes"],
        "additionalProperties": False,
    },
)


@dataclass(slots=True)
class Breaker:
    """Says when a model that fails is to be left alone, for all sources of a process together."""

    failures: int = 0
    rests_until: datetime | None = None

    def is_open(self, now: datetime) -> bool:
        """The model is left alone."""
        return self.rests_until is not None and now < self.rests_until

    def note(self, now: datetime, *, has_failed: bool) -> None:
        """It has answered, or failed once more."""
        self.failures = self.failures + 1 if has_failed else 0
        self.rests_until = now + RESTS if self.failures >= FAILURES else None


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """Reads by the model.

    Attributes:
        rules: What reads where the model can't.
        most_named: The names of a space that most sources name.
    """

    ask: AskModel
    rules: NameReader
    most_named: Callable[[Space], Sequence[str]]
    clock: Clock
    breaker: Breaker = field(default_factory=Breaker)

    def __call__(self, asked: Asked) -> NamesRead:
        """What the model says; what the rules say without budget, after a failure, and while the model is left alone.

        What the rules read is outdated for a run that somebody asks for.
        """
        if self.breaker.is_open(self.clock.now()):
            return self.rules(asked)
        known = relevant(asked.text, asked.known.names, self.most_named(asked.space))
        try:
            told = self.ask(asked.space.id, _question(asked, known), lambda content: _read(asked, content, known))
        except BudgetExhausted:
            return self.rules(asked)
        except ModelError:
            self.breaker.note(self.clock.now(), has_failed=True)
            return self.rules(asked)
        self.breaker.note(self.clock.now(), has_failed=False)
        return NamesRead(told.value, ReadBy.MODEL, told.model)


def _question(asked: Asked, known: Sequence[str]) -> Question:
    words = asked.vocabulary
    reading = Reading(asked.text, asked.title, known, words.types, words.predicates, words.dismissed)
    return Question(asking.rules(reading), asking.shown(reading), _SHAPE, _TOKENS, _WITHIN)


def _read(asked: Asked, content: Mapping[str, Json], known: Sequence[str]) -> Proposals:
    text = asked.text[: asking.SHOWN_CHARACTERS]
    return read_answer(content, text, known, has_owner=not asked.title)
