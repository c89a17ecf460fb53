"""What a request comes to that is sent again with its Idempotency-Key."""

from __future__ import annotations

import pytest

from palimpsest.domain.errors import WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.drafts import Draft, Outcome, Refused, Revision
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
