"""What a request comes to that is sent again with its Idempotency-Key."""

from __future__ import annotations

import pytest

from palimpsest.domain.errors import IdempotencyReused, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.drafts import Draft, Outcome, Refused, Revision, Saved
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation

REQUEST = Idempotency("k", b"body")


def test_a_retry_does_not_show_what_was_forgotten_since(memory: Installation) -> None:
    service = memory.wired.service
    saved = service.remember(OWNER, Draft("My locker number is 417"), REQUEST)
    ref = VersionRef(saved.memory.head.root)
    update, batch = Idempotency("u", b"update"), Idempotency("b", b"batch")
    service.revise(OWNER, ref, Revision("My locker number is 418"), update)
    service.remember_all(OWNER, [Draft("My locker number is 418")], batch)
    service.forget(OWNER, ref)

    for call in (
        lambda: service.remember(OWNER, Draft("My locker number is 417"), REQUEST),
        lambda: service.revise(OWNER, ref, Revision("My locker number is 418"), update),
    ):
        with pytest.raises(WrongState) as caught:
            call()
        assert "locker" not in str(caught.value)
    told = service.remember_all(OWNER, [Draft("My locker number is 418")], batch)[0]
    assert isinstance(told, Refused)
    assert isinstance(told.error, WrongState)


def test_a_retry_of_a_save_is_answered_again_once_the_memory_is_restored(memory: Installation) -> None:
    service = memory.wired.service
    saved = service.remember(OWNER, Draft("x"), REQUEST)
    ref = VersionRef(saved.memory.head.root)
    service.forget(OWNER, ref)
    service.restore(OWNER, ref)

    assert service.remember(OWNER, Draft("x"), REQUEST).outcome is Outcome.ADDED


def test_a_retry_of_a_forget_is_answered_like_the_first(memory: Installation) -> None:
    service = memory.wired.service
    ref = VersionRef(service.remember(OWNER, Draft("x")).memory.head.root)

    assert service.forget(OWNER, ref, REQUEST) == service.forget(OWNER, ref, REQUEST)


@pytest.mark.parametrize("first", ["", "fine"])
def test_a_batch_with_a_used_key_and_another_body_saves_nothing(memory: Installation, first: str) -> None:
    service = memory.wired.service
    service.remember_all(OWNER, [Draft(first), Draft("second")], REQUEST)

    with pytest.raises(IdempotencyReused):
        service.remember_all(OWNER, [Draft("third"), Draft("fourth"), Draft("fifth")], Idempotency("k", b"another"))

    listed = service.list_memories(OWNER, ListQuery()).memories
    assert [each.version.statement.content for each in listed] == ["second", "fine"][: 2 if first else 1]


def test_a_key_is_used_by_a_batch_or_by_a_save_but_not_by_both(memory: Installation) -> None:
    service, save, batch = memory.wired.service, Idempotency("k", b"save"), Idempotency("b", b"batch")
    service.remember(OWNER, Draft("x"), save)
    service.remember_all(OWNER, [Draft("")], batch)

    with pytest.raises(IdempotencyReused):
        service.remember_all(OWNER, [Draft("y"), Draft("z")], Idempotency("k", b"batch"))
    with pytest.raises(IdempotencyReused):
        service.remember(OWNER, Draft("y"), Idempotency("b", b"save"))


def test_a_batch_that_broke_off_is_completed_by_its_retry(memory: Installation) -> None:
    service, steps = memory.wired.service, memory.wired.service.remember.steps
    steps.idempotency.claim(OWNER.key, REQUEST, memory.clock.now())
    first = service.remember(OWNER, Draft("one"), Idempotency("k", b"body", part=1))

    results = service.remember_all(OWNER, [Draft("one"), Draft("two")], REQUEST)

    assert results[0] == first
    assert isinstance(results[1], Saved)
    assert results[1].outcome is Outcome.ADDED
    assert service.remember_all(OWNER, [Draft("one"), Draft("two")], REQUEST) == results
    with pytest.raises(IdempotencyReused):
        service.remember_all(OWNER, [Draft("three")], Idempotency("k", b"another"))
