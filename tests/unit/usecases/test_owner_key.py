"""The owner's key that is kept as a secret: replaced without a deploy, never an open door, no burden on other keys."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import key_text
from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.errors import SecretUnavailable, Unauthenticated
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.usecases.authenticate import Authenticate
from palimpsest.usecases.owner_key import OwnerKey
from tests.support.installation import START, TurnedClock

OLD, NEW = "old-owner-key-" + "0" * 32, "new-owner-key-" + "1" * 32
WRITER = KeyId("01JA0000000000000000WR1TER")
WRITERS = key_text.compose(WRITER, b"writer".ljust(32, b"."))


class Kept:
    """A secret that the test changes; counts how often it is read."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.reads = 0

    def read(self) -> str:
        self.reads += 1
        if self.text is None:
            raise SecretUnavailable("it is gone")
        return self.text


class Door:
    def __init__(self, text: str | None) -> None:
        self.clock = TurnedClock()
        self.kept = Kept(text)
        keys = AccessKeys(SqliteTable(":memory:"))
        keys.add(
            AccessKey(
                id=WRITER,
                secret_hash=key_text.secret_hash(WRITERS),
                role=Role.WRITER,
                spaces=("default",),
                max_trust=Trust.A2,
                created_at=START,
            )
        )
        self.check = Authenticate(keys, self.clock, OwnerKey(self.kept, self.clock))

    def opens(self, key: str) -> bool:
        try:
            return self.check(f"Bearer {key}").key == ("owner" if key in {OLD, NEW} else WRITER)
        except Unauthenticated:
            return False


def test_the_secret_is_read_at_the_first_need_and_kept() -> None:
    door = Door(OLD)

    assert door.kept.reads == 0
    assert all(door.opens(OLD) for _ in range(50))
    assert door.kept.reads == 1


def test_a_key_that_was_replaced_stops_within_five_minutes_and_the_new_one_opens() -> None:
    door = Door(OLD)
    assert door.opens(OLD)
    door.kept.text = NEW

    door.clock.turn(timedelta(minutes=5))

    assert not door.opens(OLD)
    assert door.opens(NEW)


def test_the_new_key_opens_at_once_and_ends_the_old_one_in_that_process() -> None:
    door = Door(OLD)
    assert door.opens(OLD)
    door.kept.text = NEW
    door.clock.turn(timedelta(seconds=15))

    assert door.opens(NEW)
    assert not door.opens(OLD)


def test_wrong_keys_make_one_reading_in_ten_seconds() -> None:
    door = Door(OLD)
    for _ in range(500):
        assert not door.opens("wrong" * 10)

    assert door.kept.reads == 1
    door.clock.turn(timedelta(seconds=11))
    assert not door.opens("wrong" * 10)
    assert door.kept.reads == 2


def test_other_keys_never_have_the_secret_read() -> None:
    door = Door(None)

    assert door.opens(WRITERS)
    assert door.kept.reads == 0


def test_without_the_secret_nobody_is_the_owner_and_the_answer_is_not_that_the_key_is_wrong() -> None:
    door = Door(None)

    for key in (OLD, "wrong" * 10, "None", "plm_x"):
        with pytest.raises(SecretUnavailable, match="gone"):
            door.opens(key)
    assert door.kept.reads == 1
    with pytest.raises(Unauthenticated):
        door.check(None)
    with pytest.raises(Unauthenticated):
        door.check("Bearer ")
    assert door.opens(WRITERS)


def test_a_secret_that_comes_back_opens_after_ten_seconds() -> None:
    door = Door(None)
    with pytest.raises(SecretUnavailable):
        door.opens(OLD)

    door.kept.text = OLD
    door.clock.turn(timedelta(seconds=11))

    assert door.opens(OLD)


def test_a_secret_that_goes_away_leaves_the_key_valid_for_its_minutes_and_no_longer() -> None:
    door = Door(OLD)
    assert door.opens(OLD)
    door.kept.text = None

    door.clock.turn(timedelta(minutes=4))
    assert door.opens(OLD)
    door.clock.turn(timedelta(minutes=1))
    with pytest.raises(SecretUnavailable):
        door.opens(OLD)


def test_an_installation_without_an_owner_key_knows_none() -> None:
    clock = TurnedClock()
    check = Authenticate(AccessKeys(SqliteTable(":memory:")), clock, OwnerKey(None, clock))

    with pytest.raises(Unauthenticated):
        check(f"Bearer {OLD}")
