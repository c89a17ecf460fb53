"""Updates and reverts to what is believed already."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import VersionMoved, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Because, MemoryType
from palimpsest.usecases.drafts import Draft, Outcome, Revision, SourceClaim
from tests.support.installation import OWNER, START, Installation

TEXT = "Marta prefers tea"


def saved(memory: Installation) -> VersionRef:
    draft = Draft(TEXT, memory_type=MemoryType.PREFERENCE, metadata='{"a":1}', canonical="Marta likes tea")
    return VersionRef(memory.wired.service.remember(OWNER, draft).memory.head.root)


@pytest.mark.parametrize(
    "revision",
    [
        Revision(TEXT),
        Revision(TEXT, memory_type=MemoryType.PREFERENCE, metadata='{"a":1}', canonical="Marta likes tea"),
        Revision(TEXT, because=Because.CHANGED),
        Revision(TEXT, expected_version=1),
        Revision(TEXT, source=SourceClaim("api", trust=Trust.A1)),
    ],
)
def test_an_update_to_what_is_believed_adds_no_version(memory: Installation, revision: Revision) -> None:
    ref, service = saved(memory), memory.wired.service
    before = service.read(OWNER, ref)

    revised = service.revise(OWNER, ref, revision)

    assert revised.outcome is Outcome.UNCHANGED
    assert revised.memory == service.read(OWNER, ref) == before
    assert [step.revision for step in service.history(OWNER, ref).steps] == [1]


@pytest.mark.parametrize(
    "revision",
    [
        Revision("Marta prefers  tea"),
        Revision(TEXT, memory_type=MemoryType.FACT),
        Revision(TEXT, metadata="{}"),
        Revision(TEXT, canonical="Tea is what Marta likes"),
        Revision(TEXT, valid_from=START),
        Revision(TEXT, asserted_at=START - timedelta(days=1)),
        Revision(TEXT, attributed_to="Marta"),
        Revision(TEXT, source=SourceClaim("user_direct")),
        Revision(TEXT, source=SourceClaim(session="s")),
    ],
)
def test_an_update_that_says_anything_else_adds_one(memory: Installation, revision: Revision) -> None:
    ref, service = saved(memory), memory.wired.service

    revised = service.revise(OWNER, ref, revision)

    assert (revised.outcome, revised.memory.version.number) == (Outcome.VERSIONED, 2)
    assert service.revise(OWNER, ref, revision).outcome is Outcome.UNCHANGED


def test_the_same_text_keeps_its_form_that_stands_alone_and_another_does_not(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service

    pinned_down = service.revise(OWNER, ref, Revision(TEXT, event_date=START))
    reworded = service.revise(OWNER, ref, Revision("Marta prefers coffee"))

    assert pinned_down.memory.version.statement.canonical == "Marta likes tea"
    assert reworded.memory.version.statement.canonical is None


def test_a_repetition_by_somebody_less_trusted_does_not_lower_the_trust(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    writer = Caller(KeyId("writer"), Role.WRITER)

    revised = service.revise(writer, ref, Revision(TEXT))

    assert (revised.outcome, revised.memory.version.statement.source.trust) == (Outcome.UNCHANGED, Trust.A1)


def test_a_change_of_nothing_is_refused_where_a_change_would_be(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    service.revise(OWNER, ref, Revision("Marta prefers coffee"))

    for named, revision in (
        (ref, Revision("Marta prefers coffee", expected_version=1)),
        (ref._replace(number=1), Revision("Marta prefers coffee")),
    ):
        with pytest.raises(VersionMoved):
            service.revise(OWNER, named, revision)
    service.forget(OWNER, ref)
    with pytest.raises(WrongState):
        service.revise(OWNER, ref, Revision("Marta prefers coffee"))


def test_a_second_revert_to_the_same_version_changes_nothing(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    service.revise(OWNER, ref, Revision("Marta prefers coffee"))

    outcomes = [(r.outcome, r.memory.version.number) for r in (service.revert(OWNER, ref, 1) for _ in range(2))]

    assert outcomes == [(Outcome.VERSIONED, 3), (Outcome.UNCHANGED, 3)]


def test_a_retry_of_an_update_that_changed_nothing_changes_nothing_later_either(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    request = Idempotency("k", b"body")

    first = service.revise(OWNER, ref, Revision(TEXT), request)
    service.revise(OWNER, ref, Revision("Marta prefers coffee"))
    again = service.revise(OWNER, ref, Revision(TEXT), request)

    assert (first.outcome, again.outcome) == (Outcome.UNCHANGED, Outcome.UNCHANGED)
    assert again.memory.version == first.memory.version
    assert service.read(OWNER, ref).head.count == 2


def test_a_retry_of_an_update_tells_that_it_made_a_version(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    request = Idempotency("k", b"body")

    outcomes = {service.revise(OWNER, ref, Revision("Marta prefers coffee"), request).outcome for _ in range(2)}

    assert outcomes == {Outcome.VERSIONED}
