"""Generations stand side by side, outlive their maker, and are gone when they are dropped."""

from __future__ import annotations

import pytest

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import SearchIndexes
from tests.contract.search_index.conftest import Engine
from tests.contract.search_index.sample import (
    HERE,
    entry,
    generation,
    keys,
    known,
    removals,
    search,
    seen,
    statistics_of,
)


def test_generations_hold_their_own_entries(indexes: SearchIndexes) -> None:
    old, new = indexes.create(generation(1)), indexes.create(generation(2))
    old.upsert([entry("a", "kot", 1)])
    new.upsert([entry("b", "kot", 1)])

    assert seen(lambda: keys(old.keyword(search("kot")).candidates), ["a"]) == ["a"]
    assert seen(lambda: keys(new.keyword(search("kot")).candidates), ["b"]) == ["b"]


def test_an_index_that_is_opened_again_holds_what_was_put(engine: Engine) -> None:
    made = engine().create(generation(1))
    made.upsert([entry("a", "kot pies", 1), entry("b", "kot", 2, 3)])

    again = engine().open(made.generation)
    expected = statistics_of([entry("a", "kot pies"), entry("b", "kot")], ["kot", "pies"])

    assert seen(lambda: known(again.statistics(HERE, ["kot", "pies"])), expected) == expected
    assert sorted(keys(again.vector(search("", 3)))) == ["a", "b"]


def test_two_views_on_one_generation_see_each_others_writes(engine: Engine) -> None:
    one = engine().create(generation(1))
    other = engine().open(one.generation)
    one.upsert([entry("a", "kot", 1)])
    assert seen(lambda: keys(other.vector(search("", 1))), ["a"]) == ["a"]

    other.upsert([entry("b", "kot", 2)])
    other.remove(HERE, removals("a"))

    assert seen(lambda: keys(one.vector(search("", 1))), ["b"]) == ["b"]
    assert keys(one.keyword(search("kot")).candidates) == ["b"]


def test_a_generation_that_was_never_made_is_missing(indexes: SearchIndexes) -> None:
    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(generation(9)).check()

    assert refused.value.reason == "index_missing"


def test_a_dropped_generation_is_missing_and_the_others_stay(indexes: SearchIndexes) -> None:
    dropped = indexes.create(generation(1))
    dropped.upsert([entry("a", "kot")])
    kept = indexes.create(generation(2))
    kept.upsert([entry("b", "kot")])

    indexes.drop(generation(1))

    with pytest.raises(IndexUnavailable) as refused:
        indexes.open(dropped.generation).check()
    assert refused.value.reason == "index_missing"
    assert seen(lambda: keys(kept.keyword(search("kot")).candidates), ["b"]) == ["b"]


def test_using_a_dropped_generation_says_that_it_is_missing(indexes: SearchIndexes) -> None:
    index = indexes.create(generation(1))
    indexes.drop(generation(1))

    for use in (
        lambda: index.upsert([entry("a", "kot")]),
        lambda: index.keyword(search("kot")).candidates,
        lambda: index.statistics(HERE, ["kot"]),
    ):
        with pytest.raises(IndexUnavailable) as refused:
            use()
        assert refused.value.reason == "index_missing"


def test_dropping_what_is_not_there_is_fine(indexes: SearchIndexes) -> None:
    indexes.drop(generation(9))
    indexes.drop(generation(9))


def test_making_a_generation_again_begins_empty(indexes: SearchIndexes) -> None:
    indexes.create(generation(1)).upsert([entry("a", "kot", 1)])

    again = indexes.create(generation(1))
    again.upsert([entry("b", "kot", 1)])

    assert seen(lambda: keys(again.vector(search("", 1))), ["b"]) == ["b"]
    assert keys(indexes.open(again.generation).keyword(search("kot")).candidates) == ["b"]
