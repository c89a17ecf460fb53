"""Two processes that index one log at once: what was made from the newer head stays, whichever comes last."""

from __future__ import annotations

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.ports.search_index import Candidates, SearchIndex
from tests.contract.search_index.conftest import Engine
from tests.contract.search_index.sample import (
    EVERYTHING,
    HERE,
    entry,
    generation,
    keys,
    removals,
    search,
    seen,
    statistics_of,
    sweep,
)

OLD = entry("a", "kot", 1, tags=("red",), revision=3)
NEW = entry("a", "kot pies", 2, status=Status.STALE, revision=4)


def _counts(candidates: Candidates) -> list[list[int]]:
    counts: list[list[int]] = candidates.counts.tolist()
    return counts


def test_an_older_entry_does_not_replace_a_newer_one(index: SearchIndex) -> None:
    index.upsert([NEW])
    index.upsert([OLD])
    red = search("kot", 1, filters=Filters(statuses=(), tags=("red",)))

    asked = search("kot pies", 1, filters=EVERYTHING)

    assert seen(lambda: _counts(index.keyword(asked).candidates), [[1, 1]]) == [[1, 1]]
    assert _counts(index.vector(asked)) == [[1, 1]]
    assert keys(index.keyword(red).candidates) == []
    assert keys(index.vector(red)) == []


def test_of_two_entries_in_one_call_the_newer_counts(index: SearchIndex) -> None:
    index.upsert([NEW, OLD])

    assert seen(lambda: _counts(index.keyword(search("kot pies")).candidates), [[1, 1]]) == [[1, 1]]


def test_an_entry_of_the_same_revision_is_replaced(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", revision=4)])
    index.upsert([entry("a", "pies", 1, revision=4)])

    assert seen(lambda: keys(index.vector(search("kot", 1))), ["a"]) == ["a"]
    assert keys(index.keyword(search("kot")).candidates) == []


def test_two_processes_at_once_leave_the_newer_entry(engine: Engine) -> None:
    one = engine().create(generation(1))
    other = engine().open(one.generation)
    one.upsert([NEW])
    other.upsert([OLD])
    asked = search("kot pies", 2)
    red = search("kot pies", 1, filters=Filters(statuses=(), tags=("red",)))

    assert seen(lambda: _counts(one.keyword(asked).candidates), [[1, 1]]) == [[1, 1]]
    assert _counts(other.vector(asked)) == [[1, 1]]
    assert keys(one.keyword(red).candidates) == keys(one.vector(red)) == []


def test_two_processes_at_once_leave_one_entry_after_a_sweep(engine: Engine) -> None:
    one = engine().create(generation(1))
    other = engine().open(one.generation)
    one.upsert([NEW])
    other.upsert([OLD])
    assert seen(lambda: keys(one.keyword(search("kot")).candidates), ["a"]) == ["a"]

    sweep(one)

    expected = statistics_of([NEW], ["kot", "pies"])
    assert seen(lambda: one.statistics(HERE, ["kot", "pies"]), expected) == expected
    assert sweep(other) == 0


def test_a_removal_that_is_older_takes_nothing_away(index: SearchIndex) -> None:
    index.upsert([NEW])
    index.remove(HERE, removals("a", revision=3))

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["a"]) == ["a"]


def test_an_older_entry_does_not_undo_a_removal(index: SearchIndex) -> None:
    index.upsert([OLD, entry("b", "kot", 1)])
    index.remove(HERE, removals("a", revision=5))
    index.upsert([NEW])

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["b"]) == ["b"]
    assert keys(index.vector(search("", 1))) == ["b"]


def test_an_older_entry_of_another_process_does_not_undo_a_removal(engine: Engine) -> None:
    one = engine().create(generation(1))
    other = engine().open(one.generation)
    one.upsert([OLD, entry("b", "kot", 1)])
    one.remove(HERE, removals("a", revision=5))
    other.upsert([NEW])

    assert seen(lambda: keys(other.keyword(search("kot")).candidates), ["b"]) == ["b"]
    assert keys(other.vector(search("", 1))) == ["b"]


def test_a_newer_entry_comes_back_after_a_removal(index: SearchIndex) -> None:
    index.upsert([OLD])
    index.remove(HERE, removals("a", revision=5))
    index.upsert([entry("a", "kot", 1, revision=6)])

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["a"]) == ["a"]
    assert keys(index.vector(search("", 1))) == ["a"]
