"""What one call may cost at most, set apart before it is made and settled after it (law 7)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain.budget import Reservation, Scope
from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.stores.budget import Budgets

_GONE: Final = timedelta(minutes=15)
"""After the time of a call: whoever made it has ended by then, as no function runs longer."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """Reserves and settles."""

    budgets: Budgets
    clock: Clock
    ids: Ids

    def __call__(self, space: SpaceId, most: int, within: timedelta) -> Reservation | None:
        """Set `most` micro-dollars apart for a call that is sent now; None when that took so long that it expired.

        Raises:
            BudgetExhausted: Not so much is left.
            TableError: The budget can't be read now.
        """
        now = self.clock.now()
        reservation = Reservation(self.ids.ulid(), Scope(now.date(), space), most, now + within + _GONE)
        self.budgets.reserve(reservation, now)
        return reservation if self.budgets.mark_sent(reservation) else None

    def settle(self, reservation: Reservation, cost: int) -> None:
        """Charge what it cost. What is not settled for now is charged in full when it has expired."""
        with suppress(TableError):
            self.budgets.settle(reservation, cost)
