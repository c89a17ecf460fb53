"""What stands beside a saying in its talk, and how it was said, come back from every engine."""

from __future__ import annotations

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.talk import AROUND, Cue, Place, Said
from palimpsest.ports.search_index import SearchIndex
from tests.contract.search_index.sample import HERE, THERE, Row, entry, keys, removals, rows, search, seen

TALK, OTHER = 7, 8


def _at(turn: int, talk: int = TALK) -> Said:
    return Said(Place(talk, turn))


def test_how_a_text_was_said_comes_back_with_it(index: SearchIndex) -> None:
    said = Said(Place(TALK, 3), "zażółć", Cue.QUESTION | Cue.TIME)
    index.upsert([entry("a", "kot", 1, said=said), entry("b", "kot", 1)])
    asked = search("kot", 1)

    found = seen(lambda: {row.key: row.said for row in rows(index.vector(asked), asked)}, {"a": said, "b": Said()})

    assert found == {"a": said, "b": Said()}


def test_what_stands_around_a_place_is_given_and_nothing_further_off(index: SearchIndex) -> None:
    index.upsert(entry(f"{turn:02d}", "kot", turn, said=_at(turn)) for turn in range(20))
    index.upsert([entry("other", "kot", 1, said=_at(10, OTHER)), entry("alone", "kot", 1)])
    expected = [f"{turn:02d}" for turn in range(10 - AROUND, 10 + AROUND + 1)]

    assert seen(lambda: sorted(keys(index.around(search("kot"), [Place(TALK, 10)]))), expected) == expected


def test_what_stands_around_carries_counts_and_vectors(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot kot", 1, said=_at(1)), entry("b", "pies", 2, said=_at(2))])
    asked = search("kot pies", 1)

    def around() -> dict[str, Row]:
        return {row.key: row for row in rows(index.around(asked, [Place(TALK, 1)]), asked)}

    expected: dict[str, tuple[int, ...]] = {"a": (2, 0), "b": (0, 1)}
    assert seen(lambda: {key: row.counts for key, row in around().items()}, expected) == expected
    assert around()["a"].similarity == 1.0


def test_of_what_stands_around_only_the_asked_status_and_the_own_space_count(index: SearchIndex) -> None:
    said = _at(1)
    index.upsert([entry("a", "kot", 1, said=said), entry("b", "kot", 1, said=said, status=Status.STALE)])
    index.upsert([entry("c", "kot", 1, said=said, space=THERE)])
    asked = search("kot", filters=Filters(tags=("red",)))

    assert seen(lambda: keys(index.around(asked, [Place(TALK, 1)])), ["a"]) == ["a"]
    assert keys(index.around(asked, [])) == []


def test_an_entry_that_is_gone_stands_beside_nothing(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1, said=_at(1)), entry("b", "kot", 1, said=_at(2))])
    index.remove(HERE, removals("b"))

    assert seen(lambda: keys(index.around(search("kot"), [Place(TALK, 1)])), ["a"]) == ["a"]


def test_a_sample_is_of_the_own_space_and_no_larger_than_asked_for(index: SearchIndex) -> None:
    index.upsert(entry(f"{seed:03d}", "kot", seed, said=Said(speaker="anna")) for seed in range(60))
    index.upsert([entry("pending", "kot"), entry("there", "kot", 999, space=THERE)])

    assert seen(lambda: len(index.sample(HERE, 100)), 61) == 61
    some = index.sample(HERE, 20)
    assert 0 < len(some) <= 20
    assert "there" not in keys(some)
    assert set(some.sayings.speakers) <= {"anna", ""}
    assert len(some.passages.vectors) >= len(some) - 1
