"""The two times of a recall: what was true then, and what was believed then."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import moving
from palimpsest.domain.belief import State, Status
from palimpsest.domain.errors import Invalid
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Because, Reason
from palimpsest.settings import Settings
from palimpsest.stores.texts import Words
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Revision
from palimpsest.usecases.readings import ListQuery
from tests.support import conflicting
from tests.support.installation import OWNER, Installation, install
from tests.support.metered_table import MeteredTable

PATIENT = Settings(key="k" * 43, recall_seconds=25.0)
"""However busy the machine is, there is time to ask the arms for more."""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    """An installation whose recalls take all the time that they need."""
    installation = install(tmp_path, settings=PATIENT)
    yield installation
    installation.sqlite.close()


def on(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def recalled(memory: Installation, query: str, as_of: str | None = None, believed_at: str | None = None) -> list[str]:
    filters = Filters(as_of=on(as_of) if as_of else None, believed_at=on(believed_at) if believed_at else None)
    answer = memory.wired.service.recall(OWNER, RecallQuery(query, filters=filters, is_dry_run=True))
    return [each.version.statement.content for each in answer.memories]


def texts(memory: Installation, query: str, limit: int = 10, spaces: tuple[str, ...] = (), **filters: Any) -> list[str]:
    asked = RecallQuery(query, limit=limit, spaces=spaces, filters=Filters(**filters), is_dry_run=True)
    return [each.version.statement.content for each in memory.wired.service.recall(OWNER, asked).memories]


def test_what_was_true_and_what_was_believed_are_two_questions(memory: Installation) -> None:
    service = memory.wired.service
    saved = service.remember(OWNER, Draft("Marta works at Alfa", valid_from=on("2023-01-01")))
    memory.clock.turn(timedelta(days=30))
    service.revise(
        OWNER, VersionRef(saved.memory.head.root), Revision("Marta works at Beta", valid_from=on("2025-03-01"))
    )

    for _ in range(2):
        assert recalled(memory, "where does Marta work") == ["Marta works at Beta"]
        assert recalled(memory, "where does Marta work", "2024-06-01") == ["Marta works at Alfa"]
        assert recalled(memory, "where does Marta work", "2022-06-01") == []
        assert recalled(memory, "where does Marta work", None, "2026-03-02") == ["Marta works at Alfa"]
        assert recalled(memory, "where does Marta work", None, "2024-06-01") == []
        memory.index()


@pytest.mark.parametrize("is_indexed", [False, True])
def test_what_has_ended_leaves_today_s_recall_full(memory: Installation, is_indexed: bool) -> None:
    service = memory.wired.service
    for number in range(150):
        service.remember(OWNER, Draft(f"parking offer {number}", valid_until=on("2026-04-01")))
    rest = {memory.save(f"offer of the bakery, number {number}, with bread and cheese and wine") for number in range(4)}
    memory.clock.turn(timedelta(days=60))
    if is_indexed:
        memory.index()

    found = texts(memory, "parking offer", limit=4)

    assert len(found) == len(rest)
    assert all("bakery" in text for text in found)


def test_many_versions_of_one_memory_keep_no_other_from_being_found(memory: Installation) -> None:
    service = memory.wired.service
    other = memory.save("the gauge in the cellar reads what it reads")
    gauge = VersionRef(RootId(memory.save("gauge reads 0")))
    for number in range(1, 150):
        memory.clock.turn(timedelta(hours=1))
        service.revise(OWNER, gauge, Revision(f"gauge reads {number}", because=Because.CHANGED))
    memory.index()

    found = texts(memory, "gauge reads", limit=2, as_of=on("2026-03-02"))

    assert len(found) == 2
    assert any(text.startswith("gauge reads ") for text in found)
    assert service.read(OWNER, VersionRef(RootId(other))).version.statement.content in found


def test_what_begins_later_leaves_the_version_before_to_be_found_by_its_own_words(memory: Installation) -> None:
    service = memory.wired.service
    office = VersionRef(RootId(memory.save("We sit in the brick house at the harbour")))
    service.revise(OWNER, office, Revision("Moved to Sopot", valid_from=on("2026-12-01")))
    for number in range(120):
        memory.save(f"harbour master's note {number}: brick delivery for the house")
    memory.index()
    service.remember(OWNER, Draft("note", judge=JudgeMode.OFF))
    memory.index()

    assert "We sit in the brick house at the harbour" in texts(memory, "We sit in the brick house at the harbour")
    memory.clock.turn(timedelta(days=300))
    assert texts(memory, "Moved to Sopot", limit=1) == ["Moved to Sopot"]


def test_the_two_times_hold_in_each_of_several_spaces(memory: Installation) -> None:
    service = memory.wired.service
    for space, begins in (("north", "2023-01-01"), ("south", "2025-01-01")):
        service.remember(OWNER, Draft(f"The ferry of the {space} runs", space=space, valid_from=on(begins)))

    both = texts(memory, "the ferry runs", spaces=("north", "south"), as_of=on("2025-06-01"))

    assert sorted(both) == ["The ferry of the north runs", "The ferry of the south runs"]
    assert texts(memory, "the ferry runs", spaces=("north", "south"), as_of=on("2024-01-01")) == [
        "The ferry of the north runs"
    ]


def test_what_has_ended_is_still_listed_read_and_shown_among_the_older_versions(memory: Installation) -> None:
    service = memory.wired.service
    saved = service.remember(OWNER, Draft("Parking is free", valid_until=on("2026-04-01")))
    memory.clock.turn(timedelta(days=60))

    assert texts(memory, "parking") == []
    assert texts(memory, "parking", statuses=(Status.CURRENT, Status.STALE)) == ["Parking is free"]
    assert [m.status for m in service.list_memories(OWNER, ListQuery()).memories] == [Status.CURRENT]
    assert service.read(OWNER, VersionRef(saved.memory.head.root)).status is Status.CURRENT


def test_a_list_takes_a_status_or_a_time(memory: Installation) -> None:
    filters = Filters(statuses=(Status.RETIRED,), as_of=on("2026-01-01"))

    with pytest.raises(Invalid, match="a status or a time"):
        memory.wired.service.list_memories(OWNER, ListQuery(filters=filters))


def test_of_a_long_lineage_a_recall_reads_what_it_takes(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    memory = install(tmp_path, table=(table := MeteredTable(sqlite)), sqlite=sqlite, settings=PATIENT)
    gauge = VersionRef(RootId(memory.save("gauge reads 0")))
    for number in range(1, 150):
        memory.clock.turn(timedelta(hours=1))
        memory.wired.service.revise(OWNER, gauge, Revision(f"gauge reads {number}", because=Because.CHANGED))
    memory.index()
    memory.clock.turn(timedelta(hours=1))

    asked: list[tuple[list[str], int]] = []
    for at in (None, on("2026-03-02")):
        table.begin()
        asked.append((texts(memory, "gauge reads", limit=1, believed_at=at), int(table.spent.read)))

    assert [found for found, _ in asked] == [["gauge reads 149"], ["gauge reads 14"]]
    assert asked[1][1] < asked[0][1] + 2 * 150  # each version and its head once, at the worst
    sqlite.close()


def move(memory: Installation, root: str, reason: Reason, state: State) -> None:
    """A decision takes a belief out of recall, or lets it back."""
    steps = memory.wired.service.read.steps
    space, belief = steps.find(OWNER, RootId(root))
    step = moving.move(belief.head, Stamp(memory.clock.now(), OWNER.key), reason, state=state)
    text = Words.of(belief.current.statement)
    features = None if state is State.RETIRED else memory.wired.service.remember.featurise.one(text.content)
    steps.beliefs.commit(step, space, features, text_before=text)


@pytest.mark.parametrize("is_indexed", [False, True])
def test_what_a_decision_retired_was_believed_until_then_and_is_again_once_it_is_back(
    memory: Installation, is_indexed: bool
) -> None:
    root = memory.save("The harbour is closed")
    listed = memory.wired.service.list_memories
    for reason, state in ((Reason.RETIRED, State.RETIRED), (Reason.REINSTATED, State.LIVE)):
        memory.clock.turn(timedelta(days=10))
        move(memory, root, reason, state)
        if is_indexed:
            memory.index()
        found = {
            day: texts(memory, "harbour", believed_at=on(day)) for day in ("2026-02-01", "2026-03-05", "2026-03-15")
        }

        assert found == {"2026-02-01": [], "2026-03-05": ["The harbour is closed"], "2026-03-15": []}
        assert [len(listed(OWNER, ListQuery(filters=Filters(believed_at=on(day)))).memories) for day in found] == [
            0,
            1,
            0,
        ]
        is_back = state is State.LIVE
        assert texts(memory, "harbour") == texts(memory, "harbour", as_of=on("2026-03-05"))
        assert texts(memory, "harbour") == ["The harbour is closed"] * is_back
        assert texts(memory, "harbour", statuses=(Status.CURRENT, Status.STALE)) == texts(memory, "harbour")


def test_an_older_version_of_what_is_retired_is_not_shown_among_the_older_versions(memory: Installation) -> None:
    root = memory.save("The harbour is closed")
    memory.wired.service.revise(OWNER, VersionRef(RootId(root)), Revision("The harbour is open"))
    move(memory, root, Reason.RETIRED, State.RETIRED)
    memory.index()

    assert texts(memory, "harbour", statuses=(Status.CURRENT, Status.STALE)) == []
    assert texts(memory, "harbour", believed_at=memory.clock.now() - timedelta(days=1)) == []


@pytest.mark.parametrize("is_judged", [False, True])
@pytest.mark.parametrize(
    "draft",
    [Draft("Parking is free", valid_until=on("2026-04-01")), Draft("Parking is free", valid_from=on("2027-01-01"))],
    ids=["ended", "later"],
)
def test_what_has_ended_or_begins_later_is_true_again_once_it_is_saved_again(
    memory: Installation, draft: Draft, is_judged: bool
) -> None:
    first = memory.wired.service.remember(OWNER, draft)
    memory.clock.turn(timedelta(days=60))
    assert texts(memory, "parking") == []

    if is_judged:
        again = conflicting.save(memory, Draft("Parking costs nothing"), same=first)
    else:
        again = memory.wired.service.remember(OWNER, Draft("Parking is free"))

    assert (again.outcome, again.memory.head.root) == (Outcome.VERSIONED, first.memory.head.root)
    assert texts(memory, "parking") == [again.memory.version.statement.content]
    assert texts(memory, "parking", as_of=on("2026-04-15")) == []


def test_a_restatement_that_names_a_time_of_its_own_does_not_end_before_it_begins(memory: Installation) -> None:
    first = memory.wired.service.remember(OWNER, Draft("Parking is free", valid_until=on("2026-06-01")))

    again = conflicting.save(memory, Draft("Parking costs nothing", valid_from=on("2026-08-01")), same=first)

    assert again.outcome is Outcome.VERSIONED
    assert texts(memory, "parking") == ["Parking is free"]
    assert texts(memory, "parking", as_of=on("2026-07-01")) == []
    assert texts(memory, "parking", as_of=on("2026-09-01")) == ["Parking costs nothing"]


def test_an_end_that_is_told_later_holds_for_the_world_and_not_for_what_was_believed(memory: Installation) -> None:
    service = memory.wired.service
    parking = VersionRef(service.remember(OWNER, Draft("Parking is free")).memory.head.root)
    memory.clock.turn(timedelta(days=30))

    ended = service.revise(OWNER, parking, Revision(valid_until=on("2026-06-01")))

    assert ended.outcome is Outcome.VERSIONED
    assert ended.memory.head.embedded == 2
    assert recalled(memory, "parking", "2026-05-31") == recalled(memory, "parking", "2020-01-01") == ["Parking is free"]
    assert recalled(memory, "parking", "2026-06-01") == []
    assert recalled(memory, "parking", "2026-06-01", "2026-03-15") == ["Parking is free"]
    service.revise(OWNER, parking, Revision(valid_until=None))
    assert recalled(memory, "parking", "2026-06-01") == ["Parking is free"]


def test_who_is_trusted_less_says_what_has_ended_again_beside_it_and_never_over_it(memory: Installation) -> None:
    service = memory.wired.service
    first = service.remember(OWNER, Draft("Parking is free", valid_until=on("2026-04-01")))
    memory.clock.turn(timedelta(days=90))

    again = service.remember(conflicting.WRITER, Draft("Parking is free"))
    once_more = service.remember(conflicting.WRITER, Draft("Parking is free"))

    assert (first.memory.version.statement.source.trust, again.outcome) == (Trust.A1, Outcome.ADDED)
    assert again.memory.head.root != first.memory.head.root
    assert (once_more.outcome, once_more.memory.head.root) == (Outcome.UNCHANGED, again.memory.head.root)
    assert service.read(OWNER, VersionRef(first.memory.head.root)).version == first.memory.version
    assert memory.recalled("parking") == ["Parking is free"]


def test_the_same_text_of_a_time_that_is_over_anyway_changes_nothing(memory: Installation) -> None:
    draft = Draft("Parking is free", valid_until=on("2026-04-01"))
    memory.wired.service.remember(OWNER, draft)
    memory.clock.turn(timedelta(days=60))

    assert memory.wired.service.remember(OWNER, draft).outcome is Outcome.UNCHANGED
