"""Counts that one can follow by hand."""

from __future__ import annotations

import pytest

from palimpsest.domain.packing.counting import count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" ", 0),
        ("the cat", 2),  # a third of a token a letter, one a word at least
        ("international", 4),
        ("kawa i herbata", 6),  # nothing tells that it is Polish
        ("żółw i herbata", 8),  # here something does: 4 of żółw, 1 and 3
        ("a, b.", 4),
        ("call 555 0175", 2 + 3 + 3),  # two digits a token, and the space before
        ("getHTTPResponse", 1 + 2 + 1 + 3),
        ("9f86d081884c7d65", 14),
        ("漢字", 3),
        ("안녕", 4),
        ("🎉", 3),
        ("one\ntwo", 3),
        ("x        y", 4),
    ],
)
def test_a_text_counts_so_many_tokens(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens
