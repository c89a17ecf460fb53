"""A day's budget: what is set apart, charged and given back, each once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.budget import Reservation, Scope, Standing
from palimpsest.domain.errors import BudgetExhausted, CorruptItem
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import Set, Update
from palimpsest.stores import keys
from palimpsest.stores.budget import Budgets

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
SPACE = Scope(NOW.date(), SpaceId("s"))
OTHER = Scope(NOW.date(), SpaceId("t"))
CAP = 1_000


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with SqliteTable() as table:
        yield table


@pytest.fixture
def budgets(table: SqliteTable) -> Budgets:
    return Budgets(table, CAP)


def call(id_: str = "a", amount: int = 300, scope: Scope = SPACE) -> Reservation:
    return Reservation(id_, scope, amount, NOW + timedelta(minutes=5))


def stands(budgets: Budgets, scope: Scope = SPACE) -> tuple[int, int, int]:
    """Left, reserved and charged; balanced."""
    standing = budgets.standing(scope)
    assert standing is not None
    assert standing.is_balanced
    return standing.left, standing.reserved, standing.charged


def test_what_a_call_may_cost_is_set_apart_for_its_space_and_for_the_account(budgets: Budgets) -> None:
    budgets.reserve(call(), NOW)

    assert stands(budgets) == stands(budgets, SPACE.account) == (700, 300, 0)


def test_a_settled_call_is_charged_what_it_cost_and_the_rest_comes_back_once(budgets: Budgets) -> None:
    budgets.reserve(call(), NOW)
    budgets.mark_sent(call())

    for _ in range(2):
        budgets.settle(call(), 40)

    assert stands(budgets) == stands(budgets, SPACE.account) == (960, 0, 40)


def test_a_request_that_is_made_twice_is_set_apart_once(budgets: Budgets) -> None:
    for _ in range(2):
        budgets.reserve(call(), NOW)

    assert stands(budgets) == (700, 300, 0)


def test_past_the_cap_of_the_account_a_space_gets_nothing_and_keeps_nothing_apart(budgets: Budgets) -> None:
    budgets.reserve(call("a", 800), NOW)

    with pytest.raises(BudgetExhausted) as refused:
        budgets.reserve(call("b", 300, OTHER), NOW)

    assert refused.value.scope == "account"
    assert stands(budgets, OTHER) == (CAP, 0, 0)


def test_past_the_cap_of_the_space_the_account_is_not_asked(budgets: Budgets) -> None:
    with pytest.raises(BudgetExhausted) as refused:
        budgets.reserve(call("a", CAP + 1), NOW)

    assert refused.value.scope == "space"
    assert budgets.standing(SPACE.account) is None


def test_the_whole_cap_may_be_used_and_a_free_call_is_made_even_then(budgets: Budgets) -> None:
    budgets.reserve(call("a", CAP), NOW)

    budgets.reserve(call("b", 0), NOW)

    assert stands(budgets) == (0, CAP, 0)


def test_a_reservation_that_expired_unsent_comes_back_when_it_is_needed(budgets: Budgets) -> None:
    budgets.reserve(call("a", 900), NOW)

    budgets.reserve(call("b", 900), NOW + timedelta(minutes=6))

    assert stands(budgets) == stands(budgets, SPACE.account) == (100, 900, 0)


def test_a_reservation_that_expired_after_it_may_have_been_sent_is_charged_in_full(budgets: Budgets) -> None:
    budgets.reserve(call("a", 900), NOW)
    budgets.mark_sent(call("a", 900))

    assert budgets.sweep(SPACE, NOW + timedelta(minutes=6)) == 1
    assert budgets.sweep(SPACE, NOW + timedelta(minutes=6)) == 0

    assert stands(budgets) == (100, 0, 900)
    budgets.settle(call("a", 900), 1)
    assert stands(budgets) == (100, 0, 900)


def test_what_has_not_expired_is_not_swept(budgets: Budgets) -> None:
    budgets.reserve(call(), NOW)

    assert budgets.sweep(SPACE, NOW) == 0


def test_a_reservation_that_was_swept_can_not_be_sent_any_more(budgets: Budgets) -> None:
    budgets.reserve(call(), NOW)
    budgets.sweep(SPACE.account, NOW + timedelta(minutes=6))

    assert not budgets.mark_sent(call())

    assert stands(budgets) == stands(budgets, SPACE.account) == (CAP, 0, 0)


def test_a_call_that_took_more_than_it_was_to_is_charged_what_it_took(budgets: Budgets) -> None:
    budgets.reserve(call("a", 900), NOW)
    budgets.mark_sent(call("a", 900))
    budgets.settle(call("a", 900), 1_100)

    assert stands(budgets) == (-100, 0, 1_100)
    with pytest.raises(BudgetExhausted):
        budgets.reserve(call("b", 1), NOW)


@pytest.mark.parametrize("cap", [400, 5_000])
def test_another_cap_holds_from_the_next_call_on(table: SqliteTable, budgets: Budgets, cap: int) -> None:
    budgets.reserve(call("a", 300), NOW)
    changed = Budgets(table, cap)

    changed.reserve(call("b", 100), NOW)

    assert stands(changed) == stands(changed, SPACE.account) == (cap - 400, 400, 0)
    with pytest.raises(BudgetExhausted):
        changed.reserve(call("c", cap - 399), NOW)


def test_a_call_belongs_to_the_day_of_its_reservation(budgets: Budgets) -> None:
    midnight = call()
    budgets.reserve(midnight, NOW)
    budgets.mark_sent(midnight)
    tomorrow = Scope(date(2026, 3, 2), SPACE.space)
    budgets.reserve(replace(call("b", 100, tomorrow), expires_at=NOW + timedelta(days=2)), NOW + timedelta(days=1))

    budgets.settle(midnight, 50)

    assert stands(budgets, tomorrow) == (900, 100, 0)
    assert stands(budgets) == (700, 0, 300)  # it had expired when the next day began, and is charged in full


def test_thirty_two_callers_at_once_never_reserve_more_than_the_cap(budgets: Budgets) -> None:
    def attempt(number: int) -> int:
        each = call(f"call-{number}", 90, SPACE if number % 2 else OTHER)
        try:
            budgets.reserve(each, NOW)
        except BudgetExhausted:
            return 0
        assert budgets.mark_sent(each)
        if number % 3 == 0:
            budgets.settle(each, 10)
            return 10
        return 90

    with ThreadPoolExecutor(32) as pool:
        spent = list(pool.map(attempt, range(64)))

    left, reserved, charged = stands(budgets, SPACE.account)
    assert left >= 0
    assert reserved + charged == sum(spent) <= CAP


def test_a_budget_that_nobody_can_read_is_told_as_such(table: SqliteTable, budgets: Budgets) -> None:
    budgets.reserve(call(), NOW)
    table.write(Update(keys.budget(SPACE), (Set("open#a", "much"),)))

    with pytest.raises(CorruptItem):
        budgets.standing(SPACE)


def test_a_standing_says_when_something_was_lost() -> None:
    assert not Standing(cap=10, left=9, charged=0, open={}).is_balanced
