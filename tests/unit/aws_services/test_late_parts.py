"""A search engine that a function only meets when it asks it."""

from __future__ import annotations

import pytest

from palimpsest.adapters.late_indexes import LateIndexes
from palimpsest.adapters.no_index import NoIndexes
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import Generation, SearchIndexes

GENERATION = Generation("01KJMA0JE00000000000000000", Model("m", "1", 4), 1)


def test_a_late_engine_is_made_by_the_first_question_and_once() -> None:
    made: list[SearchIndexes] = []

    def make() -> SearchIndexes:
        made.append(NoIndexes())
        return made[-1]

    indexes = LateIndexes(make)
    assert (indexes.is_remote, indexes.is_off) == (True, False)
    indexes.close()
    assert made == []
    indexes.drop(GENERATION)
    assert indexes.sweep(()) == 0
    for ask in (indexes.open, indexes.create):
        with pytest.raises(IndexUnavailable):
            ask(GENERATION)
    assert len(made) == 1


def test_a_late_engine_that_could_not_be_made_is_tried_again() -> None:
    failures = [IndexUnavailable("index_refused", "no AWS credentials")]

    def make() -> SearchIndexes:
        if failures:
            raise failures.pop()
        return NoIndexes()

    indexes = LateIndexes(make)
    with pytest.raises(IndexUnavailable, match="no AWS credentials"):
        indexes.open(GENERATION)
    indexes.drop(GENERATION)
