"""Where a search no longer scores every entry, it still proposes the best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from palimpsest.adapters.embedded import index_reads
from palimpsest.adapters.embedded.index_view import View
from palimpsest.adapters.embedded.search_index import EmbeddedIndex, EmbeddedIndexes
from palimpsest.adapters.embedded.space_matrix import SpaceMatrix
from palimpsest.domain import ranking
from palimpsest.domain.filters import Filters
from palimpsest.ports.search_index import Entry
from tests.contract.search_index.sample import HERE, THERE, entry, generation, keys, removals, search

ENTRIES = 3_000
TERMS = 400


@pytest.fixture(scope="module")
def held() -> list[Entry]:
    """Texts of very different lengths with words as frequent as words are; in a few, one word stands many times."""
    random = np.random.default_rng(5)
    weights = 1 / np.arange(1, TERMS + 1)
    found = []
    for number in range(ENTRIES):
        size = int(random.choice([4, 8, 15, 60, 300], p=[0.2, 0.3, 0.4, 0.09, 0.01]))
        words = [f"w{word}" for word in random.choice(TERMS, size=size, p=weights / weights.sum())]
        words += [f"w{number % 40}"] * int(random.choice([0, 1, 60], p=[0.9, 0.09, 0.01]))
        tags = ("odd",) if number % 2 else ()
        found.append(entry(f"{number:04d}", " ".join(words), number, tags=tags))
    return found


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, held: list[Entry]) -> Iterator[EmbeddedIndex]:
    """All of them; no test changes it."""
    with closing(EmbeddedIndexes(tmp_path_factory.mktemp("large"))) as indexes:
        index = indexes.create(generation(1))
        index.upsert(held)
        yield index


@pytest.fixture
def changing(tmp_path: Path, held: list[Entry]) -> Iterator[EmbeddedIndex]:
    """Half of them, to be changed."""
    with closing(EmbeddedIndexes(tmp_path)) as indexes:
        index = indexes.create(generation(1))
        index.upsert(held[:1_500])
        yield index


@pytest.mark.parametrize("terms", ["w0", "w0 w1 w2", "w3 w40 w399", "w0 w5 w17 w60 w200", "w9 w9x"])
def test_the_best_by_bm25_over_the_whole_space_are_proposed(
    index: EmbeddedIndex, held: list[Entry], terms: str
) -> None:
    asked = search(terms, limit=100)

    found, best = keys(index.keyword(asked).candidates), _best(held, held, terms)
    assert found[:10] == best[:10]
    assert len(set(found[:50]) & set(best[:50])) >= min(40, len(best))


def test_the_best_of_those_that_pass_a_filter_are_proposed(index: EmbeddedIndex, held: list[Entry]) -> None:
    odd = [each for each in held if each.labels]
    asked = search("w0 w3 w50", limit=100, filters=Filters(tags=("odd",)))

    assert keys(index.keyword(asked).candidates)[:20] == _best(odd, held, "w0 w3 w50")[:20]


def test_what_was_looked_up_before_does_not_hide_what_came_since(changing: EmbeddedIndex) -> None:
    asked = search("w0 w1 w399", 1, filters=Filters(tags=("odd",)))
    changing.keyword(asked)
    changing.upsert([entry("new", "w0 w0 w1 w399", tags=("odd",)), entry("even", "w0 w0 w1 w399")])
    changing.remove(HERE, removals("0001"))

    found = keys(changing.keyword(asked).candidates)

    assert found[0] == "new"
    assert not {"even", "0001"} & set(found)


def test_a_space_of_which_most_was_removed_is_read_anew(changing: EmbeddedIndex) -> None:
    assert len(changing.vector(search("", 1))) == 200

    changing.remove(HERE, removals(*[f"{number:04d}" for number in range(1_400)]))
    changing.upsert([entry("new", "w0", 1)])

    assert keys(changing.vector(search("", 1)))[0] == "new"
    assert len(changing.vector(search("", 1))) == 101


def test_a_search_that_began_before_a_new_kind_of_entry_came_goes_on_without_it(changing: EmbeddedIndex) -> None:
    asked = search("w0", limit=2_000)
    matrix = SpaceMatrix(changing.generation.model.dimensions)
    with changing.file.reading() as older:
        before = index_reads.space_state(older, HERE)
        assert before is not None
        changing.upsert([replace(entry("later", "w0", 1), memory_type="decision")])
        with changing.file.reading() as newer:
            now = index_reads.space_state(newer, HERE)
            assert now is not None
            matrix.at(newer, now)
            began_before = View(older, before, matrix.at(older, before), index_reads.facets(older, before.id))
            began_after = View(newer, now, matrix.at(newer, now), index_reads.facets(newer, now.id))

            passing, passing_now = began_before.passing(asked), began_after.passing(asked)

    assert (len(passing), passing[-1]) == (1_501, False)
    assert passing_now[-1]  # although both look at one snapshot, which remembers who passes


def test_spaces_that_do_not_fit_into_memory_together_are_all_searched(tmp_path: Path, held: list[Entry]) -> None:
    with closing(EmbeddedIndexes(tmp_path, cache_bytes=20_000)) as indexes:
        index = indexes.create(generation(1))
        index.upsert([*held[:1_000], entry("there", "w0", 1, space=THERE)])

        for _ in range(2):
            assert len(index.vector(search("", 1))) == 200
            assert keys(index.vector(search("", 1, space=THERE))) == ["there"]
            assert indexes.cached_bytes < 20_000


def _best(among: list[Entry], held: list[Entry], terms: str) -> list[str]:
    asked = terms.split()
    counts = np.array([[each.terms.count(term) for term in asked] for each in among])
    lengths = [each.length for each in among]
    frequencies = [sum(term in each.terms for each in held) for term in asked]
    mean = sum(each.length for each in held) / len(held)
    scores = ranking.bm25_all(counts, lengths, frequencies, len(held), mean)
    found = [number for number in range(len(among)) if counts[number].any()]
    return [among[number].key for number in sorted(found, key=lambda n: (-scores[n], among[n].key))]
