"""What both arms propose, in which order, and the features that scores are made of."""

from __future__ import annotations

import numpy as np
import pytest

from palimpsest.ports.search_index import Kind, SearchIndex
from tests.contract.search_index.sample import Row, candidate_of, entry, keys, rows, search, seen


def test_a_candidate_carries_counts_in_the_searchs_order_its_length_its_cosine_and_its_date(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot pies kot", 1, length=17)])
    asked = search("ryba pies kot", 1)

    expected = [Row("a", Kind.MEMORY, (0, 1, 2), 17, 1.0)]

    assert seen(lambda: rows(index.keyword(asked).candidates, asked), expected) == expected
    assert rows(index.vector(asked), asked) == expected


def test_without_a_vector_there_is_no_similarity_and_the_vector_arm_is_empty(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])

    asked, expected = search("kot"), [Row("a", Kind.MEMORY, (1,), 1, None)]

    assert seen(lambda: rows(index.keyword(asked).candidates, asked), expected) == expected
    assert not len(index.vector(asked))


def test_without_terms_the_keyword_arm_is_empty(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])

    assert seen(lambda: keys(index.vector(search("", 1))), ["a"]) == ["a"]
    assert not len(index.keyword(search("", 1)).candidates)


def test_an_entry_whose_vectors_are_pending_is_found_by_its_terms_alone(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot"), entry("b", "pies", 1)])

    asked, expected = search("kot", 1), [Row("a", Kind.MEMORY, (1,), 1, None)]

    assert seen(lambda: rows(index.keyword(asked).candidates, asked), expected) == expected
    assert keys(index.vector(search("kot", 1))) == ["b"]


def test_an_entry_is_as_near_as_its_best_passage_and_is_proposed_once(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1, 2, 3), entry("b", "kot", 4), entry("c", "kot", 5, 6)])
    asked = search("kot", 2)

    found = seen(lambda: sorted(keys(index.vector(asked))), ["a", "b", "c"])

    assert found == ["a", "b", "c"]
    assert rows(index.vector(asked), asked)[0] == Row("a", Kind.MEMORY, (1,), 1, 1.0)
    by_words, by_vector = index.keyword(asked).candidates, index.vector(asked)
    assert {c.key: c.similarity for c in rows(by_words, asked)} == {c.key: c.similarity for c in rows(by_vector, asked)}


def test_the_nearest_come_first_and_no_more_than_the_limit(index: SearchIndex) -> None:
    held = [entry(f"{seed:03d}", "kot", seed) for seed in range(300)]
    index.upsert(held)
    asked = search("", 1_000, limit=20)

    expected = sorted((candidate_of(each, asked) for each in held), key=lambda c: (-(c.similarity or 0), c.key))[:20]

    assert seen(lambda: keys(index.vector(asked)), keys(expected)) == keys(expected)
    assert rows(index.vector(asked), asked) == expected


def test_entries_with_rarer_terms_come_first(index: SearchIndex) -> None:
    index.upsert(entry(f"many-{number}", "kot", length=5) for number in range(20))
    index.upsert([entry("one", "pies", length=5), entry("both", "kot pies", length=5)])
    asked = search("kot pies", limit=3)

    found = seen(lambda: keys(index.keyword(asked).candidates)[:2], ["both", "one"])

    assert found == ["both", "one"]
    assert len(index.keyword(asked).candidates) == 3


def test_equal_entries_come_in_the_order_of_their_keys(index: SearchIndex) -> None:
    index.upsert([entry("b", "kot", 1), entry("c", "kot", 1), entry("a", "kot", 1)])
    asked = search("kot", 1)

    assert seen(lambda: keys(index.keyword(asked).candidates), ["a", "b", "c"]) == ["a", "b", "c"]
    assert keys(index.vector(asked)) == ["a", "b", "c"]


@pytest.mark.parametrize("seed", range(3))
def test_of_many_entries_the_nearest_are_proposed_with_exact_cosines(index: SearchIndex, seed: int) -> None:
    held = [entry(f"{number:04d}", "kot", number) for number in range(2_000)]
    index.upsert(held)
    asked = search("", 10_000 + seed, limit=50)

    expected = sorted((candidate_of(each, asked) for each in held), key=lambda c: (-(c.similarity or 0), c.key))[:50]

    assert seen(lambda: len(index.vector(asked)), 50) == 50
    assert np.allclose(
        [c.similarity or 0 for c in rows(index.vector(asked), asked)], [c.similarity or 0 for c in expected], atol=1e-3
    )
