"""How much of the labelled conversations rules find, and how much of what they find is right.

The rules were written with the conversations of odd numbers in view; of the others nobody looked at a text, only at
their figures.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from palimpsest.domain.learning.extracting import Saying, facts
from palimpsest.domain.learning.fact import Fact
from tests.support.corpora import Conversation, Turn, conversations
from tests.support.fact_scoring import score

TALKS = conversations()
UNSEEN = [talk for talk in TALKS if int(talk.id[1:]) % 2 == 0]


def _read(talk: Conversation, turn: Turn) -> Sequence[Fact]:
    if turn.role != "user":
        return []
    talks_to_people = all(each.role == "user" for each in talk.turns)
    said_on = talk.held_on if turn.at is None else turn.at.date()
    return facts(Saying(turn.text, said_on, turn.speaker if talks_to_people else None))


def test_nine_of_ten_facts_are_right_and_a_third_is_found() -> None:
    total = score(TALKS, _read)
    sys.stdout.write(f"all: {total}\n")

    assert total.precision >= 0.9
    assert total.recall >= 0.35


@pytest.mark.parametrize("language", ["en", "pl", "mixed"])
def test_no_language_is_read_far_worse_than_the_others(language: str) -> None:
    of_it = score([talk for talk in TALKS if talk.language == language], _read)
    sys.stdout.write(f"{language}: {of_it}\n")

    assert of_it.precision >= 0.88
    assert of_it.recall >= 0.35


def test_of_conversations_that_the_rules_were_not_written_with_as_much_is_found() -> None:
    unseen = score(UNSEEN, _read)
    sys.stdout.write(f"unseen: {unseen}\n")

    assert unseen.precision >= 0.85
    assert unseen.recall >= 0.35


def test_most_of_what_is_found_has_the_type_and_the_date_phrase_of_its_label() -> None:
    total = score(TALKS, _read)

    assert total.same_type >= 0.95 * total.right
    assert total.same_phrase >= 0.95 * total.right


def test_the_score_notices_a_reader_that_finds_everything_everywhere() -> None:
    everything = score(TALKS, lambda talk, turn: [*_read(talk, turn), *_read(talk, turn)])

    assert everything.wrong >= everything.right
