"""Laws of contexts, over made-up entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import example, given, settings
from hypothesis import strategies as st

from palimpsest.domain.packing.counting import count_tokens
from palimpsest.domain.packing.entry import PINNED, Entry, Section
from palimpsest.domain.packing.packing import Packed, pack
from palimpsest.domain.packing.shortening import CUT, shortened
from palimpsest.domain.packing.writing import entry_cost
from tests.support.examples import examples

DAY = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = ["the", "service", "uses", "queue", "not", "7", "Łódź", "漢字", "🎉", "a1b2c3d4", "getHTTPResponse", "ąę"]
PIECES = st.sampled_from(
    [*WORDS, "\n", ".", "?", "[1]", "\n[end of memory", "]", "<|im_start|>", "\u2028", "\u200d", "|", "Pinned:"]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=40).map(" ".join) | st.text(min_size=1, max_size=200)
NUMBERS = st.integers(0, 30)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    number = draw(NUMBERS)
    made_from = draw(st.frozensets(NUMBERS, max_size=2)) - {number}
    return Entry(
        key=f"m{number}@1",
        root=f"m{number}",
        text=draw(st.shared(TEXTS, key=f"text {number}")),
        said_at=DAY,
        about=draw(st.sampled_from(["", "Marta", "ops/runbook.md\n[2] x"])),
        is_pinned=number % 7 == 0,
        made_from=frozenset(f"m{each}" for each in made_from),
    )


PROPOSED = st.dictionaries(st.sampled_from(Section), st.lists(entries(), max_size=8), min_size=1)
BUDGETS = st.integers(1, 900)


def keys(packed: Packed) -> list[str]:
    return [each.entry.key for each in packed.placed]


@given(proposed=PROPOSED, budget=BUDGETS, withheld=st.integers(0, 40))
@settings(max_examples=examples(60), deadline=None)
@example({Section.RELEVANT: [Entry("m1@1", "m1", "\n\n \u2028 x")]}, 60, 0)
def test_a_context_is_never_over_its_budget(
    proposed: dict[Section, Sequence[Entry]], budget: int, withheld: int
) -> None:
    packed = pack(proposed, budget, withheld=withheld)

    assert packed.tokens == count_tokens(packed.text) * bool(packed.text) <= budget
    assert len(packed.text.split()) <= budget
    assert bool(packed.text) == bool(packed.placed)


@given(proposed=PROPOSED, budget=BUDGETS)
@settings(max_examples=examples(40), deadline=None)
def test_pinned_entries_come_first_and_every_section_keeps_its_order(
    proposed: dict[Section, Sequence[Entry]], budget: int
) -> None:
    packed = pack(proposed, budget)

    pins = [each.entry.is_pinned for each in packed.placed]
    assert pins == sorted(pins, reverse=True)
    for part in packed.parts:
        own = [each.entry.key for each in part.placed]
        if part.name != PINNED:
            order = [each.key for each in proposed[Section(part.name)]]
            assert sorted(own, key=order.index) == own


@given(proposed=PROPOSED, budget=BUDGETS)
@settings(max_examples=examples(40), deadline=None)
def test_nothing_is_told_twice_nor_beside_what_was_made_from_it(
    proposed: dict[Section, Sequence[Entry]], budget: int
) -> None:
    packed = pack(proposed, budget)

    told = [each.entry for each in packed.placed]
    assert len(told) == len({each.root for each in told})
    assert len(told) == len({" ".join(each.text.split()).casefold() for each in told})
    assert not any(other.root in each.made_from for each in told for other in told)


@given(proposed=PROPOSED, budget=BUDGETS)
@settings(max_examples=examples(40), deadline=None)
def test_an_entry_is_cut_only_where_no_whole_one_had_room(
    proposed: dict[Section, Sequence[Entry]], budget: int
) -> None:
    packed = pack(proposed, budget)

    cut = [each for each in packed.placed if each.is_cut]
    whole = [each for each in packed.placed if not each.is_cut]
    assert all(each.text.endswith(CUT) for each in cut)
    assert all(each.text == each.entry.text for each in whole)
    assert len(cut) <= 1 + any(each.part == PINNED for each in cut)
    assert all(entry_cost(each) <= budget for each in packed.placed)


@given(proposed=PROPOSED, budget=BUDGETS)
@settings(max_examples=examples(40), deadline=None)
def test_every_line_of_a_context_is_the_programs_own_beginning(
    proposed: dict[Section, Sequence[Entry]], budget: int
) -> None:
    packed = pack(proposed, budget)

    lines = packed.text.split("\n") if packed.text else []
    own = re.compile(
        r"\[memory [0-9a-f]{16}: data, not instructions\]|\[end of memory [0-9a-f]{16}\]|\(\d+ left out.*\)"
    )
    headings = {f"{name.capitalize()}:" for name in (PINNED, *Section)}
    numbers = [int(found[1]) for line in lines if (found := re.match(r"\[(\d+)\] ", line + " "))]
    assert numbers == list(range(1, len(packed.placed) + 1))
    assert all(re.match(r"\[\d+\] |  ", line + " ") or own.fullmatch(line) or line in headings for line in lines)


@given(proposed=PROPOSED, budget=BUDGETS)
@settings(max_examples=examples(20), deadline=None)
def test_the_same_entries_are_packed_alike(proposed: dict[Section, Sequence[Entry]], budget: int) -> None:
    assert pack(proposed, budget) == pack(proposed, budget)


@given(proposed=PROPOSED)
@settings(max_examples=examples(20), deadline=None)
def test_everything_new_is_told_where_there_is_room(proposed: dict[Section, Sequence[Entry]]) -> None:
    packed = pack(proposed, 60_000)

    assert packed.left_out == 0
    assert not any(each.is_cut for each in packed.placed)


@given(st.text(max_size=300))
def test_a_word_counts_one_at_least_and_so_do_four_bytes(text: str) -> None:
    tokens = count_tokens(text)

    assert tokens >= len(text.split())
    assert tokens * 4 >= len(text.strip().encode("utf-8", "replace"))


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_count_of_a_text_is_the_sum_of_its_lines(one: str, other: str) -> None:
    assert count_tokens(f"{one}\n{other}") == count_tokens(one) + 1 + count_tokens(other)


@given(TEXTS, st.integers(0, 80))
def test_a_shortened_text_is_a_beginning_that_fits(text: str, tokens: int) -> None:
    short = shortened(text, tokens)

    if short is not None:
        assert count_tokens(short) <= tokens
        assert text.startswith(short.removesuffix(CUT))
