"""Save, update, annotate, revert, forget, restore: what each promises, also to many writers at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import State
from palimpsest.domain.errors import (
    IdempotencyReused,
    Invalid,
    InvalidText,
    NotAllowed,
    NotFound,
    PalimpsestError,
    TooLong,
    VersionMoved,
    WrongState,
)
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Because, MemoryType
from palimpsest.ports.table import Query
from palimpsest.usecases.drafts import UNSET, Annotation, Draft, Outcome, Refused, Revision, Saved, SourceClaim
from tests.support.installation import OWNER, START, Installation

WRITER = Caller(KeyId("writer"), Role.WRITER, spaces=("default",), max_trust=Trust.A2)
READER = Caller(KeyId("reader"), Role.READER, spaces=("default",))
UNKNOWN = VersionRef(RootId("mem_00000000000000000000000000"))


def save(memory: Installation, content: str, **fields: object) -> Saved:
    return memory.wired.service.remember(OWNER, Draft(content, **fields))  # type: ignore[arg-type]


def ref(saved: Saved) -> VersionRef:
    return VersionRef(saved.memory.head.root)


# --- save ---


def test_the_same_text_is_unchanged_and_writes_nothing(memory: Installation) -> None:
    first = save(memory, "Deploys happen on Tuesdays", tags=("ops",))
    before = memory.doorbells()

    again = save(memory, "Deploys  happen\non Tuesdays ", tags=("other",))

    assert (again.outcome, again.memory) == (Outcome.UNCHANGED, first.memory)
    assert before
    assert memory.doorbells() == []


def test_the_same_text_in_another_space_is_another_belief(memory: Installation) -> None:
    assert save(memory, "x").memory.head.root != save(memory, "x", space="other").memory.head.root


def test_a_text_that_was_forgotten_can_be_saved_again(memory: Installation) -> None:
    """A tombstone must not block the same text (doobidoo/mcp-memory-service#1079)."""
    first = save(memory, "My locker number is 417")
    memory.wired.service.forget(OWNER, ref(first))

    second = save(memory, "My locker number is 417")

    assert second.outcome is Outcome.ADDED
    assert second.memory.head.root != first.memory.head.root


def test_a_text_that_was_updated_away_can_be_saved_anew(memory: Installation) -> None:
    first = save(memory, "one")
    memory.wired.service.revise(OWNER, ref(first), Revision("two"))

    assert save(memory, "one").outcome is Outcome.ADDED
    assert save(memory, "two").memory.head.root == first.memory.head.root


def test_writers_of_one_new_text_leave_one_belief(memory: Installation) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: save(memory, "the same"), range(32)))

    assert len({answer.memory.head.root for answer in answers}) == 1
    assert [answer.outcome for answer in answers].count(Outcome.ADDED) == 1


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        (Draft(""), InvalidText),
        (Draft(" \n"), InvalidText),
        (Draft("a\0b"), InvalidText),
        (Draft("\ud800"), InvalidText),
        (Draft("x" * 102_401), TooLong),
        (Draft("x", tags=tuple(map(str, range(10_000)))), TooLong),
        (Draft("x", tags=("",)), InvalidText),
        (Draft("x", metadata=json.dumps({"a": "x" * 10_240})), TooLong),
        (Draft("x", importance=float("nan")), Invalid),
        (Draft("x", importance=11.0), Invalid),
        (Draft("x", source=SourceClaim(agent="")), InvalidText),
        (Draft("x", valid_from=START, valid_until=START - timedelta(days=1)), Invalid),
    ],
)
def test_a_draft_that_can_not_be_stored_is_refused_and_begins_no_space(
    memory: Installation, draft: Draft, error: type[PalimpsestError]
) -> None:
    with pytest.raises(error):
        memory.wired.service.remember(OWNER, replace(draft, space="new"))

    assert memory.wired.service.remember.steps.spaces.find("new") is None


