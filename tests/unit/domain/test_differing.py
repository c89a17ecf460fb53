"""What sets two texts apart so that no model may take them for the same; the judge's corpus, and changes made to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.differing import differs
from palimpsest.domain.restating.tellings import Telling
from tests.support.corpora import judge_pairs
from tests.support.examples import examples

PAIRS = judge_pairs()
CHANGED = [pair for pair in PAIRS if pair.label.endswith("_changed")]
WITH_DIGITS = [pair.existing for pair in PAIRS if any(map(str.isdigit, pair.existing))]


def apart(one: str, other: str) -> bool:
    return differs(Telling(one), Telling(other))


def test_no_pair_that_differs_in_a_number_name_date_or_negation_gets_past() -> None:
    assert [pair.id for pair in CHANGED if not apart(pair.existing, pair.incoming)] == []


def test_what_says_more_gets_past_no_more() -> None:
    more = [pair for pair in PAIRS if pair.label == "more_specific"]

    assert [pair.id for pair in more if not apart(pair.existing, pair.incoming)] == []


@pytest.mark.parametrize(("language", "least"), [("en", 0.8), ("pl", 0.75)])
def test_most_restatements_get_past_so_that_a_model_can_see_what_rules_do_not(language: str, least: float) -> None:
    restated = [pair for pair in PAIRS if pair.label == "restated" and pair.language == language]

    passed = [pair for pair in restated if not apart(pair.existing, pair.incoming)]

    assert len(passed) >= least * len(restated)


def test_what_rules_take_for_the_same_is_never_set_apart() -> None:
    same = [pair for pair in PAIRS if restates(Telling(pair.existing), Telling(pair.incoming))]

    assert [pair.id for pair in same if apart(pair.existing, pair.incoming)] == []


def test_it_does_not_matter_which_text_comes_first() -> None:
    assert [p.id for p in PAIRS if apart(p.existing, p.incoming) != apart(p.incoming, p.existing)] == []


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_another_digit_always_sets_apart(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WITH_DIGITS))
    place = data.draw(st.sampled_from([i for i, sign in enumerate(text) if sign.isdigit()]))
    digit = data.draw(st.sampled_from([each for each in "123456789" if each != text[place]]))

    assert apart(text, text[:place] + digit + text[place + 1 :])


def test_texts_that_can_not_be_compared_are_taken_for_different() -> None:
    assert apart("Ola lubi herbatę, a Piotr kawę.", "Ola likes tea, and Piotr likes coffee.")
    assert apart("tea " * 1_001 + "a", "tea " * 1_001 + "b")
