"""The budget of a day: what is left, and what is set apart for calls under way. One item a scope.

Each change is one conditional update of one item, so whatever crashes in between, cap - left = reserved + charged holds
in each item; transactions of many callers on one item would only conflict. A reservation lies in the item as an
attribute of its own, so it is there once or not at all, however often somebody asks for it or settles it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.budget import Open, Reservation, Scope, Standing
from palimpsest.domain.errors import BudgetExhausted, ConditionFailed, CorruptItem
from palimpsest.ports.table import (
    Add,
    All,
    Between,
    Change,
    Condition,
    Equals,
    Item,
    Missing,
    Put,
    Remove,
    Set,
    Table,
    Update,
    Value,
)
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_KEPT: Final = timedelta(days=400)
_ATTEMPTS: Final = 5
_MOST: Final = 10**15
_OPEN: Final = "open#"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Reserves, charges and gives back.

    Attributes:
        cap: What each scope may cost on one day, in micro-dollars.
    """

    table: Table
    cap: int

    def reserve(self, reservation: Reservation, now: datetime) -> None:
        """Set the amount apart: for the space, then for the account.

        Raises:
            BudgetExhausted: Not so much is left; nothing is set apart.
        """
        scope = reservation.scope
        self._reserve(scope, reservation, now)
        if scope.space is None:
            return
        try:
            self._reserve(scope.account, reservation, now)
        except BudgetExhausted:
            self._close(scope, reservation.id, _unsent(reservation), cost=0)
            raise

    def mark_sent(self, reservation: Reservation) -> bool:
        """From now on the model may have got the question; False when the reservation has expired and is gone."""
        before, after = _unsent(reservation), _sent(reservation)
        marked: list[Scope] = []
        for scope in _scopes(reservation.scope):
            name = _OPEN + reservation.id
            if not self._update(scope, (Set(name, _value(after)),), Equals(name, _value(before))):
                for each in marked:
                    self._close(each, reservation.id, after, cost=0)
                return False
            marked.append(scope)
        return True

    def settle(self, reservation: Reservation, cost: int) -> None:
        """Charge what a call that was sent cost, and give the rest back; nothing when that was done already."""
        for scope in _scopes(reservation.scope):
            self._close(scope, reservation.id, _sent(reservation), cost)

    def sweep(self, scope: Scope, now: datetime) -> int:
        """Settle what has expired: in full, unless it was never sent; how many."""
        standing = self.standing(scope)
        expired = standing.expired(now) if standing else {}
        return sum(self._close(scope, id_, each, each.cost()) for id_, each in expired.items())

    def standing(self, scope: Scope) -> Standing | None:
        """How it stands; None before the first reservation of the day."""
        key = keys.budget(scope)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else read(stored)

    def _reserve(self, scope: Scope, reservation: Reservation, now: datetime) -> None:
        """One scope's part; makes the item, brings its cap up to date and sweeps what has expired, if need be."""
        name, amount = _OPEN + reservation.id, reservation.amount
        changes = (Add("left", -amount), Set(name, _value(_unsent(reservation))))
        condition = All((Equals("cap", self.cap), Between("left", amount, _MOST), Missing(name)))
        for _ in range(_ATTEMPTS):
            if self._update(scope, changes, condition):
                return
            standing = self.standing(scope)
            if standing is None:
                self._begin(scope, now)
            elif reservation.id in standing.open:  # the answer of an earlier try was lost
                return
            elif standing.cap != self.cap:
                self._recap(scope, standing.cap)
            elif standing.left < amount and not self.sweep(scope, now):
                break
        raise BudgetExhausted("account" if scope.space is None else "space")

    def _begin(self, scope: Scope, now: datetime) -> None:
        begun = item(
            keys.budget(scope),
            cap=self.cap,
            left=self.cap,
            charged=0,
            ttl=instants.epoch_seconds(now + _KEPT),
        )
        _tried(lambda: self.table.write(Put(begun, Missing("pk"))))
        self.sweep(Scope(scope.day - timedelta(days=1), scope.space), now)

    def _recap(self, scope: Scope, seen: int) -> None:
        self._update(scope, (Set("cap", self.cap), Add("left", self.cap - seen)), Equals("cap", seen))

    def _close(self, scope: Scope, id_: str, seen: Open, cost: int) -> bool:
        """Take a reservation off, once; False when it is not as it was seen."""
        name = _OPEN + id_
        changes = (Add("left", seen.amount - cost), Add("charged", cost), Remove(name))
        return self._update(scope, changes, Equals(name, _value(seen)))

    def _update(self, scope: Scope, changes: tuple[Change, ...], condition: Condition) -> bool:
        return _tried(lambda: self.table.write(Update(keys.budget(scope), changes, condition)))


def read(stored: Item) -> Standing:
    """How a stored budget stands."""
    r = Reader(stored)
    opened = {name.removeprefix(_OPEN): _open(r, value) for name, value in stored.items() if name.startswith(_OPEN)}
    return Standing(r.integer("cap"), r.integer("left"), r.integer("charged"), opened)


def _open(r: Reader, value: Value) -> Open:
    match value:
        case [int(amount), str(expires_at), bool(is_sent)]:
            return Open(amount, instants.read(expires_at), is_sent)
    raise CorruptItem(r.text("pk"), r.text("sk"), "an open reservation")


def _value(opened: Open) -> list[Value]:
    return [opened.amount, instants.write(opened.expires_at), opened.is_sent]


def _unsent(reservation: Reservation) -> Open:
    return Open(reservation.amount, instants.to_milliseconds(reservation.expires_at), is_sent=False)


def _sent(reservation: Reservation) -> Open:
    return Open(reservation.amount, instants.to_milliseconds(reservation.expires_at), is_sent=True)


def _scopes(scope: Scope) -> tuple[Scope, ...]:
    return (scope,) if scope.space is None else (scope, scope.account)


def _tried(write: Callable[[], object]) -> bool:
    try:
        write()
    except ConditionFailed:
        return False
    return True