def test_the_largest_content_is_stored_whole(memory: Installation) -> None:
    content = "ż" * 51_200

    assert save(memory, content).memory.version.statement.content == content


def test_trust_is_the_lowest_of_agent_key_and_claim(memory: Installation) -> None:
    remember = memory.wired.service.remember
    claim = SourceClaim(agent="user_direct", trust=Trust.A1)

    assert remember(OWNER, Draft("a", source=claim)).memory.version.statement.source.trust is Trust.A1
    assert remember(WRITER, Draft("b", source=claim)).memory.version.statement.source.trust is Trust.A2
    assert remember(OWNER, Draft("c", source=SourceClaim("ocr"))).memory.version.statement.source.trust is Trust.B
    lowered = SourceClaim("user_direct", trust=Trust.B)
    assert remember(OWNER, Draft("d", source=lowered)).memory.version.statement.source.trust is Trust.B


def test_a_batch_saves_what_it_can_and_tells_of_the_rest_in_order(memory: Installation) -> None:
    drafts = [Draft("one"), Draft(""), Draft("one"), Draft("two", space="a b")]

    results = memory.wired.service.remember_all(WRITER, drafts)

    assert isinstance(results[0], Saved)
    assert isinstance(results[1], Refused)
    assert isinstance(results[2], Saved)
    assert results[2].outcome is Outcome.UNCHANGED
    assert isinstance(results[3], Refused)
    assert isinstance(results[3].error, NotAllowed)


def test_the_space_of_a_batch_is_for_what_names_none(memory: Installation) -> None:
    saved = memory.wired.service.remember_all(OWNER, [Draft("one"), Draft("two", space="team")], space="home")

    assert [each.memory.space for each in saved if isinstance(each, Saved)] == ["home", "team"]
    with pytest.raises(NotAllowed):
        memory.wired.service.remember_all(WRITER, [Draft("one")], space="home")


def test_an_expired_text_that_is_saved_again_is_a_new_version_and_is_found(memory: Installation) -> None:
    first = save(memory, "Parking is free", tags=("old",), expires_at=memory.clock.now() + timedelta(hours=1))
    memory.clock.turn(timedelta(hours=2))
    ends = memory.clock.now() + timedelta(hours=1)
    request = Idempotency("k", b"body")

    again = memory.wired.service.remember(OWNER, Draft("Parking  is free", expires_at=ends), request)

    assert (again.outcome, again.replaced) == (Outcome.VERSIONED, f"{ref(first).root}@1")
    assert (again.memory.version.number, again.memory.head.root) == (2, ref(first).root)
    assert (again.memory.head.annotations.tags, again.memory.head.annotations.expires_at) == ((), ends)
    assert memory.recalled("parking") == ["Parking  is free"]
    assert memory.wired.service.remember(OWNER, Draft("Parking  is free"), request) == again
    assert save(memory, "Parking is free").outcome is Outcome.UNCHANGED


def test_writers_of_one_expired_text_leave_one_new_version(memory: Installation) -> None:
    first = save(memory, "Parking is free", expires_at=memory.clock.now() + timedelta(hours=1))
    memory.clock.turn(timedelta(hours=2))

    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(lambda _: save(memory, "Parking is free"), range(8)))

    assert sorted(each.outcome for each in saved) == [Outcome.UNCHANGED] * 7 + [Outcome.VERSIONED]
    assert memory.wired.service.read(OWNER, ref(first)).head.count == 2


def test_an_expiry_that_is_not_ahead_is_refused(memory: Installation) -> None:
    saved = save(memory, "x")
    past = memory.clock.now()

    with pytest.raises(Invalid, match="expires_at"):
        save(memory, "y", expires_at=past)
    with pytest.raises(Invalid, match="expires_at"):
        memory.wired.service.annotate(OWNER, ref(saved), Annotation(expires_at=past))


# --- update ---


