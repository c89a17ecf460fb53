"""What is put in is there, what is replaced or removed is gone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.ports.search_index import Entry, Removal, SearchIndex, SearchIndexes
from tests.contract.search_index.sample import (
    HERE,
    NOON,
    THERE,
    candidate_of,
    entry,
    generation,
    keys,
    known,
    removals,
    rows,
    search,
    seen,
    statistics_of,
)
from tests.support.examples import examples


def test_an_entry_is_found_by_each_of_its_terms_and_by_no_other(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot pies"), entry("b", "ryba")])

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["a"]) == ["a"]
    assert keys(index.keyword(search("pies")).candidates) == ["a"]
    assert keys(index.keyword(search("ko")).candidates) == []
    assert keys(index.keyword(search("kota")).candidates) == []


def test_an_empty_index_finds_nothing(index: SearchIndex) -> None:
    assert keys(index.keyword(search("kot", 1)).candidates) == []
    assert keys(index.vector(search("kot", 1))) == []
    assert known(index.statistics(HERE, ["kot"])) == statistics_of([], [])


def test_a_replaced_entry_is_found_by_its_new_terms_and_vectors_alone(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])
    index.upsert([entry("a", "pies", 2)])
    asked = search("pies", 2)

    expected = [candidate_of(entry("a", "pies", 2), asked)]

    assert seen(lambda: rows(index.keyword(asked).candidates, asked), expected) == expected
    assert rows(index.vector(asked), asked) == expected
    assert keys(index.keyword(search("kot")).candidates) == []


def test_the_last_of_several_entries_with_one_key_counts(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot"), entry("a", "pies"), entry("a", "ryba")])

    assert seen(lambda: keys(index.keyword(search("kot pies ryba")).candidates), ["a"]) == ["a"]
    assert keys(index.keyword(search("kot pies")).candidates) == []


def test_the_same_entry_twice_is_one_entry(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1)])
    index.upsert([entry("a", "kot", 1)])

    expected = statistics_of([entry("a", "kot")], ["kot"])

    assert seen(lambda: known(index.statistics(HERE, ["kot"])), expected) == expected
    assert keys(index.vector(search(seed=1))) == ["a"]


def test_a_removed_entry_is_gone_from_both_arms_and_the_figures(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1), entry("b", "kot pies", 2)])
    index.remove(HERE, removals("a"))

    expected = statistics_of([entry("b", "kot pies")], ["kot", "pies"])

    assert seen(lambda: known(index.statistics(HERE, ["kot", "pies"])), expected) == expected
    assert keys(index.keyword(search("kot")).candidates) == ["b"]
    assert keys(index.vector(search(seed=1))) == ["b"]


def test_removing_what_is_not_there_is_fine(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot")])

    index.remove(HERE, removals("b", "c"))
    index.remove(THERE, removals("a"))
    index.remove(HERE, [])

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), ["a"]) == ["a"]


def test_entries_and_keys_may_come_as_they_are_made(index: SearchIndex) -> None:
    index.upsert(entry(f"{number:04d}", "kot") for number in range(1_203))
    index.remove(HERE, (Removal(f"{number:04d}", 1) for number in range(1_200)))

    expected = ["1200", "1201", "1202"]

    assert seen(lambda: keys(index.keyword(search("kot")).candidates), expected) == expected


def test_nothing_is_as_good_as_no_call(index: SearchIndex) -> None:
    index.upsert([])

    assert keys(index.keyword(search("kot")).candidates) == []


def test_an_entry_without_terms_is_found_by_its_vector(index: SearchIndex) -> None:
    index.upsert([entry("a", "", 1)])

    assert seen(lambda: keys(index.vector(search("kot", 1))), ["a"]) == ["a"]


def test_terms_of_any_signs_are_kept_apart(index: SearchIndex) -> None:
    odd = [
        "c++",
        "c#",
        "c",
        "err-4411",
        "err",
        "a.b@c.d",
        "and",
        "not",
        "*",
        '"',
        "'",
        "(",
        "łódź",
        "lodz",
        "今日",
        "1",
        "1m",
    ]
    index.upsert(entry(f"{number:02d}", term) for number, term in enumerate(odd))

    expected = [f"{number:02d}" for number in range(len(odd))]

    assert seen(
        lambda: [keys(index.keyword(search(term)).candidates) for term in odd], [[key] for key in expected]
    ) == [[key] for key in expected]


def test_a_text_of_many_thousand_terms_counts_them_all(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot " * 3_000 + "pies " * 2_000)])
    asked = search("pies kot")

    expected: list[tuple[int, ...]] = [(2_000, 3_000)]

    assert seen(lambda: [c.counts for c in rows(index.keyword(asked).candidates, asked)], expected) == expected


_TERMS = ["kot", "pies", "ryba", "ptak"]
_ENTRIES = st.builds(
    lambda key, terms, seeds, space: entry(key, " ".join(terms), *seeds, space=space, dated_at=NOON),
    st.sampled_from(["a", "b", "c", "d"]),
    st.lists(st.sampled_from(_TERMS), max_size=5),
    st.lists(st.integers(0, 5), max_size=2),
    st.sampled_from([HERE, THERE]),
)
_PUTS = st.lists(_ENTRIES, min_size=1, max_size=4)
_REMOVALS = st.tuples(st.sampled_from([HERE, THERE]), st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=3))


@settings(max_examples=examples(25))
@given(steps=st.lists(_PUTS | _REMOVALS, max_size=12))
def test_after_any_history_the_index_holds_what_was_put_last(engine_once: SearchIndexes, steps: list[object]) -> None:
    index = engine_once.create(generation(2))
    held: dict[tuple[str, str], Entry] = {}

    for step in steps:
        if isinstance(step, list):
            index.upsert(step)
            held |= {(each.space, each.key): each for each in step}
        elif isinstance(step, tuple):
            space, gone = step
            index.remove(space, removals(*gone))
            held = {at: each for at, each in held.items() if at[0] != space or at[1] not in gone}
        for space in (HERE, THERE):
            _assert_holds(index, space, [each for at, each in held.items() if at[0] == space])


def _assert_holds(index: SearchIndex, space: str, held: list[Entry]) -> None:
    asked = search(" ".join(_TERMS), 3, space=HERE if space == HERE else THERE)
    by_term = {each.key: candidate_of(each, asked) for each in held if each.terms}
    by_vector = {each.key: candidate_of(each, asked) for each in held if len(each.vectors)}
    expected: object = (by_term, by_vector, statistics_of(held, _TERMS))

    def look() -> object:
        return (
            {c.key: c for c in rows(index.keyword(asked).candidates, asked)},
            {c.key: c for c in rows(index.vector(asked), asked)},
            known(index.statistics(asked.space, _TERMS)),
        )

    found = seen(look, expected)

    assert found == expected
    assert np.all(np.diff([c.similarity or 0 for c in rows(index.vector(asked), asked)]) <= 0)


def test_what_is_held_is_told_by_key_until_it_is_removed_and_wiped(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1), entry("b", "pies", 2), entry("a", "ryba", space=THERE)])
    assert seen(lambda: sorted(index.held(HERE, ["a", "b", "c"])), ["a", "b"]) == ["a", "b"]

    index.remove(HERE, removals("a", "c"))

    assert seen(lambda: sorted(index.held(HERE, ["a", "b", "c"])), ["b"]) == ["b"]
    assert list(index.held(THERE, ["a"])) == ["a"]
    assert index.wipe()
    assert keys(index.keyword(search("kot pies")).candidates) == ["b"]
