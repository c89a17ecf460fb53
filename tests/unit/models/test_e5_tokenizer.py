"""The tokenizer with a vocabulary that one can follow by hand."""

from __future__ import annotations

import pytest

from palimpsest.adapters.models.e5_tokenizer import Tokenizer

PIECES = ["<s>", "</s>", "<unk>", " ", "a", "b", "ab", " a", " ab", "abab", "<", "/", "s", ">", "é"]
SCORES = [0.0, 0.0, 0.0, -4.0, -3.0, -3.0, -5.0, -3.5, -5.5, -8.0, -9.0, -9.0, -9.0, -9.0, -6.0]


@pytest.fixture
def tokenizer() -> Tokenizer:
    return Tokenizer(PIECES, SCORES, unknown=2, characters={ord("\t"): " ", ord("ⓐ"): "a", ord("\u200d"): ""})


def cut(tokenizer: Tokenizer, text: str) -> list[str]:
    return [PIECES[i] for i in tokenizer.ids(text)]


def test_the_likeliest_pieces_are_taken(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "ab") == [" ab"]  # -5.5 against -6.5 for  a b and -9 for   ab
    assert cut(tokenizer, "abab") == [" ab", "ab"]  # -10.5 against -12 for   abab
    assert cut(tokenizer, "bab") == [" ", "b", "ab"]


def test_words_are_cut_alone_and_spaces_do_not_count(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "  ab\t a  ") == [" ab", " a"]


def test_unknown_characters_have_an_id(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "a漢") == [" a", "<unk>"]


def test_a_control_symbol_in_a_text_is_text(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "</s>") == [" ", "<", "/", "s", ">"]


def test_characters_are_composed_mapped_and_dropped(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "ⓐ\0b\u200d e\u0301") == [" ab", " ", "é"]


def test_a_lone_surrogate_is_an_unknown_character(tokenizer: Tokenizer) -> None:
    assert cut(tokenizer, "a\ud800") == [" a", "<unk>"]


@pytest.mark.parametrize("nothing", ["", "   ", "\0", "\u200d"])
def test_nothing_has_no_pieces(tokenizer: Tokenizer, nothing: str) -> None:
    assert tokenizer.ids(nothing) == []


def test_a_word_has_the_same_pieces_each_time(tokenizer: Tokenizer) -> None:
    long = "ab" * 40

    assert tokenizer.ids("abab") == tokenizer.ids("abab")
    assert tokenizer.ids(long) == tokenizer.ids(long)
