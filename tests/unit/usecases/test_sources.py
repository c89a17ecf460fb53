"""What was made from other memories is hidden with them and back with them, on every surface."""

from __future__ import annotations

from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import lineage
from palimpsest.domain.belief import State, Status
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.errors import NotFound, WrongState
from palimpsest.domain.filters import Filters
from palimpsest.domain.finding import Reply
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ConflictId, KeyId, RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Statement
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.texts import Words
from palimpsest.usecases.drafts import Annotation, Draft, Outcome, Revision, Saved
from palimpsest.usecases.readings import FindingQuery, ListQuery
from tests.support.conflicting import KEEP_NEW, save
from tests.support.deriving import made_from
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import InterposingTable


def listed(memory: Installation) -> set[str]:
    return {m.version.statement.content for m in memory.wired.service.list_memories(OWNER, ListQuery()).memories}


@pytest.fixture
def family(memory: Installation) -> tuple[RootId, RootId, RootId, RootId]:
    one, other = RootId(memory.save("Ola likes walnuts")), RootId(memory.save("Ola likes hazelnuts"))
    summary = made_from(memory, "Ola likes nuts", one, other)
    return one, other, summary, made_from(memory, "Ola eats what grows on trees", summary)


def test_what_was_made_from_a_forgotten_memory_is_hidden_with_it_and_back_with_it(
    memory: Installation, family: tuple[RootId, RootId, RootId, RootId]
) -> None:
    one, _, summary, of_summary = family
    service = memory.wired.service
    everything = {"Ola likes walnuts", "Ola likes hazelnuts", "Ola likes nuts", "Ola eats what grows on trees"}
    assert listed(memory) == everything
    assert set(memory.recalled("Ola nuts trees likes eats")) & {"Ola likes nuts", "Ola eats what grows on trees"}

    service.forget(OWNER, VersionRef(one))

    assert listed(memory) == {"Ola likes hazelnuts"}
    assert memory.recalled("Ola nuts trees likes eats") == ["Ola likes hazelnuts"]
    for hidden in (summary, of_summary):
        ref = VersionRef(hidden)
        for verb in (
            lambda ref=ref: service.read(OWNER, ref),
            lambda ref=ref: service.read(OWNER, ref._replace(number=1)),
            lambda ref=ref: service.history(OWNER, ref),
            lambda ref=ref: service.diff(OWNER, ref, older=1, newer=1),
            lambda ref=ref: service.annotate(OWNER, ref, Annotation(pinned=True)),
            lambda ref=ref: service.revise(OWNER, ref, Revision("x")),
        ):
            with pytest.raises(NotFound):
                verb()
        assert service.read(OWNER, ref, include_forgotten=True).version.number == 1

    service.restore(OWNER, VersionRef(one))

    assert listed(memory) == everything
    assert set(memory.recalled("Ola nuts trees likes eats")) & {"Ola likes nuts", "Ola eats what grows on trees"}
    assert service.history(OWNER, VersionRef(of_summary)).head.current == 1


def test_what_was_made_from_an_erased_memory_can_not_be_restored(
    memory: Installation, family: tuple[RootId, RootId, RootId, RootId]
) -> None:
    one, other, summary, _ = family
    service = memory.wired.service

    erasure = service.erase(OWNER, VersionRef(one)).erasure
    hidden_at_once = listed(memory)
    memory.wired.worker(Work(Job.ERASE, erasure.id), lambda: 60.0)

    assert hidden_at_once == listed(memory) == {"Ola likes hazelnuts"}
    forgotten = service.list_memories(OWNER, ListQuery(filters=Filters(statuses=(Status.FORGOTTEN,)))).memories
    assert {m.head.root for m in forgotten} >= {summary}
    with pytest.raises(WrongState):
        service.restore(OWNER, VersionRef(summary))
    assert service.read(OWNER, VersionRef(other)).version.number == 1


def test_what_it_was_made_from_is_erased_while_it_is_restored_and_it_stays_forgotten(tmp_path: Path) -> None:
    """A second reader's report: the sources were looked at, and nothing held them until the step was written."""
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    service, source = memory.wired.service, RootId(memory.save("Ola likes walnuts"))
    summary = made_from(memory, "Ola likes nuts", source)
    service.forget(OWNER, VersionRef(summary))

    table.interpose(lambda name, _: name == "transact", lambda: service.erase(OWNER, VersionRef(source)))
    with pytest.raises(WrongState):
        service.restore(OWNER, VersionRef(summary))

    assert service.read(OWNER, VersionRef(summary), include_forgotten=True).head.state is State.FORGOTTEN
    sqlite.close()


def test_a_version_that_no_longer_says_what_it_was_made_from_is_shown_and_the_old_one_is_not(
    memory: Installation,
) -> None:
    source = RootId(memory.save("the code is 4711"))
    made = made_from(memory, "a code of four digits, 4711", source)
    service = memory.wired.service
    beliefs, space = service.remember.steps.beliefs, memory.wired.build_index.spaces.ensure("default")
    belief = beliefs.read(made)
    step = lineage.revise(
        belief.head, belief.current, Statement("there is a code", START), Stamp(START, KeyId("k")), because=None,
        embedded=False,
    )  # fmt: skip
    beliefs.commit(
        step, space, service.remember.featurise.one("there is a code"), text_before=Words.of(belief.current.statement)
    )

    service.forget(OWNER, VersionRef(source))

    assert service.read(OWNER, VersionRef(made)).version.statement.content == "there is a code"
    assert [m.version.number for m in service.history(OWNER, VersionRef(made)).versions] == [2]
    with pytest.raises(NotFound):
        service.read(OWNER, VersionRef(made, 1))
    with pytest.raises(NotFound):
        service.diff(OWNER, VersionRef(made), older=1, newer=2)


