"""Spaces never mix: what happens in one moves neither candidates nor figures of another, not by a bit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Entry, SearchIndex, SearchIndexes
from tests.contract.search_index.sample import HERE, THERE, entry, generation, keys, known, removals, rows, search, seen
from tests.support.examples import examples

_TERMS = "kot pies ryba ptak"
OURS = [
    entry("a", "kot pies kot", 1),
    entry("b", "pies ryba", 2, 3),
    entry("c", "kot", 4),
    entry("d", "ptak ptak ptak kot", 5),
]
_OTHERS = st.lists(
    st.builds(
        lambda key, terms, seed, space: entry(key, " ".join(terms), seed, space=SpaceId(space)),
        st.sampled_from(["a", "b", "c", "d", "e"]),
        st.lists(st.sampled_from(_TERMS.split()), max_size=6),
        st.integers(0, 9),
        st.sampled_from(["spc_there", "spc_hers", "spc_her", "spc_here2", "SPC_HERE"]),
    ),
    min_size=1,
    max_size=6,
)


def _look(index: SearchIndex) -> object:
    asked = search(_TERMS, 7)
    found = rows(index.keyword(asked).candidates, asked), rows(index.vector(asked), asked)
    return found, known(index.statistics(HERE, _TERMS.split()))


def _shown(index: SearchIndex) -> bool:
    return len(index.vector(search(_TERMS, 7))) == len(OURS)


@settings(max_examples=examples(20))
@given(batches=st.lists(_OTHERS, max_size=4), gone=st.lists(st.sampled_from(["a", "b", "c"]), max_size=3))
def test_other_spaces_change_no_bit_of_candidates_and_figures(
    engine_once: SearchIndexes, batches: list[list[Entry]], gone: list[str]
) -> None:
    index = engine_once.create(generation(3))
    index.upsert(OURS)
    assert seen(lambda: _shown(index), expected=True)
    before = _look(index)

    for batch in batches:
        index.upsert(batch)
        index.remove(THERE, removals(*gone))

        assert _look(index) == before


def test_an_index_that_holds_others_answers_as_one_that_holds_one_space(indexes: SearchIndexes) -> None:
    alone, shared = indexes.create(generation(4)), indexes.create(generation(5))
    alone.upsert(OURS)
    for number, each in enumerate(OURS):
        shared.upsert([entry(f"x{number}", "kot pies " * number, number, space=THERE), each])

    assert seen(lambda: _shown(alone) and _shown(shared), expected=True)

    assert _look(shared) == _look(alone)


def test_equal_keys_in_two_spaces_are_two_entries(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1), entry("a", "pies", 2, space=THERE)])
    index.remove(HERE, removals("a"))

    there = search("kot pies", 1, space=THERE)

    assert seen(lambda: len(index.keyword(search("kot pies", 1)).candidates), 0) == 0
    assert seen(lambda: keys(index.keyword(there).candidates), ["a"]) == ["a"]
    assert keys(index.vector(there)) == ["a"]


def test_a_space_without_the_term_does_not_find_the_others_entry(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1), entry("b", "pies", 2, space=THERE)])

    assert seen(lambda: keys(index.vector(search("", 1, space=THERE))), ["b"]) == ["b"]
    assert keys(index.keyword(search("kot", 1, space=THERE)).candidates) == []