def test_an_update_keeps_what_it_does_not_say(memory: Installation) -> None:
    saved = save(
        memory,
        "The bridge opened in 1999",
        memory_type=MemoryType.EPISODE,
        metadata='{"a":1}',
        canonical="It opened in 1999",
        attributed_to="user",
        valid_from=START,
    )

    updated = memory.wired.service.revise(OWNER, ref(saved), Revision("The bridge opened in 1997")).memory

    said = updated.version.statement
    assert (said.memory_type, said.metadata, said.attributed_to) == (MemoryType.EPISODE, '{"a":1}', "user")
    assert (said.canonical, said.valid_from, updated.version.because) == (None, START, Because.CORRECTED)


def test_an_update_from_a_date_says_that_the_world_changed(memory: Installation) -> None:
    saved = save(memory, "Marta works at Alfa", valid_from=START)

    later = START + timedelta(days=1)
    updated = memory.wired.service.revise(OWNER, ref(saved), Revision("Marta works at Beta", valid_from=later)).memory

    assert updated.version.because is Because.CHANGED
    assert updated.version.statement.valid_from == later


def test_many_writers_all_succeed_and_leave_no_gap(memory: Installation) -> None:
    saved = save(memory, "counter 0")
    revise = memory.wired.service.revise

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(lambda n: revise(OWNER, ref(saved), Revision(f"counter {n}")), range(1, 33)))

    history = memory.wired.service.history(OWNER, ref(saved), limit=200)
    assert [m.version.number for m in history.versions] == list(range(33, 0, -1))
    assert {m.version.statement.content for m in history.versions} == {f"counter {n}" for n in range(33)}
    assert memory.wired.service.prove(OWNER, ref(saved)).is_verified


def test_one_of_many_writers_that_expect_the_same_version_succeeds(memory: Installation) -> None:
    saved = save(memory, "counter 0")

    def write(n: int) -> bool:
        try:
            memory.wired.service.revise(OWNER, ref(saved), Revision(f"counter {n}", expected_version=1))
        except VersionMoved:
            return False
        return True

    with ThreadPoolExecutor(32) as pool:
        won = list(pool.map(write, range(1, 33)))

    assert won.count(True) == 1
    assert memory.wired.service.read(OWNER, ref(saved)).head.count == 2


def test_an_update_to_the_text_of_another_belief_leaves_both(memory: Installation) -> None:
    one, other = save(memory, "one"), save(memory, "other")

    memory.wired.service.revise(OWNER, ref(other), Revision("one"))

    assert save(memory, "one").memory.head.root == one.memory.head.root
    memory.wired.service.revise(OWNER, ref(other), Revision("third"))
    assert save(memory, "third").memory.head.root == other.memory.head.root


# --- annotate ---


def test_annotations_change_the_belief_and_no_version(memory: Installation) -> None:
    saved = save(memory, "The wifi password is on the fridge", expires_at=START + timedelta(days=9))
    annotate = memory.wired.service.annotate

    annotate(OWNER, ref(saved), Annotation(tags=("home",), pinned=True))
    kept = annotate(OWNER, ref(saved), Annotation(importance=2.0, expires_at=UNSET)).memory
    cleared = annotate(OWNER, ref(saved), Annotation(expires_at=None)).memory

    assert kept.head.annotations.tags == ("home",)
    assert kept.head.annotations.expires_at == START + timedelta(days=9)
    assert cleared.head.annotations.expires_at is None
    assert (cleared.head.count, cleared.head.revision) == (1, 4)


# --- forget and restore ---


def test_a_forgotten_belief_is_gone_until_it_is_restored(memory: Installation) -> None:
    saved = save(memory, "My locker number is 417")
    service = memory.wired.service

    gone = service.forget(OWNER, ref(saved))

    assert gone.restore_until - memory.clock.now() > timedelta(days=29)
    for look in (service.read, service.history, service.prove):
        with pytest.raises(NotFound):
            look(OWNER, ref(saved))
    assert service.read(OWNER, ref(saved), include_forgotten=True).head.state is State.FORGOTTEN
    with pytest.raises(NotAllowed):
        service.read(READER, ref(saved), include_forgotten=True)
    assert service.restore(OWNER, ref(saved)).head.state is State.LIVE
    assert save(memory, "My locker number is 417").outcome is Outcome.UNCHANGED


