"""Ask the language model: the one way to it, within the day's budget and a time.

Each attempt reserves what it may cost at most before anything is sent, and pays what it took. Past the cap nobody is
asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from palimpsest.domain.budget import Reservation, Scope
from palimpsest.domain.errors import ModelAnswerUnusable, ModelFailure, ModelUnavailable, TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.language_model import Answer, Json, PricedModel, Question, Tokens
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.reserving import Reserve

T = TypeVar("T")

LONGEST_PROMPT: Final = 100_000
"""Bytes of all that is sent. A token takes at least one, so no prompt has more tokens: list prices hold up to there."""

_ENVELOPE: Final = 2_000
"""Tokens that providers add to a prompt at most: roles, the schema's rules, a tool's instructions."""

_ATTEMPTS: Final = 5
_FIRST_PAUSE: Final = timedelta(milliseconds=500)
_LONGEST_PAUSE: Final = timedelta(seconds=20)
_TOO_SHORT: Final = timedelta(milliseconds=300)
"""With less time left no answer comes, and it would be paid."""

_SMALL: Final = Tokens(2_000, 500)
_AGAIN: Final = (
    "\n\nYour answer before this one could not be used: {fault}. Answer with one JSON object in the form that was asked"
    " for, and with nothing else."
)


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """What came of asking. `model`: the model's name, as the settings have it."""

    value: T
    model: str


@dataclass(frozen=True, slots=True)
class AskModel:
    """Asks one model, for one space at a time.

    Attributes:
        pause: Sleeps so many seconds.
        chance: Anywhere from 0 to 1.
    """

    priced: PricedModel
    budgets: Budgets
    clock: Clock
    ids: Ids
    pause: Callable[[float], object]
    chance: Callable[[], float]

    def __call__(self, space: SpaceId, question: Question, read: Callable[[Mapping[str, Json]], T]) -> Told[T]:
        """What the model answers, as `read` understands it, within the question's time.

        Failures that may pass are waited for and tried again as far as the time goes. An answer that means nothing is
        asked for once more.

        Args:
            read: Raises ModelAnswerUnusable for an object that is not what was asked for; its words go to the model.

        Raises:
            BudgetExhausted: It would cost more than is left.
            ModelUnavailable: No answer came.
            ModelAnswerUnusable: Twice an answer came that means nothing.
        """
        if _size(question) > LONGEST_PROMPT:
            message = f"a prompt has at most {LONGEST_PROMPT:,} bytes"
            raise ModelUnavailable(ModelFailure.REFUSED, message, may_cost=False)
        until = self.clock.now() + question.within
        try:
            return self._patiently(space, question, read, until)
        except ModelAnswerUnusable as error:
            again = replace(question, user=question.user + _AGAIN.format(fault=error))
            return self._patiently(space, again, read, until)

    @property
    def name(self) -> str:
        """The model's name, as the settings have it."""
        return self.priced.model.name

    def is_used_up(self) -> bool:
        """What is left today does not pay for one more small question."""
        smallest = self.priced.price.of(*_SMALL)
        standing = self.budgets.standing(Scope(self.clock.now().date()))
        left = self.budgets.cap if standing is None else standing.left
        return left < smallest

    def _patiently(
        self, space: SpaceId, question: Question, read: Callable[[Mapping[str, Json]], T], until: datetime
    ) -> Told[T]:
        """One usable answer, after as many failures as the time allows."""
        attempt = 0
        while True:
            try:
                left = until - self.clock.now()
                answer = self._paid(space, replace(question, within=max(left, _TOO_SHORT)))
                return Told(read(answer.content), self.name)
            except ModelUnavailable as error:
                pause = self._pause(error, attempt)
                is_last = error.reason is ModelFailure.REFUSED or attempt == _ATTEMPTS - 1
                if is_last or self.clock.now() + pause + _TOO_SHORT > until:
                    raise
                self.pause(pause.total_seconds())
                attempt += 1

    def _pause(self, error: ModelUnavailable, attempt: int) -> timedelta:
        """What the provider asks for, else anything up to a bound that doubles."""
        longest = min(_FIRST_PAUSE * (1 << attempt), _LONGEST_PAUSE)
        return (error.retry_after or timedelta()) + self.chance() * longest

    def _paid(self, space: SpaceId, question: Question) -> Answer:
        """One attempt: reserve, mark as sent, ask, pay."""
        reservation = self._reserved(space, question)
        try:
            answer = self.priced.model.ask(question)
        except ModelUnavailable as error:
            self._reserve.settle(reservation, reservation.amount if error.may_cost else 0)
            raise
        except ModelAnswerUnusable as error:
            self._reserve.settle(reservation, self._cost(error.tokens, reservation))
            raise
        self._reserve.settle(reservation, self._cost(answer.tokens, reservation))
        return answer

    def _reserved(self, space: SpaceId, question: Question) -> Reservation:
        most = self.priced.price.of(_size(question) + _ENVELOPE, question.max_output_tokens)
        try:
            reservation = self._reserve(space, most, question.within)
        except TableError as error:
            message = "the budget for the language model can't be read now"
            raise ModelUnavailable(ModelFailure.FAILED, message, may_cost=False) from error
        if reservation is None:
            raise ModelUnavailable(ModelFailure.FAILED, "a reservation expired before it was used", may_cost=False)
        return reservation

    @property
    def _reserve(self) -> Reserve:
        return Reserve(self.budgets, self.clock, self.ids)

    def _cost(self, tokens: tuple[int, int] | None, reservation: Reservation) -> int:
        return reservation.amount if tokens is None else self.priced.price.of(*tokens)


def _size(question: Question) -> int:
    schema = json.dumps(question.shape.schema)
    return sum(len(text.encode()) for text in (question.system, question.user, question.shape.name, schema))
