"""Read, list, history, diff, proof."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import Role
from palimpsest.domain.belief import AnnotationChange, Annotations, Status
from palimpsest.domain.errors import CursorRefused, Invalid, NotAllowed, NotFound
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import MemoryType, Reason
from palimpsest.ports.table import Put
from palimpsest.stores import keys
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Annotation, Draft, Revision
from palimpsest.usecases.readings import ListQuery, StepRecord
from tests.support.installation import OWNER, Installation, install
from tests.support.metered_table import MeteredTable


def versions(memory: Installation, *texts: str) -> VersionRef:
    ref = VersionRef(RootId(memory.save(texts[0])))
    for text in texts[1:]:
        memory.wired.service.revise(OWNER, ref, Revision(text))
    return ref


def listed(memory: Installation, **query: object) -> list[str]:
    page = memory.wired.service.list_memories(OWNER, ListQuery(**query))  # type: ignore[arg-type]
    return [m.version.statement.content for m in page.memories]


def test_any_version_can_be_read_and_says_since_when_it_is_stale(memory: Installation) -> None:
    ref = versions(memory, "one", "two", "three")
    read = memory.wired.service.read

    old, now = read(OWNER, ref._replace(number=1)), read(OWNER, ref)

    assert (old.version.statement.content, old.status) == ("one", Status.STALE)
    assert old.stale_since == read(OWNER, ref._replace(number=2)).version.recorded_at
    assert (now.version.number, now.status, now.stale_since) == (3, Status.CURRENT, None)
    with pytest.raises(NotFound):
        read(OWNER, ref._replace(number=4))


def test_the_history_pages_through_every_version_and_step_once(memory: Installation) -> None:
    ref = versions(memory, *(f"text {n}" for n in range(7)))
    service = memory.wired.service
    service.annotate(OWNER, ref, Annotation(pinned=True))
    service.revert(OWNER, ref, 1)
    service.forget(OWNER, ref)
    service.restore(OWNER, ref)

    numbers: list[int] = []
    steps: list[StepRecord] = []
    cursor = None
    while True:
        page = service.history(OWNER, ref, limit=3, cursor=cursor)
        numbers += [m.version.number for m in page.versions]
        steps += page.steps
        cursor = page.next_cursor
        if cursor is None:
            break

    assert numbers == [8, 7, 6, 5, 4, 3, 2, 1]
    assert [step.revision for step in steps] == list(range(11, 0, -1))
    assert [step.reason for step in steps[:4]] == [
        Reason.RESTORED,
        Reason.FORGOTTEN,
        Reason.REVERTED,
        Reason.ANNOTATED,
    ]
    assert (steps[2].version, steps[2].note) == (8, "1")
    assert service.prove(OWNER, ref).is_verified


def test_a_page_of_history_holds_no_more_steps_than_its_limit(memory: Installation) -> None:
    ref = versions(memory, "one", "two")
    service = memory.wired.service
    for importance in range(2, 9):
        service.annotate(OWNER, ref, Annotation(importance=importance))

    pages: list[tuple[list[int], list[int]]] = []
    stale_since: list[datetime | None] = []
    cursor = None
    while not pages or cursor:
        page = service.history(OWNER, ref, limit=2, cursor=cursor)
        pages.append(([s.revision for s in page.steps], [m.version.number for m in page.versions]))
        stale_since = [m.stale_since for m in page.versions]
        cursor = page.next_cursor

    assert pages == [([9, 8], []), ([7, 6], []), ([5, 4], []), ([3, 2], [2]), ([1], [1])]
    assert stale_since == [service.read(OWNER, ref).version.recorded_at]


def test_a_history_tells_what_an_annotation_changed_before_and_after(memory: Installation) -> None:
    ref = VersionRef(RootId(memory.save("Marta prefers tea")))
    service = memory.wired.service
    ends = memory.clock.now() + timedelta(days=9)
    service.annotate(OWNER, ref, Annotation(tags=("home", "drinks")))
    service.annotate(OWNER, ref, Annotation(tags=(), pinned=True, importance=0.5, expires_at=ends))

    second, first, saved = (step.annotated for step in service.history(OWNER, ref).steps)

    tagged = Annotations(tags=("home", "drinks"))
    assert saved is None
    assert first == AnnotationChange(Annotations(), tagged)
    assert second == AnnotationChange(tagged, Annotations((), pinned=True, importance=0.5, expires_at=ends))


def test_writers_read_the_history_of_a_forgotten_memory_when_they_ask_for_it(memory: Installation) -> None:
    ref = versions(memory, "one", "two")
    service = memory.wired.service
    service.forget(OWNER, ref)

    history = service.history(OWNER, ref, include_forgotten=True)

    assert [m.status for m in history.versions] == [Status.FORGOTTEN, Status.FORGOTTEN]
    assert [step.reason for step in history.steps] == [Reason.FORGOTTEN, Reason.UPDATED, Reason.SAVED]
    with pytest.raises(NotFound):
        service.history(OWNER, ref)
    with pytest.raises(NotAllowed):
        service.history(replace(OWNER, role=Role.READER), ref, include_forgotten=True)


def test_a_reversed_range_of_dates_is_refused(memory: Installation) -> None:
    service = memory.wired.service
    now = memory.clock.now()
    backwards = Filters(dated_from=now, dated_until=now - timedelta(days=1))

    with pytest.raises(Invalid) as listing:
        service.list_memories(OWNER, ListQuery(filters=backwards))
    with pytest.raises(Invalid) as recall:
        service.recall(OWNER, RecallQuery("tea", filters=backwards))

    assert (listing.value.field, recall.value.field) == ("date_to", "date_to")
    assert service.list_memories(OWNER, ListQuery(filters=Filters(dated_from=now, dated_until=now))).memories == ()


def test_a_diff_compares_the_last_two_versions_unless_told_otherwise(memory: Installation) -> None:
    ref = versions(memory, "a b", "a c", "a d")
    diff = memory.wired.service.diff

    assert (diff(OWNER, ref, older=None, newer=None).older, diff(OWNER, ref, older=1, newer=3).older) == (2, 1)
    with pytest.raises(NotFound):
        diff(OWNER, ref, older=1, newer=9)


def test_a_proof_names_the_version_that_was_forged(memory: Installation) -> None:
    ref = versions(memory, "one", "two", "three")
    assert memory.wired.service.prove(OWNER, ref).is_verified

    place = keys.version(ref.root, 2)
    row = dict(memory.sqlite.get([place]).items[place])
    memory.sqlite.write(Put(row | {"content": "forged"}))

    proof = memory.wired.service.prove(OWNER, ref)
    assert [link.is_intact for link in proof.links] == [True, False, True]
    assert not proof.is_verified


def test_a_list_pages_newest_first_through_everything_once(memory: Installation) -> None:
    for n in range(61):
        memory.save(f"item {n}")

    seen: list[str] = []
    cursor = None
    for _ in range(10):
        page = memory.wired.service.list_memories(OWNER, ListQuery(limit=25, cursor=cursor))
        seen += [m.version.statement.content for m in page.memories]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert seen == [f"item {n}" for n in range(60, -1, -1)]


def test_a_cursor_is_bound_to_its_query(memory: Installation) -> None:
    for n in range(3):
        memory.save(f"item {n}")
    query = ListQuery(limit=1)
    cursor = memory.wired.service.list_memories(OWNER, query).next_cursor

    for other in (
        replace(query, space="other"),
        replace(query, words="x"),
        replace(query, filters=Filters(tags=("x",))),
    ):
        with pytest.raises(CursorRefused):
            memory.wired.service.list_memories(OWNER, replace(other, cursor=cursor))


def test_lists_are_filtered(memory: Installation) -> None:
    remember = memory.wired.service.remember
    remember(OWNER, Draft("Backups run at two", tags=("ops", "db"), memory_type=MemoryType.PROCEDURE))
    remember(OWNER, Draft("Ola lubi koty", tags=("home",)))

    assert listed(memory, filters=Filters(tags=("ops",))) == ["Backups run at two"]
    assert listed(memory, filters=Filters(tags=("ops", "home"))) == []
    assert listed(memory, filters=Filters(memory_types=(MemoryType.FACT,))) == ["Ola lubi koty"]
    assert listed(memory, words="kotem") == ["Ola lubi koty"]
    assert listed(memory, words="kot backup") == []
    assert listed(memory, space="empty") == []


def test_forgotten_memories_are_listed_only_when_asked_for(memory: Installation) -> None:
    ref = versions(memory, "gone")
    memory.wired.service.forget(OWNER, ref)

    assert listed(memory) == []
    assert listed(memory, filters=Filters(statuses=(Status.FORGOTTEN,))) == ["gone"]
    with pytest.raises(Invalid):
        listed(memory, filters=Filters(statuses=(Status.STALE,)))


def test_an_expired_memory_is_neither_listed_nor_recalled(memory: Installation) -> None:
    ends = memory.clock.now() + timedelta(hours=1)
    memory.wired.service.remember(OWNER, Draft("the offer ends soon", expires_at=ends))
    assert listed(memory) == memory.recalled("offer") == ["the offer ends soon"]

    memory.clock.turn(timedelta(hours=2))

    assert listed(memory) == memory.recalled("offer") == []


@pytest.mark.parametrize("words", ["???", " ", "- …"])
def test_words_of_which_none_counts_do_not_mean_every_memory(memory: Installation, words: str) -> None:
    versions(memory, "coffee with milk")

    for call in (
        lambda: listed(memory, words=words),
        lambda: memory.wired.service.forget_many(OWNER, None, Selection(words=words)),
        lambda: memory.wired.service.erase_many(OWNER, None, Selection(words=words, tags=("work",))),
    ):
        with pytest.raises(Invalid, match="no word") as caught:
            call()
        assert caught.value.field == "q"


def test_words_without_a_letter_or_digit_do_not_empty_a_list(memory: Installation) -> None:
    memory.save("coffee with milk")

    assert listed(memory, words="coffee - milk") == ["coffee with milk"]
    assert listed(memory, words="coffee - tea") == []


def test_a_short_filtered_list_reads_many_at_once_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    memory = install(tmp_path, table=(table := MeteredTable(sqlite)), sqlite=sqlite)
    for n in range(60):
        memory.save(f"{'rare' if n in (3, 4, 30) else 'usual'} {n}")
    table.begin()

    found, cursor = [], None
    for page in range(3):
        answer = memory.wired.service.list_memories(OWNER, ListQuery(words="rare", limit=1, cursor=cursor))
        found += [m.version.statement.content for m in answer.memories]
        cursor = answer.next_cursor
        if page == 0:
            assert table.calls < 15

    assert found == ["rare 30", "rare 4", "rare 3"]
    assert cursor is not None
    assert memory.wired.service.list_memories(OWNER, ListQuery(words="rare", limit=1, cursor=cursor)).memories == ()
    sqlite.close()
