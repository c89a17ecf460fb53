"""Erase: a memory goes for good, whatever is killed or comes late meanwhile; what is left are ids, counts and times."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Annotations
from palimpsest.domain.errors import HeadMoved, NotAllowed, NotFound, VersionMoved, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Statement
from palimpsest.ports.table import Key, Query
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import keys
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim
from palimpsest.usecases.erase import Receipt
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, START, Installation, install
from tests.support.passing_indexes import PassingIndexes
from tests.unit.jobs.test_slices import unlimited

WRITER = Caller(KeyId("writer"), Role.WRITER, spaces=None, max_trust=Trust.A2)
WORDS = ("peregrine", "marmalade", "chutney", "walrus", "larder", "vole")
RICH = Draft(
    "the vault stands behind peregrine marmalade",
    tags=("walrus",),
    metadata='{"where":"larder"}',
    attributed_to="vole",
    source=SourceClaim("user_direct", session="larder", channel="vole"),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    made = install(tmp_path)
    yield made
    made.sqlite.close()


def rich(memory: Installation, request: str = "save") -> RootId:
    """A memory that has left something of itself in every place."""
    service = memory.wired.service
    root = RootId(service.remember(OWNER, RICH, Idempotency(request, b"vole")).memory.head.root)
    service.revise(OWNER, VersionRef(root), Revision("the vault stands behind peregrine chutney"))
    service.annotate(OWNER, VersionRef(root), Annotation(tags=("walrus", "vole")))
    memory.index()
    service.recall(OWNER, RecallQuery("what stands behind the vault"))
    return root


def erase(memory: Installation, root: RootId) -> Receipt:
    """To the end."""
    asked = memory.wired.service.erase(OWNER, VersionRef(root))
    memory.wired.worker(Work(Job.ERASE, asked.erasure.id), unlimited)
    return memory.wired.service.erase.receipt(OWNER, asked.erasure.id)


def stored(memory: Installation) -> str:
    """Everything in the table, packed terms too."""
    items = []
    for item in memory.sqlite.scan().items:
        key = Key(str(item["pk"]), str(item["sk"]))
        items.append(repr(item))
        if keys.is_log(key) and "terms" in item:
            items += [
                repr(each) for each in memory.wired.index_changes.follow.beliefs.log.rows([key], with_features=True)
            ]
    return "\n".join(items)


def held(memory: Installation, root: RootId, versions: int) -> set[str]:
    """What the index that answers holds of it."""
    searching = memory.wired.index_changes.searching
    index, space = searching.open(searching.answering()).index, memory.wired.build_index.spaces.ensure("default")
    return set(index.held(space.id, [entry_key(root, number) for number in range(1, versions + 1)]))


def test_an_erased_memory_leaves_ids_and_a_receipt_and_nothing_else(memory: Installation) -> None:
    other = memory.save("the peregrine nests elsewhere")
    root = rich(memory)
    assert held(memory, root, 2)

    receipt = erase(memory, root)

    assert receipt.erasure.state == "verified"
    assert dict(receipt.erasure.removed) == {
        "text": 1, "version": 2, "event": 1, "vectors": 2, "change": 3, "recall": 1, "entry": 2
    }  # fmt: skip
    assert held(memory, root, 2) == set()
    assert memory.recalled("the peregrine behind the vault") == ["the peregrine nests elsewhere"]
    kept = [item for item in memory.sqlite.scan().items if item["pk"] == f"M#{root}"]
    assert [(item["sk"], item["state"]) for item in kept] == [("H", "erased")]
    assert memory.wired.service.read(OWNER, VersionRef(RootId(other))).version.number == 1


def test_no_word_of_an_erased_memory_is_left_in_the_table(memory: Installation) -> None:
    root = rich(memory)
    before = stored(memory)
    assert all(word in before for word in WORDS)

    receipt = erase(memory, root)

    assert [word for word in (*WORDS, "peregrin", "marmalad") if word in stored(memory)] == []
    assert not any(word in json.dumps(str(receipt)) for word in WORDS)


def test_the_receipt_says_what_remains_and_until_when(memory: Installation) -> None:
    receipt = erase(memory, rich(memory))

    asked = receipt.erasure.asked_at
    assert [(each.where, each.holds, each.until) for each in receipt.remains] == [
        ("idempotency_records", "ids", asked + timedelta(hours=24)),
        ("change_log", "ids", asked + timedelta(days=30)),
        ("tombstone", "ids", None),
    ]


def test_erasing_again_is_the_same_erasure(memory: Installation) -> None:
    root = rich(memory)
    service = memory.wired.service

    first = service.erase(OWNER, VersionRef(root), Idempotency("e", b"1"))
    again = service.erase(OWNER, VersionRef(root), Idempotency("e", b"1"))
    done = erase(memory, root)

    assert first == again
    assert done.erasure.id == first.erasure.id
    assert service.erase(OWNER, VersionRef(root)) == done


@pytest.mark.parametrize("is_done", [False, True])
def test_whatever_names_an_erased_memory_is_not_found(memory: Installation, is_done: bool) -> None:
    root = rich(memory)
    service, ref = memory.wired.service, VersionRef(root)
    erase(memory, root) if is_done else service.erase(OWNER, ref)

    for verb in (
        lambda: service.read(OWNER, ref, include_forgotten=True),
        lambda: service.read(OWNER, ref._replace(number=1)),
        lambda: service.history(OWNER, ref, include_forgotten=True),
        lambda: service.diff(OWNER, ref, older=1, newer=2),
        lambda: service.prove(OWNER, ref),
        lambda: service.restore(OWNER, ref),
        lambda: service.forget(OWNER, ref),
        lambda: service.revise(OWNER, ref, Revision("x")),
        lambda: service.revert(OWNER, ref, 1),
        lambda: service.annotate(OWNER, ref, Annotation(pinned=True)),
    ):
        with pytest.raises(NotFound):
            verb()


def test_a_retry_of_a_save_whose_memory_is_erased_is_told_so(memory: Installation) -> None:
    erase(memory, rich(memory))

    with pytest.raises(WrongState):
        memory.wired.service.remember(OWNER, RICH, Idempotency("save", b"vole"))


def test_only_an_owner_erases_and_only_the_whole_memory(memory: Installation) -> None:
    root = rich(memory)
    service = memory.wired.service

    with pytest.raises(NotAllowed):
        service.erase(WRITER, VersionRef(root))
    with pytest.raises(VersionMoved):
        service.erase(OWNER, VersionRef(root, 1))
    stranger = Caller(KeyId("o"), Role.OWNER, spaces=("elsewhere",), max_trust=Trust.A1)
    with pytest.raises(NotFound):
        service.erase(stranger, VersionRef(root))
    begun = service.erase(OWNER, VersionRef(root, 2))
    with pytest.raises(NotFound):
        service.erase(stranger, VersionRef(root))
    with pytest.raises(NotFound):
        service.erase.receipt(stranger, begun.erasure.id)
    with pytest.raises(NotAllowed):
        service.erase.receipt(WRITER, begun.erasure.id)


def test_the_same_text_can_be_saved_again_and_has_nothing_to_do_with_what_was_erased(memory: Installation) -> None:
    """doobidoo/mcp-memory-service#1079: a tombstone that blocked storing the same text again."""
    root = rich(memory)
    service = memory.wired.service
    service.erase(OWNER, VersionRef(root))

    again = service.remember(OWNER, Draft("the vault stands behind peregrine chutney"))
    erase(memory, root)

    assert again.outcome == "added"
    assert again.memory.head.root != root
    assert memory.recalled("peregrine chutney") == ["the vault stands behind peregrine chutney"]