def test_restore_ends_with_the_window(memory: Installation) -> None:
    saved = save(memory, "x")
    memory.wired.service.forget(OWNER, ref(saved))
    memory.clock.turn(timedelta(days=31))

    with pytest.raises(WrongState):
        memory.wired.service.restore(OWNER, ref(saved))


def test_restore_beside_a_new_belief_with_the_same_text_keeps_both(memory: Installation) -> None:
    first = save(memory, "x")
    memory.wired.service.forget(OWNER, ref(first))
    second = save(memory, "x")

    restored = memory.wired.service.restore(OWNER, ref(first))

    assert restored.head.state is State.LIVE
    assert save(memory, "x").memory.head.root == second.memory.head.root


# --- who may ---


def test_what_is_unknown_and_what_lies_in_a_foreign_space_look_alike(memory: Installation) -> None:
    foreign = ref(save(memory, "secret", space="other"))
    service = memory.wired.service

    for call in (
        lambda r: service.read(WRITER, r),
        lambda r: service.history(WRITER, r),
        lambda r: service.prove(WRITER, r),
        lambda r: service.diff(WRITER, r, older=None, newer=None),
        lambda r: service.revise(WRITER, r, Revision("x")),
        lambda r: service.revert(WRITER, r, 1),
        lambda r: service.annotate(WRITER, r, Annotation(pinned=True)),
        lambda r: service.forget(WRITER, r),
        lambda r: service.restore(WRITER, r),
    ):
        messages = set()
        for target in (foreign, UNKNOWN):
            with pytest.raises(NotFound) as error:
                call(target)
            messages.add(str(error.value))
        assert len(messages) == 1


def test_readers_write_nothing(memory: Installation) -> None:
    saved = ref(save(memory, "x"))
    service = memory.wired.service

    for call in (
        lambda: service.remember(READER, Draft("y")),
        lambda: service.remember_all(READER, [Draft("y")]),
        lambda: service.revise(READER, saved, Revision("y")),
        lambda: service.revert(READER, saved, 1),
        lambda: service.annotate(READER, saved, Annotation(pinned=True)),
        lambda: service.forget(READER, saved),
        lambda: service.restore(READER, saved),
    ):
        with pytest.raises(NotAllowed):
            call()


# --- idempotency ---


def test_a_repeated_save_gives_the_first_answer_and_another_body_is_refused(memory: Installation) -> None:
    request = Idempotency("k", b"body")
    remember = memory.wired.service.remember

    first = remember(OWNER, Draft("paid 20 EUR"), request)
    memory.wired.service.revise(OWNER, ref(first), Revision("paid 30 EUR"))
    second = remember(OWNER, Draft("paid 20 EUR"), request)

    assert (second.outcome, second.memory.version) == (first.outcome, first.memory.version)
    with pytest.raises(IdempotencyReused):
        remember(OWNER, Draft("another"), Idempotency("k", b"another"))


def test_repeated_updates_with_one_key_make_one_version(memory: Installation) -> None:
    saved = save(memory, "x")
    request = Idempotency("k", b"body")

    with ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(lambda _: memory.wired.service.revise(OWNER, ref(saved), Revision("y"), request), range(16))
        )

    assert {answer.memory.version.number for answer in answers} == {2}
    assert memory.wired.service.read(OWNER, ref(saved)).head.count == 2


def test_no_text_stands_in_a_key_or_in_an_idempotency_record(memory: Installation) -> None:
    memory.wired.service.remember(OWNER, Draft("peregrine marmalade"), Idempotency("peregrine key", b"marmalade"))

    held = memory.sqlite.query(Query("DEPLOYMENT")).items
    assert held
    for key in memory.doorbells():
        assert "peregrine" not in "".join(key)
