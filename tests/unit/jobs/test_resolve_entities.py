"""Entities that are one by their letters are merged in a run that can be undone; those that may be one wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.run import Run
from palimpsest.stores.duplicates import DuplicateState
from palimpsest.usecases.entities import NewEntity
from tests.support.graph import entities, require_counts, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import READER, WRITER, work


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    for name, type_ in (
        ("Next.js", "tool"),
        ("NextJS", "tool"),
        ("Kasia Nowak", "person"),
        ("Katarzyna Nowak", "person"),
    ):
        installed.wired.service.graph.entities.declare(WRITER, NewEntity(name, type_))
    installed.save("The shop runs on Next.js.")
    settle(installed)
    yield installed
    installed.sqlite.close()


def resolve(memory: Installation, *, is_dry: bool = False) -> Run:
    run = memory.wired.service.graph.index.resolve(WRITER, None, is_dry=is_dry).run
    work(memory)
    return memory.wired.service.runs.show(WRITER, run.id).run


def waiting(memory: Installation, state: DuplicateState = DuplicateState.OPEN) -> list[tuple[str, str, str]]:
    page = memory.wired.service.graph.duplicates.page(READER, space=None, state=state)
    return [(each.one.name, each.other.name, each.duplicate.reason) for each in page.duplicates]


def test_what_is_one_by_its_letters_is_merged_into_what_is_named_more(memory: Installation) -> None:
    run = resolve(memory)

    assert run.counts.applied == 2
    assert "NextJS" not in entities(memory)
    assert memory.wired.service.graph.show.one(READER, entities(memory)["Next.js"].id)[1].aliases == ("NextJS",)
    assert waiting(memory) == [("Kasia Nowak", "Katarzyna Nowak", "diminutive")]
    require_counts(memory)


def test_a_dry_run_changes_nothing(memory: Installation) -> None:
    run = resolve(memory, is_dry=True)

    assert run.counts.planned == 2
    assert (set(entities(memory)) >= {"NextJS", "Next.js"}, waiting(memory)) == (True, [])


def test_a_run_is_taken_back_as_a_whole_but_for_what_somebody_decided_since(memory: Installation) -> None:
    run = resolve(memory)
    (pair,) = memory.wired.service.graph.duplicates.page(READER, space=None).duplicates
    memory.wired.service.graph.duplicates.answer(WRITER, pair.duplicate.id, DuplicateState.APART)

    undo(memory, run)

    assert {"NextJS", "Next.js"} <= set(entities(memory))
    assert (waiting(memory), len(waiting(memory, DuplicateState.APART))) == ([], 1)
    require_counts(memory)


def test_two_that_somebody_keeps_apart_are_not_asked_about_again(memory: Installation) -> None:
    resolve(memory)
    (pair,) = memory.wired.service.graph.duplicates.page(READER, space=None).duplicates
    memory.wired.service.graph.duplicates.answer(WRITER, pair.duplicate.id, DuplicateState.APART)

    again = resolve(memory)

    assert (waiting(memory), again.counts.skipped) == ([], 1)


def test_a_pair_of_which_one_was_merged_waits_no_more(memory: Installation) -> None:
    resolve(memory)
    ids = entities(memory)
    memory.wired.service.graph.merge(WRITER, ids["Kasia Nowak"].id, ids["Katarzyna Nowak"].id)

    assert waiting(memory) == []


def undo(memory: Installation, run: Run) -> None:
    memory.wired.service.runs.undo(OWNER, run.id)
    work(memory)