def test_nothing_is_begun_again_under_the_id_of_an_erased_memory(memory: Installation) -> None:
    root = rich(memory)
    erase(memory, root)
    service, space = memory.wired.service, memory.wired.build_index.spaces.ensure("default")
    step = lineage.begin(
        root, space.id, Statement("back", START), Stamp(START, KeyId("k")), annotations=Annotations(), embedded=False
    )

    with pytest.raises(HeadMoved):
        service.remember.steps.beliefs.commit(step, space, None, text_before=None)


def test_a_crash_between_any_two_operations_changes_neither_the_end_nor_the_counts(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    crashing = CrashingTable(sqlite)
    memory = install(tmp_path, table=crashing, sqlite=sqlite)
    service, worker = memory.wired.service, memory.wired.worker
    expected = dict(erase(memory, rich(memory)).erasure.removed)
    survived = 0
    for at in range(200):
        root = rich(memory, f"save {at}")
        crashing.crash_at(at // 2, is_after=bool(at % 2))
        try:
            erasure = service.erase(OWNER, VersionRef(root)).erasure.id
            worker(Work(Job.ERASE, erasure), unlimited)
        except Crashed:
            crashing.live_on()
            memory.clock.turn(timedelta(hours=1))
        else:
            crashing.live_on()
            break
        survived += 1

        receipt = erase(memory, root)

        assert dict(receipt.erasure.removed) == expected, at
        assert receipt.erasure.state == "verified"
        assert [item["sk"] for item in sqlite.query(Query(f"M#{root}")).items] == ["H"], at
        assert held(memory, root, 2) == set()
    erase(memory, rich(memory, "the last one"))
    assert not any(word in stored(memory) for word in WORDS)
    assert survived > 40
    sqlite.close()


def test_an_erasure_whose_message_was_lost_is_asked_for_by_a_plan(memory: Installation) -> None:
    root = rich(memory)
    begun = memory.wired.service.erase(OWNER, VersionRef(root)).erasure
    while memory.queue.take(0.0) is not None:
        pass
    memory.clock.turn(timedelta(minutes=2))

    memory.wired.plan()

    bodies = [delivery.body for delivery in iter(lambda: memory.queue.take(0.0), None)]
    assert sum(begun.id in body for body in bodies) == 1
    erase(memory, root)
    memory.clock.turn(timedelta(hours=1))
    memory.wired.plan()
    assert not any(begun.id in d.body for d in iter(lambda: memory.queue.take(0.0), None))


def test_slices_with_no_time_come_to_the_same_end(memory: Installation) -> None:
    root = rich(memory)
    begun = memory.wired.service.erase(OWNER, VersionRef(root)).erasure
    slices = 0

    while memory.wired.service.erase.receipt(OWNER, begun.id).erasure.state == "pending":
        memory.wired.worker(Work(Job.ERASE, begun.id), lambda: 0.0)
        slices += 1
        assert slices < 100

    assert memory.wired.service.erase.receipt(OWNER, begun.id).erasure.removed["version"] == 2
    assert slices > 5


def test_a_hundred_versions_go_in_parts(memory: Installation) -> None:
    root = RootId(memory.save("peregrine number 0"))
    for number in range(1, 100):
        memory.wired.service.revise(OWNER, VersionRef(root), Revision(f"peregrine number {number}"))
    memory.index()

    receipt = erase(memory, root)

    removed = receipt.erasure.removed
    assert (removed["version"], removed["vectors"], removed["change"], removed["entry"]) == (100, 100, 100, 100)
    assert "peregrin" not in stored(memory)


def test_where_stores_show_writes_late_each_place_is_asked_again_after_a_while(tmp_path: Path) -> None:
    indexes = PassingIndexes(tmp_path, lambda inner: inner, is_remote=True)
    memory = install(tmp_path, indexes=indexes, refresh=timedelta(seconds=60), settle=timedelta(seconds=60))
    root = rich(memory)

    begun = memory.wired.service.erase(OWNER, VersionRef(root)).erasure
    passes = []
    for _ in range(3):
        memory.wired.worker(Work(Job.ERASE, begun.id), unlimited)
        memory.wired.worker(Work(Job.ERASE, begun.id), unlimited)  # too early, so nothing is done
        passes.append(memory.wired.service.erase.receipt(OWNER, begun.id).erasure)
        memory.clock.turn(timedelta(seconds=61))

    assert [(each.progress.done, each.progress.empty, str(each.state)) for each in passes] == [
        (1, 0, "pending"),
        (2, 1, "pending"),
        (3, 2, "verified"),
    ]
    memory.sqlite.close()
