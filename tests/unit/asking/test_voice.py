"""A question about who speaks is put as they would put it."""

from __future__ import annotations

import pytest

from palimpsest.domain.asking.voice import in_own_voice

SPEAKERS = {"anna nowak", "will", "may", "mark"}


@pytest.mark.parametrize(
    ("query", "put"),
    [
        ("What did Anna buy for Anna's boat?", "What did I buy for my boat?"),
        ("What did anna buy?", "What did anna buy?"),
        ("What did Piotr buy?", "What did Piotr buy?"),
        ("Will the boat be ready by May?", "Will the boat be ready by May?"),
        ("When did Will sail?", "When did I sail?"),
        ("Is May's boat new?", "Is my boat new?"),
        ("Mark the date of the regatta", "Mark the date of the regatta"),
        ("Is it true that Mark sails?", "Is it true that I sails?"),
    ],
)
def test_names_of_speakers_become_i_but_not_words_that_only_look_like_names(query: str, put: str) -> None:
    assert in_own_voice(query, SPEAKERS) == put
