"""Steps on a belief by the name of one of its versions, and annotations that change nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from palimpsest.domain.errors import NotFound, VersionMoved, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.usecases.drafts import Annotated, Annotation, Draft, Forgotten, Revised, Revision
from palimpsest.usecases.service import Service
from tests.support.installation import OWNER, Installation

Call = Callable[[Service, VersionRef], Annotated | Forgotten | Revised]
CALLS: list[Call] = [
    lambda service, ref: service.revise(OWNER, ref, Revision("three")),
    lambda service, ref: service.revert(OWNER, ref, 1),
    lambda service, ref: service.annotate(OWNER, ref, Annotation(pinned=True)),
    lambda service, ref: service.annotate(OWNER, ref, Annotation()),
    lambda service, ref: service.forget(OWNER, ref),
]


def two_versions(memory: Installation) -> VersionRef:
    ref = VersionRef(memory.wired.service.remember(OWNER, Draft("one")).memory.head.root)
    memory.wired.service.revise(OWNER, ref, Revision("two"))
    return ref


@pytest.mark.parametrize("call", CALLS)
def test_a_step_on_a_named_version_is_made_when_it_is_current(memory: Installation, call: Call) -> None:
    ref, service = two_versions(memory), memory.wired.service

    with pytest.raises(NotFound):
        call(service, ref._replace(number=3))
    with pytest.raises(VersionMoved):
        call(service, ref._replace(number=1))
    assert service.read(OWNER, ref).head.revision == 2
    call(service, ref._replace(number=2))


def test_a_restore_looks_at_the_version_too(memory: Installation) -> None:
    ref, service = two_versions(memory), memory.wired.service
    service.forget(OWNER, ref)

    with pytest.raises(VersionMoved):
        service.restore(OWNER, ref._replace(number=1))
    assert service.restore(OWNER, ref._replace(number=2)).version.number == 2


def test_a_retry_of_an_update_of_a_named_version_is_answered(memory: Installation) -> None:
    ref, service = two_versions(memory)._replace(number=2), memory.wired.service

    answers = [service.revise(OWNER, ref, Revision("three"), Idempotency("k", b"body")) for _ in range(2)]

    assert [answer.memory.version.number for answer in answers] == [3, 3]


def test_an_annotation_of_nothing_makes_no_step(memory: Installation) -> None:
    ref, service = two_versions(memory), memory.wired.service
    before = service.read(OWNER, ref)

    assert service.annotate(OWNER, ref, Annotation()).memory == before
    service.forget(OWNER, ref)
    with pytest.raises(WrongState):
        service.annotate(OWNER, ref, Annotation())


def test_an_annotation_that_changes_nothing_makes_no_step(memory: Installation) -> None:
    ref, service = two_versions(memory), memory.wired.service
    annotation = Annotation(tags=("home",), pinned=True, importance=2.0)

    first = service.annotate(OWNER, ref, annotation).memory

    assert service.annotate(OWNER, ref, annotation).memory == first
    assert service.annotate(OWNER, ref, Annotation(pinned=False)).memory.head.revision == first.head.revision + 1