def test_a_conflict_and_a_finding_of_a_hidden_memory_are_not_there_and_nobody_answers_them(
    memory: Installation,
) -> None:
    service = memory.wired.service
    source = RootId(memory.save("Ola likes walnuts"))
    summary = service.read(OWNER, VersionRef(made_from(memory, "Ola likes nuts", source)))
    stood = Saved(summary, Outcome.ADDED)
    conflict = ConflictId(save(memory, Draft("Ola hates nuts"), stood).conflict_id or "")
    save(memory, Draft("Ola hates most nuts"), doubts=[stood])
    (doubt,) = service.findings.page(OWNER, FindingQuery()).findings

    service.forget(OWNER, VersionRef(source))

    for verb in (
        lambda: service.conflicts.one(OWNER, conflict),
        lambda: service.resolve(OWNER, conflict, KEEP_NEW),
        lambda: service.findings.answer(OWNER, doubt.finding.id, Reply.CONFIRM),
        lambda: service.findings.answer(OWNER, doubt.finding.id, Reply.DISMISS),
    ):
        with pytest.raises(NotFound):
            verb()
    assert not any(memory.head.is_disputed for memory in service.list_memories(OWNER, ListQuery()).memories)
    service.restore(OWNER, VersionRef(source))
    assert service.conflicts.one(OWNER, conflict).conflict.state is ConflictState.PENDING
    assert len([each for each in service.list_memories(OWNER, ListQuery()).memories if each.head.is_disputed]) == 2
    assert [each.finding for each in service.findings.page(OWNER, FindingQuery()).findings] == [doubt.finding]


def test_a_retry_does_not_show_what_was_made_from_a_memory_that_was_forgotten_since(memory: Installation) -> None:
    service, request = memory.wired.service, Idempotency("k", b"body")
    source = RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source))
    service.revise(OWNER, made, Revision("the four digits are 4711"), request)
    service.forget(OWNER, VersionRef(source))

    with pytest.raises(WrongState) as caught:
        service.revise(OWNER, made, Revision("the four digits are 4711"), request)
    assert "4711" not in str(caught.value)


def test_an_old_version_that_was_made_from_an_erased_memory_never_comes_back(memory: Installation) -> None:
    """A second reader's report: restored by what it says now, a memory could be reverted to what nobody may see."""
    service = memory.wired.service
    source = RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source))
    own = save(memory, Draft("there is a code of four digits"), same=Saved(service.read(OWNER, made), Outcome.ADDED))
    assert own.memory.version.ref == made._replace(number=2)
    erasure = service.erase(OWNER, VersionRef(source)).erasure
    memory.wired.worker(Work(Job.ERASE, erasure.id), lambda: 60.0)
    service.restore(OWNER, made)

    with pytest.raises(NotFound):
        service.revert(OWNER, made, 1)

    assert service.read(OWNER, made).version.statement.content == "there is a code of four digits"
    assert [m.version.number for m in service.history(OWNER, made).versions] == [2]
    for verb in (
        lambda: service.read(OWNER, made._replace(number=1)),
        lambda: service.diff(OWNER, made, older=1, newer=2),
    ):
        with pytest.raises(NotFound):
            verb()


def test_nobody_goes_back_to_what_was_made_from_a_forgotten_memory(memory: Installation) -> None:
    service = memory.wired.service
    source = RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source))
    save(memory, Draft("there is a code of four digits"), same=Saved(service.read(OWNER, made), Outcome.ADDED))
    service.forget(OWNER, VersionRef(source))

    with pytest.raises(NotFound):
        service.revert(OWNER, made, 1)

    service.restore(OWNER, VersionRef(source))
    assert service.revert(OWNER, made, 1).memory.version.number == 3


def test_what_it_was_made_from_is_erased_while_it_is_gone_back_to_and_it_is_not(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    service, source = memory.wired.service, RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source))
    save(memory, Draft("there is a code of four digits"), same=Saved(service.read(OWNER, made), Outcome.ADDED))

    table.interpose(lambda name, _: name == "transact", lambda: service.erase(OWNER, VersionRef(source)))
    with pytest.raises((NotFound, WrongState)):
        service.revert(OWNER, made, 1)

    assert service.read(OWNER, made).version.number == 2
    sqlite.close()


def test_a_decision_is_not_taken_back_to_what_was_made_from_an_erased_memory(memory: Installation) -> None:
    service = memory.wired.service
    source = RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source))
    conflict = ConflictId(
        save(memory, Draft("the code has five digits"), Saved(service.read(OWNER, made), Outcome.ADDED)).conflict_id
        or ""
    )
    service.resolve(OWNER, conflict, KEEP_NEW)
    service.erase(OWNER, VersionRef(source))

    with pytest.raises(WrongState):
        service.take_back(OWNER, conflict)

    assert service.read(OWNER, made).version.statement.content == "the code has five digits"


@pytest.mark.parametrize("canonical", [None, "the code is 4711"])
def test_a_restatement_goes_with_the_words_that_it_takes_over(memory: Installation, canonical: str | None) -> None:
    service = memory.wired.service
    source = RootId(memory.save("the code is 4711"))
    made = VersionRef(made_from(memory, "a code of four digits, 4711", source, canonical=canonical))
    save(memory, Draft("there is a code of four digits"), same=Saved(service.read(OWNER, made), Outcome.ADDED))

    service.forget(OWNER, VersionRef(source))

    is_shown = "there is a code of four digits" in listed(memory)
    assert is_shown is (canonical is None)
