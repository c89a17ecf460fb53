"""What is packed into an index is what comes out of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.aws import opensearch_features as features
from palimpsest.adapters.aws.opensearch_capabilities import Capabilities
from palimpsest.adapters.aws.opensearch_documents import document_id, documents
from tests.contract.search_index.sample import HERE, THERE, entry

_TERMS = st.lists(st.text(min_size=1, max_size=4), max_size=30)


@given(terms=_TERMS, asked=_TERMS, passages=st.integers(0, 3))
def test_counts_length_and_vectors_come_back(terms: list[str], asked: list[str], passages: int) -> None:
    held = entry("a", "", *range(passages), length=17)
    counted = Counter(features.term_number(HERE, term) for term in terms)
    wanted = list(dict.fromkeys(asked))

    found = features.unpacked(features.packed(held, counted))

    assert found is not None
    assert (found.passages, found.length) == (passages, 17)
    assert features.counts([found], [features.term_number(HERE, term) for term in wanted]).tolist() == [
        [terms.count(term) for term in wanted]
    ]
    assert np.frombuffer(found.vectors, "<f2").tobytes() == held.vectors.astype("<f2").tobytes()


def test_a_term_of_one_space_is_another_than_that_of_another_space() -> None:
    assert features.term_number(HERE, "kot") != features.term_number(THERE, "kot")
    assert document_id(HERE, "a", 0) != document_id(THERE, "a", 0)


def test_another_releases_form_is_not_read() -> None:
    assert features.unpacked("") is None
    assert features.unpacked("Ag==" * 8) is None


def test_only_the_first_passage_has_terms_and_features() -> None:
    first, second = documents(entry("a", "kot pies kot", 1, 2))

    assert {"terms", "features", "length"} <= set(first)
    assert {"terms", "features", "length"} & set(second) == set()
    assert "kot" not in str(first)


@pytest.mark.parametrize(
    "known",
    [Capabilities(), Capabilities("faiss", has_deletes=True), Capabilities("lucene", True, True, True, True)],
)
def test_capabilities_are_kept_as_words(known: Capabilities) -> None:
    assert Capabilities.of(known.words()) == known
    assert known.words() != ()
