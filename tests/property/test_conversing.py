"""Laws of fragments: they are found in the conversation's text, and more turns change none of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.library.cutting import Measure
from palimpsest.domain.library.fragments import Turn, converse
from tests.support.documents import MEASURES, PROSE
from tests.support.examples import examples

_DATES = st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
_NAMES = st.none() | st.sampled_from(["Ola", "Łukasz  Nowak\n", "🦜"])
_TEXTS = st.one_of(PROSE, st.text(st.characters(codec="utf-8")), st.sampled_from(["", " \n\t", "\u3000", "\u0301a"]))
TURNS = st.lists(
    st.builds(Turn, st.sampled_from(["user", "assistant"]), _TEXTS, _NAMES, _DATES, st.none() | st.just("msg-1")),
    max_size=6,
)
measures = st.sampled_from(MEASURES)
windows = st.integers(1, 120)


@settings(max_examples=examples(60))
@given(TURNS, measures, windows)
def test_a_fragment_stands_in_the_text_at_its_characters_and_bytes(
    turns: Sequence[Turn], measure: Measure, window: int
) -> None:
    conversation = converse(turns, measure, window)

    octets = conversation.text.encode()
    for fragment in conversation.fragments:
        assert conversation.text[slice(*fragment.chars)] == fragment.text
        assert octets[slice(*fragment.bytes)] == fragment.text.encode()
        assert fragment.turn == turns[fragment.index]


@settings(max_examples=examples(60))
@given(TURNS, measures, windows)
def test_a_fragment_fits_the_window_with_who_says_it(turns: Sequence[Turn], measure: Measure, window: int) -> None:
    for fragment in converse(turns, measure, window).fragments:
        assert measure(fragment.headed) <= window or len(fragment.text) == 1
        assert fragment.text == fragment.text.strip() != ""


@settings(max_examples=examples(60))
@given(TURNS, measures, windows)
def test_nothing_that_was_said_is_lost_or_said_twice(turns: Sequence[Turn], measure: Measure, window: int) -> None:
    fragments = converse(turns, measure, window).fragments

    for index, turn in enumerate(turns):
        said = "".join(fragment.text for fragment in fragments if fragment.index == index)
        assert "".join(said.split()) == "".join(turn.text.split())
    assert [fragment.position for fragment in fragments] == list(range(len(fragments)))
    assert len({(fragment.digest, fragment.ordinal) for fragment in fragments}) == len(fragments)


@settings(max_examples=examples(60))
@given(TURNS, TURNS, measures, windows)
def test_more_turns_only_add(turns: Sequence[Turn], more: Sequence[Turn], measure: Measure, window: int) -> None:
    before = converse(turns, measure, window)
    after = converse([*turns, *more], measure, window)

    assert after.text.startswith(before.text)
    assert after.fragments[: len(before.fragments)] == before.fragments
