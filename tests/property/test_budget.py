"""Law 7: whatever crashes, cap - left = reserved + charged; sent calls are paid, unsent ones come back, none twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.budget import Reservation, Scope
from palimpsest.domain.errors import BudgetExhausted
from palimpsest.domain.ids import SpaceId
from palimpsest.stores.budget import Budgets
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.examples import examples

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
SPACES = (SpaceId("s"), SpaceId("t"))
CAP = 1_000
T = TypeVar("T")
crashes = st.none() | st.tuples(st.integers(0, 6), st.booleans())


class BudgetLaws(RuleBasedStateMachine):
    """Callers that reserve, send, pay and die at any operation, over one day's budget.

    `costs` holds, for each call, what it may come to in a scope: nothing while it was never sent, all of it when it was
    and nobody paid, else what somebody paid. A caller that died in between leaves more than one possibility.
    """

    calls: Bundle[Reservation] = Bundle("calls")

    @initialize()
    def begin(self) -> None:
        self.sqlite = SqliteTable()
        self.crashing = CrashingTable(self.sqlite)
        self.budgets = Budgets(self.crashing, CAP)
        self.highest_cap = CAP
        self.now = START
        self.costs: dict[str, set[int]] = {}
        self.made: dict[str, Reservation] = {}

    def teardown(self) -> None:
        self.end()
        self.sqlite.close()

    @rule(target=calls, amount=st.integers(0, 600), space=st.sampled_from(SPACES), crash=crashes)
    def reserve(self, amount: int, space: SpaceId, crash: tuple[int, bool] | None) -> Reservation:
        scope = Scope(START.date(), space)
        made = Reservation(str(len(self.made)), scope, amount, self.now + timedelta(minutes=5))
        self.made[made.id] = made
        self.costs[made.id] = {0}
        with suppress(BudgetExhausted):
            self._dying(crash, lambda: self.budgets.reserve(made, self.now))
        return made

    @rule(made=calls, crash=crashes)
    def send(self, made: Reservation, crash: tuple[int, bool] | None) -> None:
        if self.costs[made.id] != {0}:
            return  # whoever holds it sends it once
        marked = self._dying(crash, lambda: self.budgets.mark_sent(made))
        if marked is None:
            self.costs[made.id] = {0, made.amount}
        elif marked:
            self.costs[made.id] = {made.amount}

    @rule(made=calls, cost=st.integers(0, 600), crash=crashes)
    def settle(self, made: Reservation, cost: int, crash: tuple[int, bool] | None) -> None:
        if 0 in self.costs[made.id]:
            return  # never sent, or its caller is dead
        cost = min(cost, made.amount)
        self.costs[made.id].add(cost)
        self._dying(crash, lambda: self.budgets.settle(made, cost))

    @rule(space=st.sampled_from((None, *SPACES)), crash=crashes)
    def sweep(self, space: SpaceId | None, crash: tuple[int, bool] | None) -> None:
        self._dying(crash, lambda: self.budgets.sweep(Scope(START.date(), space), self.now))

    @rule(cap=st.integers(500, 1_500))
    def change_the_cap(self, cap: int) -> None:
        self.budgets = Budgets(self.crashing, cap)
        self.highest_cap = max(self.highest_cap, cap)

    @rule(minutes=st.integers(1, 4))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @invariant()
    def nothing_is_lost_and_no_cap_is_passed(self) -> None:
        for space in (None, *SPACES) if hasattr(self, "sqlite") else ():
            standing = Budgets(self.sqlite, CAP).standing(Scope(START.date(), space))
            if standing is not None:
                assert standing.is_balanced
                assert standing.reserved + standing.charged <= self.highest_cap

    def end(self) -> None:
        """When all callers are gone, nothing is set apart, and each scope was charged what its calls may have cost."""
        for space in (None, *SPACES):
            scope = Scope(START.date(), space)
            budgets = Budgets(self.sqlite, CAP)
            budgets.sweep(scope, self.now + timedelta(hours=1))
            standing = budgets.standing(scope)
            if standing is None:
                continue
            possible = [self.costs[id_] for id_, made in self.made.items() if space in (None, made.scope.space)]
            assert standing.reserved == 0
            assert sum(map(min, possible)) <= standing.charged
            assert standing.charged <= sum(map(max, possible))

    def _dying(self, crash: tuple[int, bool] | None, act: Callable[[], T]) -> T | None:
        """What the act gives; None when its process died."""
        if crash is not None:
            self.crashing.crash_at(crash[0], is_after=crash[1])
        try:
            return act()
        except Crashed:
            return None
        finally:
            self.crashing.live_on()


TestBudgetLaws = BudgetLaws.TestCase
TestBudgetLaws.settings = settings(max_examples=examples(30), stateful_step_count=25, deadline=None)
