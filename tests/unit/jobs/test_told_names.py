"""A capitalised phrase is a name once two sources have it: the older one is told, and the name goes as it came."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.jobs.hear_changes import GATHERED
from palimpsest.usecases.entities import EntityEdit, NewEntity
from tests.support.graph import entities, everything, links, named, require_counts, resume, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import InterposingTable, dies
from tests.support.run_driving import work

OLA = "Ola Nowak works at Acme Corp"
PRAISED = "Yesterday everybody praised Silver Otter again."
LATE = "The plan of Silver Otter is late."


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def undo(memory: Installation, root: str) -> None:
    """Take back the run that had read a memory."""
    (links_of_it,) = links(memory, root)
    assert links_of_it.run
    memory.wired.service.runs.undo(OWNER, links_of_it.run)
    settle(memory)


def test_a_capitalised_phrase_is_a_name_once_two_sources_have_it_and_then_in_both(memory: Installation) -> None:
    first = memory.save(PRAISED)
    settle(memory)
    alone = set(entities(memory))
    second = memory.save(LATE)

    settle(memory)

    assert (alone, named(memory, first), named(memory, second)) == (set(), [{"Silver Otter"}], [{"Silver Otter"}])
    require_counts(memory)


def test_an_undone_run_takes_back_a_name_that_it_told_an_older_source(memory: Installation) -> None:
    older = memory.save(f"{OLA}. {PRAISED}")
    settle(memory)
    newer = memory.save(LATE)
    settle(memory)
    assert named(memory, older) == [{"Ola Nowak", "Acme", "Silver Otter"}]

    undo(memory, newer)

    assert (named(memory, older), named(memory, newer)) == ([{"Ola Nowak", "Acme"}], [set()])
    assert "Silver Otter" not in entities(memory)
    require_counts(memory)


def test_a_name_that_an_older_source_was_told_goes_with_the_run_that_had_read_that(memory: Installation) -> None:
    older = memory.save(PRAISED)
    settle(memory)
    newer = memory.save(LATE)
    settle(memory)

    undo(memory, older)

    assert (named(memory, older), named(memory, newer)) == ([set()], [{"Silver Otter"}])
    require_counts(memory)


@pytest.mark.parametrize("what", ["say", "retype", "merge"])
def test_an_undone_run_takes_back_no_name_that_somebody_says_or_decided_of(memory: Installation, what: str) -> None:
    older = memory.save(PRAISED)
    settle(memory)
    newer = memory.save(LATE)
    settle(memory)
    otter, graph = entities(memory)["Silver Otter"].id, memory.wired.service.graph
    if what == "say":
        memory.save("Nobody heard of Silver Otter today.")
        settle(memory)
    elif what == "retype":
        graph.entities.change(OWNER, otter, EntityEdit(type="project"))
    else:
        graph.merge(OWNER, otter, graph.entities.declare(OWNER, NewEntity("Otter", "project")).entity.id)

    undo(memory, newer)

    assert [each.entities for each in links(memory, older)] == [(otter,)]
    require_counts(memory)


def test_a_worker_that_dies_tells_older_sources_a_name_all_the_same_and_takes_it_back(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    for at in count():
        space = f"space-{at}"
        older = memory.save(PRAISED, space)
        settle(memory)
        newer = memory.save(LATE, space)
        memory.wired.hear_changes(memory.doorbells())
        memory.clock.turn(GATHERED)
        has_ended = not dies(table, at, lambda: work(memory))
        resume(memory)
        assert named(memory, older, space) == [{"Silver Otter"}], at

        (run,) = (each.run for each in links(memory, newer))
        assert run
        memory.wired.service.runs.undo(OWNER, run)
        has_ended &= not dies(table, at, lambda: work(memory))
        resume(memory)

        assert (named(memory, older, space), entities(memory, space)) == ([set()], {}), at
        require_counts(memory, space)
        if has_ended:
            break
    assert at > 5
    sqlite.close()


def test_nothing_tells_what_was_erased_of_a_phrase_that_became_a_name(memory: Installation) -> None:
    roots = []
    for text in (PRAISED, LATE):
        roots.append(RootId(memory.save(text)))
        settle(memory)

    for root in roots:
        memory.wired.service.erase(OWNER, VersionRef(root))
        settle(memory)

    assert entities(memory) == {}
    assert [each for each in everything(memory) if str(each["pk"]).startswith("PS#")] == []
    require_counts(memory)
