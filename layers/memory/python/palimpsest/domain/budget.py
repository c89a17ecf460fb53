"""What calls of a model may cost on one day. Amounts are micro-dollars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from palimpsest.domain.ids import SpaceId


@dataclass(frozen=True, slots=True)
class Scope:
    """Who pays on which day, in UTC: one space, or everybody together (`space` is None)."""

    day: date
    space: SpaceId | None = None

    @property
    def account(self) -> Scope:
        """Everybody together on that day."""
        return Scope(self.day)


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call may cost at most, set apart in both scopes.

    Attributes:
        id: Of the request; each attempt has its own.
        expires_at: Whoever made it ends before.
    """

    id: str
    scope: Scope
    amount: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Open:
    """A reservation that nobody has settled. `is_sent`: the model may have got the question."""

    amount: int
    expires_at: datetime
    is_sent: bool

    def cost(self) -> int:
        """What it comes to when nobody settles it: all of it, unless it was certainly never sent."""
        return self.amount if self.is_sent else 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How a scope's budget stands.

    Attributes:
        left: What may still be reserved; below 0 after the cap was lowered, or a call took more than it was to.
        charged: What settled calls have cost.
        open: Reservations by id.
    """

    cap: int
    left: int
    charged: int
    open: Mapping[str, Open]

    @property
    def reserved(self) -> int:
        """What is set apart for calls that are under way."""
        return sum(each.amount for each in self.open.values())

    @property
    def is_balanced(self) -> bool:
        """Nothing was lost and nothing came twice."""
        return self.cap - self.left == self.reserved + self.charged

    def expired(self, now: datetime) -> dict[str, Open]:
        """Those whose makers are gone."""
        return {id_: each for id_, each in self.open.items() if each.expires_at <= now}
