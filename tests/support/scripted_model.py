"""A language model that says what a test tells it to, and a budget to ask it from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.budget import Scope, Standing
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.prices import Price
from palimpsest.ports.language_model import Answer, Json, PricedModel, Question, Tokens
from palimpsest.ports.table import Table
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.ask_model import AskModel
from tests.support.installation import START, SeededIds, TurnedClock

SPACE = SpaceId("s")
PRICE = Price.usd("1", "10")
CAP = 1_000_000


@dataclass
class ScriptedModel:
    """Gives the next of its answers or raises it; the last one stays."""

    script: list[Answer | BaseException | Callable[[Question], Answer]]
    asked: list[Question] = field(default_factory=list)
    before: Callable[[], object] = lambda: None

    @property
    def name(self) -> str:
        return "scripted:model"

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        self.before()
        given = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(given, BaseException):
            raise given
        return given if isinstance(given, Answer) else given(question)


@dataclass
class Asking:
    """What a test drives."""

    table: SqliteTable
    clock: TurnedClock = field(default_factory=TurnedClock)
    pauses: list[float] = field(default_factory=list)

    def with_model(self, model: ScriptedModel, table: Table | None = None, price: Price = PRICE) -> AskModel:
        def pause(seconds: float) -> None:
            self.pauses.append(seconds)
            self.clock.turn(timedelta(seconds=seconds))

        budgets = Budgets(table or self.table, CAP)
        return AskModel(PricedModel(model, price), budgets, self.clock, SeededIds(self.clock), pause, lambda: 0.5)

    def stands(self, space: SpaceId | None = SPACE) -> Standing:
        standing = Budgets(self.table, CAP).standing(Scope(START.date(), space))
        assert standing is not None
        assert standing.is_balanced
        return standing


def answer(content: Mapping[str, Json], tokens: tuple[int, int] | None = (1_000, 100)) -> Answer:
    return Answer(content, Tokens(*tokens) if tokens else None, "m")


def opinions(
    relations: Mapping[str, str], otherwise: str = "complementary", reason: str = "as the script says"
) -> Callable[[Question], Answer]:
    """Answers the judge's question: for each statement that holds one of the words, that relation."""

    def tell(question: Question) -> Answer:
        shown = re.split(r"^statement \d+: ", question.user, flags=re.MULTILINE)[1:]
        rows: list[Json] = [
            {
                "statement": number,
                "relation": next((relation for word, relation in relations.items() if word in text), otherwise),
                "reason": reason,
            }
            for number, text in enumerate(shown, 1)
        ]
        return answer({"verdicts": rows})

    return tell
