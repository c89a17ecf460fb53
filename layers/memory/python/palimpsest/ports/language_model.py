"""A language model: one question, one answer in JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Protocol, TypeAlias

from palimpsest.domain.prices import Price

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""What JSON can say."""


class Tokens(NamedTuple):
    """What a call took. `output` counts what the model thought as well as what it said."""

    input: int
    output: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The form that an answer is to have.

    Attributes:
        name: Letters, digits and ``_``; models see it.
        schema: JSON Schema of an object. Providers take few keywords: types, properties, items, enum, required and
            ``additionalProperties: false``. Whoever asks checks the answer all the same.
    """

    name: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Question:
    """One call.

    Attributes:
        system: What the model is and does; ours alone.
        user: What it is asked. Stored texts stand in it, fenced.
        max_output_tokens: The model stops there.
        within: How long to wait for the whole answer.
    """

    system: str
    user: str
    shape: Shape
    max_output_tokens: int
    within: timedelta


@dataclass(frozen=True, slots=True)
class Answer:
    """What came.

    Attributes:
        content: An object; nobody has held it against the schema yet.
        tokens: None when the server does not count them.
        model: The model as it calls itself.
    """

    content: Mapping[str, Json]
    tokens: Tokens | None
    model: str


class LanguageModel(Protocol):
    """Any number of threads may ask at once. A question is sent once: whoever asks decides whether to ask again."""

    @property
    def name(self) -> str:
        """Provider and model, as the settings name them; costs nothing."""
        ...

    def ask(self, question: Question) -> Answer:
        """The answer of the model.

        Raises:
            ModelUnavailable: There is none, and the error says whether it may have to be paid all the same.
            ModelAnswerUnusable: There is one, which was paid and is no JSON object.
        """
        ...


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model, and what it costs; none is asked whose price nobody knows."""

    model: LanguageModel
    price: Price
