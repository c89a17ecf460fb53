"""The one way to a language model: within a time, paid for before it is sent, tried again where that helps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.budget import Scope, Standing
from palimpsest.domain.errors import (
    BudgetExhausted,
    ModelAnswerUnusable,
    ModelFailure,
    ModelUnavailable,
    TableThrottled,
)
from palimpsest.domain.prices import Price
from palimpsest.ports.language_model import Answer, Json, Question, Shape
from palimpsest.ports.table import Put, Update
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.ask_model import LONGEST_PROMPT
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import START
from tests.support.interposing_table import InterposingTable
from tests.support.scripted_model import CAP, PRICE, SPACE, Asking, ScriptedModel
from tests.support.scripted_model import answer as scripted_answer

SHAPE = Shape("reply", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})
YES: Mapping[str, Json] = {"said": "yes"}
LATE = ModelUnavailable(ModelFailure.LATE, "late", may_cost=True)
BUSY = ModelUnavailable(ModelFailure.THROTTLED, "busy", may_cost=False)


@pytest.fixture
def asking() -> Iterator[Asking]:
    with SqliteTable() as table:
        yield Asking(table)


def answer(tokens: tuple[int, int] | None = (1_000, 100), content: Mapping[str, Json] = YES) -> Answer:
    return scripted_answer(content, tokens)


def question(seconds: float = 4.0, user: str = "Is tea hot?") -> Question:
    return Question("You judge.", user, SHAPE, 200, timedelta(seconds=seconds))


def said(content: Mapping[str, Json]) -> str:
    if content.get("said") not in ("yes", "no"):
        raise ModelAnswerUnusable("`said` has to be yes or no")
    return str(content["said"])


def test_an_answer_is_paid_by_its_tokens_in_both_scopes(asking: Asking) -> None:
    told = asking.with_model(ScriptedModel([answer()]))(SPACE, question(), said)

    assert (told.value, told.model) == ("yes", "scripted:model")
    assert (asking.stands().charged, asking.stands(None).charged) == (2_000, 2_000)
    assert asking.stands().reserved == 0


def test_the_most_that_a_call_may_cost_is_set_apart_and_marked_before_it_is_sent(asking: Asking) -> None:
    seen: list[Standing] = []
    model = ScriptedModel([answer()], before=lambda: seen.extend([asking.stands(), asking.stands(None)]))

    asking.with_model(model)(SPACE, question(), said)

    assert all(next(iter(standing.open.values())).is_sent for standing in seen)
    assert all(standing.reserved >= PRICE.of(len("You judge.Is tea hot?"), 200) for standing in seen)
    assert all(standing.reserved > standing.charged for standing in seen)


def test_past_the_cap_nobody_is_asked(asking: Asking) -> None:
    model = ScriptedModel([answer()])

    with pytest.raises(BudgetExhausted):
        asking.with_model(model, price=Price.usd("1000", "1000"))(SPACE, question(), said)

    assert model.asked == []


def test_a_free_model_is_asked_although_the_budget_is_used_up(asking: Asking) -> None:
    Budgets(asking.table, CAP)
    free = asking.with_model(ScriptedModel([answer()]), price=Price(0, 0))

    assert free(SPACE, question(), said).value == "yes"
    assert not free.is_used_up()


def test_an_answer_without_counts_is_paid_in_full(asking: Asking) -> None:
    seen: list[int] = []
    model = ScriptedModel([answer(tokens=None)], before=lambda: seen.append(asking.stands().reserved))

    asking.with_model(model)(SPACE, question(), said)

    assert [asking.stands().charged] == seen


@pytest.mark.parametrize(("failure", "is_paid"), [(LATE, True), (BUSY, False)])
def test_what_may_have_reached_the_model_is_paid_in_full_and_a_refusal_is_not(
    asking: Asking, failure: ModelUnavailable, is_paid: bool
) -> None:
    seen: list[int] = []
    model = ScriptedModel([failure], before=lambda: seen.append(asking.stands().reserved))

    with pytest.raises(ModelUnavailable):
        asking.with_model(model)(SPACE, question(0.3), said)

    assert asking.stands().charged == (sum(seen) if is_paid else 0)
    assert asking.stands().reserved == 0


def test_each_attempt_is_a_reservation_of_its_own(asking: Asking) -> None:
    ids: set[str] = set()
    model = ScriptedModel([BUSY, BUSY, answer()], before=lambda: ids.update(asking.stands().open))

    asking.with_model(model)(SPACE, question(30), said)

    assert len(ids) == 3
    assert asking.stands().charged == 2_000


def test_a_wait_is_what_the_provider_asks_for_and_a_little_by_chance(asking: Asking) -> None:
    busy = ModelUnavailable(ModelFailure.THROTTLED, "busy", may_cost=False, retry_after=timedelta(seconds=2))

    asking.with_model(ScriptedModel([busy, BUSY, BUSY, answer()]))(SPACE, question(30), said)

    assert asking.pauses == [2.25, 0.5, 1.0]


def test_nobody_waits_for_what_would_come_too_late(asking: Asking) -> None:
    busy = ModelUnavailable(ModelFailure.THROTTLED, "busy", may_cost=False, retry_after=timedelta(seconds=60))

    with pytest.raises(ModelUnavailable):
        asking.with_model(ScriptedModel([busy]))(SPACE, question(4), said)

    assert asking.pauses == []


def test_a_refused_question_is_not_asked_again(asking: Asking) -> None:
    model = ScriptedModel([ModelUnavailable(ModelFailure.REFUSED, "wrong key", may_cost=False)])

    with pytest.raises(ModelUnavailable):
        asking.with_model(model)(SPACE, question(60), said)

    assert len(model.asked) == 1


def test_it_is_not_tried_for_ever(asking: Asking) -> None:
    model = ScriptedModel([BUSY])

    with pytest.raises(ModelUnavailable):
        asking.with_model(model)(SPACE, question(3_600), said)

    assert len(model.asked) == 5


def test_each_attempt_waits_only_as_long_as_is_left(asking: Asking) -> None:
    model = ScriptedModel([BUSY, answer()], before=lambda: asking.clock.turn(timedelta(seconds=1)))

    asking.with_model(model)(SPACE, question(4), said)

    first, second = (asked.within.total_seconds() for asked in model.asked)
    assert first == pytest.approx(4, abs=0.1)
    assert second == pytest.approx(2.75, abs=0.1)


@pytest.mark.parametrize(
    "garbage", [ModelAnswerUnusable("it is not JSON", (1_000, 100)), answer(content={"said": "maybe"})], ids=str
)
def test_an_answer_that_means_nothing_is_asked_for_once_more_and_paid(
    asking: Asking, garbage: Answer | ModelAnswerUnusable
) -> None:
    model = ScriptedModel([garbage, answer(content={"said": "no"})])

    assert asking.with_model(model)(SPACE, question(), said).value == "no"

    assert [asked.user.startswith("Is tea hot?") for asked in model.asked] == [True, True]
    assert "could not be used" in model.asked[1].user
    assert asking.stands().charged == 4_000


def test_twice_garbage_is_none(asking: Asking) -> None:
    model = ScriptedModel([answer(content={})])

    with pytest.raises(ModelAnswerUnusable):
        asking.with_model(model)(SPACE, question(), said)

    assert len(model.asked) == 2


def test_a_prompt_that_is_too_long_is_never_sent(asking: Asking) -> None:
    model = ScriptedModel([answer()])

    with pytest.raises(ModelUnavailable, match="100,000 bytes"):
        asking.with_model(model)(SPACE, question(user="ż" * (LONGEST_PROMPT // 2)), said)

    assert model.asked == []


def test_a_process_that_dies_during_the_call_leaves_it_to_be_paid_in_full(asking: Asking) -> None:
    with pytest.raises(Crashed):
        asking.with_model(ScriptedModel([Crashed()]))(SPACE, question(), said)
    reserved = asking.stands().reserved

    asking.clock.turn(timedelta(hours=1))
    Budgets(asking.table, CAP).sweep(Scope(START.date(), SPACE), asking.clock.now())

    assert asking.stands().charged == reserved > 0


@pytest.mark.parametrize(
    ("operation", "is_sent", "is_paid"),
    [(0, False, False), (1, False, False), (2, False, False), (3, False, True), (4, True, True)],
)
def test_a_process_that_dies_before_it_marks_the_call_as_sent_leaves_nothing_to_be_paid(
    asking: Asking, operation: int, is_sent: bool, is_paid: bool
) -> None:
    table = CrashingTable(asking.table)
    model = ScriptedModel([answer()])
    asking.with_model(model)(SPACE, question(), said)
    model.asked.clear()
    table.crash_at(operation, is_after=False)

    with pytest.raises(Crashed):
        asking.with_model(model, table)(SPACE, question(), said)
    asking.clock.turn(timedelta(hours=1))
    Budgets(asking.table, CAP).sweep(Scope(START.date(), SPACE), asking.clock.now())

    assert (bool(model.asked), asking.stands().charged > 2_000) == (is_sent, is_paid)
    assert asking.stands().reserved == 0


def test_a_budget_that_can_not_be_read_means_no_question(asking: Asking) -> None:
    table = InterposingTable(asking.table)
    model = ScriptedModel([answer()])

    def throttle() -> None:
        raise TableThrottled

    table.interpose(lambda name, call: isinstance(call, Update | Put), throttle)

    with pytest.raises(ModelUnavailable, match="budget"):
        asking.with_model(model, table)(SPACE, question(0.3), said)

    assert model.asked == []


def test_an_answer_counts_although_its_price_could_not_be_written_down(asking: Asking) -> None:
    table = InterposingTable(asking.table)

    def throttle() -> None:
        raise TableThrottled

    model = ScriptedModel([answer()], before=lambda: table.interpose(lambda name, _: name == "write", throttle))

    assert asking.with_model(model, table)(SPACE, question(), said).value == "yes"
    assert asking.stands().reserved > 0


def test_the_budget_is_used_up_when_one_more_small_question_would_not_be_paid(asking: Asking) -> None:
    ask = asking.with_model(ScriptedModel([answer(tokens=(990_000, 500))]))
    assert not ask.is_used_up()

    ask(SPACE, question(), said)

    assert ask.is_used_up()
