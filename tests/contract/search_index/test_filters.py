"""Filters hold in both arms, and a filtered search still fills its limit."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.traits import Traits
from palimpsest.domain.version import MemoryType, Statement
from palimpsest.ports.search_index import Search, SearchIndex
from tests.contract.search_index.sample import HERE, NOON, THERE, entry, keys, search, seen, vectors

HOUR = timedelta(hours=1)


def labels(source: Source = Source(), attributed_to: str | None = None, metadata: str = "{}") -> frozenset[bytes]:
    """Those of what comes from there."""
    said = Statement("", NOON, source=source, attributed_to=attributed_to, metadata=metadata)
    return Traits.of(said).labels


HELD = [
    entry("current", "kot", 1),
    entry("stale", "kot", 2, status=Status.STALE),
    entry("retired", "kot", 3, status=Status.RETIRED),
    entry("episode", "kot", 4, memory_type=MemoryType.EPISODE),
    entry("preference", "kot", 5, memory_type=MemoryType.PREFERENCE, level="L1"),
    entry("red", "kot", 6, tags=("red",)),
    entry("red and blue", "kot", 7, tags=("blue", "red")),
    entry("early", "kot", 8, dated_at=NOON - HOUR),
    entry("late", "kot", 9, dated_at=NOON + HOUR),
    entry("late by a microsecond", "kot", 10, dated_at=NOON + timedelta(microseconds=1)),
    entry("of a session", "kot", 11, labels=labels(Source("mcp", "s1", "chat", Trust.A2), "Marta")),
    entry("of the web", "kot", 12, labels=labels(Source("external_web", "s2", "chat", Trust.B))),
    entry("with facts", "kot", 13, labels=labels(metadata='{"n":1,"of":["x",2.0,true,null],"deep":{"n":3}}')),
]
ALL = sorted(each.key for each in HELD)
CURRENT = sorted(set(ALL) - {"stale", "retired"})


@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        (Filters(), CURRENT),
        (Filters(statuses=()), ALL),
        (Filters(statuses=(Status.STALE,)), ["stale"]),
        (Filters(statuses=(Status.STALE, Status.RETIRED)), ["retired", "stale"]),
        (Filters(statuses=(Status.FORGOTTEN,)), []),
        (Filters(memory_types=(MemoryType.EPISODE,)), ["episode"]),
        (Filters(memory_types=(MemoryType.EPISODE, MemoryType.PREFERENCE)), ["episode", "preference"]),
        (Filters(levels=("L1",)), ["preference"]),
        (Filters(levels=("L0", "L1")), CURRENT),
        (Filters(tags=("red",)), ["red", "red and blue"]),
        (Filters(tags=("red", "blue")), ["red and blue"]),
        (Filters(tags=("re",)), []),
        (Filters(statuses=(), dated_from=NOON), sorted(set(ALL) - {"early"})),
        (Filters(statuses=(), dated_until=NOON), sorted(set(ALL) - {"late", "late by a microsecond"})),
        (
            Filters(dated_from=NOON + timedelta(microseconds=1), dated_until=NOON + HOUR),
            ["late", "late by a microsecond"],
        ),
        (Filters(tags=("red",), memory_types=(MemoryType.EPISODE,)), []),
        (Filters(session="s1"), ["of a session"]),
        (Filters(session="S1"), []),
        (Filters(channel="chat"), ["of a session", "of the web"]),
        (Filters(channel="s1"), []),
        (Filters(attributed_to="Marta"), ["of a session"]),
        (Filters(source_agents=("mcp", "external_web")), ["of a session", "of the web"]),
        (Filters(source_agents=("api",)), ["with facts"]),
        (Filters(source_agents=("nobody",)), []),
        (Filters(exclude_source_agents=("mcp", "nobody")), sorted(set(CURRENT) - {"of a session"})),
        (Filters(channel="chat", exclude_source_agents=("mcp",)), ["of the web"]),
        (Filters(min_trust=Trust.B), ["of a session", "of the web", "with facts"]),
        (Filters(min_trust=Trust.A2), ["of a session", "with facts"]),
        (Filters(min_trust=Trust.A1), ["with facts"]),
        (Filters(metadata=(("n", (1.0,)),)), ["with facts"]),
        (Filters(metadata=(("n", (True,)),)), []),
        (Filters(metadata=(("n", ("1",)),)), []),
        (Filters(metadata=(("n", (7, 1)), ("of", ("x",)))), ["with facts"]),
        (Filters(metadata=(("of", (2,)), ("of", (True,)), ("of", (None,)))), ["with facts"]),
        (Filters(metadata=(("of", ("y",)),)), []),
        (Filters(metadata=(("deep", (3,)),)), []),
    ],
    ids=str,
)
def test_a_filter_lets_through_what_it_says_in_both_arms(
    index: SearchIndex, filters: Filters, passing: list[str]
) -> None:
    index.upsert(HELD)
    asked = search("kot", 1, filters=filters)

    assert seen(lambda: sorted(keys(index.keyword(asked).candidates)), passing) == passing
    assert sorted(keys(index.vector(asked))) == passing


def test_a_search_is_held_to_the_entries_that_are_named(index: SearchIndex) -> None:
    index.upsert([*HELD, entry("current", "kot", 1, space=THERE)])
    named = frozenset({"current", "red", "stale", "nothing"})
    asked = replace(search("kot", 1, filters=Filters()), only=named)
    none = replace(asked, only=frozenset())

    assert seen(lambda: sorted(keys(index.keyword(asked).candidates)), ["current", "red"]) == ["current", "red"]
    assert sorted(keys(index.vector(asked))) == ["current", "red"]
    assert keys(index.keyword(none).candidates) == keys(index.vector(none)) == []


def test_a_search_for_no_kind_finds_nothing(index: SearchIndex) -> None:
    index.upsert(HELD)
    asked = Search(HERE, ("kot",), lambda: vectors(1)[0], Filters(), kinds=())

    assert seen(lambda: len(index.keyword(search("kot")).candidates), len(HELD)) == len(HELD)
    assert keys(index.keyword(asked).candidates) == []
    assert keys(index.vector(asked)) == []


def test_a_filter_that_few_pass_still_fills_the_limit(index: SearchIndex) -> None:
    index.upsert(
        entry(f"{number:04d}", "kot pies" if number % 2 else "kot", number, tags=("rare",) if number % 400 == 7 else ())
        for number in range(2_000)
    )
    asked = search("kot pies", 1, filters=Filters(tags=("rare",)), limit=5)

    expected = ["0007", "0407", "0807", "1207", "1607"]

    assert seen(lambda: sorted(keys(index.keyword(asked).candidates)), expected) == expected
    assert sorted(keys(index.vector(asked))) == expected


def test_a_filter_that_half_pass_fills_the_limit_from_that_half(index: SearchIndex) -> None:
    index.upsert(
        entry(f"{number:04d}", "kot", number, status=Status.STALE if number % 2 else Status.CURRENT)
        for number in range(2_000)
    )
    asked = search("kot", 1, filters=Filters(statuses=(Status.STALE,)), limit=100)

    assert seen(lambda: len(index.keyword(asked).candidates), 100) == 100
    assert {int(key) % 2 for key in keys(index.keyword(asked).candidates)} == {1}
    assert len(index.vector(asked)) == 100
    assert {int(key) % 2 for key in keys(index.vector(asked))} == {1}


def test_changed_tags_and_status_count_after_a_replacement(index: SearchIndex) -> None:
    index.upsert([entry("a", "kot", 1, tags=("red",)), entry("b", "kot", 2)])
    index.upsert([entry("a", "kot", 1, status=Status.STALE), entry("b", "kot", 2, tags=("red",))])

    red = search("kot", 1, filters=Filters(tags=("red",)))

    assert seen(lambda: keys(index.keyword(red).candidates), ["b"]) == ["b"]
    assert keys(index.vector(red)) == ["b"]
    assert keys(index.vector(search("", 1, filters=Filters()))) == ["b"]
