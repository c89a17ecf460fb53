"""Cutting a long text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.models.passages import passages, pooled


def words(text: str) -> int:
    return len(text.split())


def test_a_text_within_the_limit_is_one_passage() -> None:
    assert passages("  One sentence. And another.\n", words, 4) == ["One sentence. And another."]


def test_cuts_lie_at_the_ends_of_sentences_and_lines() -> None:
    text = 'Ann left at six. "Did she?" asked Bo… Nobody knew!\nA heading without a stop\n東京へ行く。京都へ行く。'

    assert passages(text, len, 25) == [
        "Ann left at six.",
        '"Did she?" asked Bo…',
        "Nobody knew!",
        "A heading without a stop",
        "東京へ行く。京都へ行く。",
    ]


def test_a_number_or_a_name_with_a_stop_is_not_cut() -> None:
    assert passages("Use 3.11 or main.py here. Not there.", words, 5) == ["Use 3.11 or main.py here.", "Not there."]


def test_passages_are_of_about_equal_size() -> None:
    text = " ".join(f"Sentence number {i}." for i in range(41))

    assert [words(passage) for passage in passages(text, words, 100)] == [63, 60]


def test_paragraphs_stay_apart_unless_they_are_short() -> None:
    text = "A heading\n\nOne two three four.\nFive six.\n\nSeven eight nine.\n\nTen."

    assert passages(text, words, 9) == ["A heading\n\nOne two three four.\nFive six.", "Seven eight nine.", "Ten."]


def test_empty_lines_take_nothing() -> None:
    text = "\n\n" * 50_000 + "One two three. Four five six." + "\n \n" * 50_000

    assert passages(text, words, 3) == ["One two three.", "Four five six."]


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert passages("one two three four five six seven", words, 3) == ["one two", "three four five", "six seven"]


def test_a_word_that_is_too_long_is_cut_anywhere() -> None:
    text = "see " + "x" * 5_000 + " there"

    cut = passages(text, len, 320)

    assert "".join(cut).replace(" ", "") == text.replace(" ", "")
    assert max(map(len, cut)) <= 320
    assert len(cut) == 17


def test_too_many_passages_are_added_up_with_their_neighbours() -> None:
    sums = np.arange(1, 8, dtype=np.float32)[:, None]

    assert pooled(sums, [5] * 7, 7).tolist() == sums.tolist()
    assert len(pooled(sums, [5] * 7, 6)) == 6
    assert pooled(sums, [5] * 7, 1).tolist() == [[28]]
    assert pooled(sums, [1, 1, 1, 9, 1, 1, 1], 3).tolist() == [[6], [4], [18]]


@given(sizes=st.lists(st.integers(1, 500), min_size=1, max_size=400), most=st.integers(1, 320))
def test_pooled_passages_are_no_more_than_may_be_and_lose_nothing(sizes: list[int], most: int) -> None:
    rows = pooled(np.array(sizes, np.float32)[:, None], sizes, most)

    assert 1 <= len(rows) <= most
    assert rows.sum() == sum(sizes)
    assert rows.min() > 0


@pytest.mark.parametrize("empty", ["", " \n\t\n ", "\n" * 1_000])
def test_a_text_of_nothing_is_one_empty_passage(empty: str) -> None:
    assert passages(empty, words, 10) == [""]


@pytest.mark.parametrize("unit", [".", ". ", '"', '."', "\n", ".\n", "ź", "。", " a", "! "])
def test_time_is_linear_in_the_length_of_the_text(unit: str) -> None:
    looked_at = 0

    def size(text: str) -> int:
        nonlocal looked_at
        looked_at += len(text)
        return len(text)

    passages(unit * (100_000 // len(unit)), size, 300)

    assert looked_at <= 400_000


@given(
    text=st.text(st.sampled_from("ab .!?\n\"'。źx"), max_size=300),
    limit=st.integers(1, 40),
)
def test_passages_hold_the_whole_text_in_order_and_none_is_over_the_limit(text: str, limit: int) -> None:
    cut = passages(text, len, limit)

    assert re.sub(r"\s", "", "".join(cut)) == re.sub(r"\s", "", text)
    assert max(map(len, cut)) <= limit
