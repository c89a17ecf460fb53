"""How sure an answer is told to be."""

from __future__ import annotations

import pytest

from palimpsest.domain.outlook import Confidence, Outlook

E5 = "multilingual-e5-small"


def test_the_odds_are_those_that_were_fitted() -> None:
    assert Outlook(E5, 0.9, 0.5).odds == pytest.approx(-37.6 + 40.6 * 0.9 + 4.6 * 0.5)


@pytest.mark.parametrize(
    ("nearest", "covered", "confidence"),
    [
        (0.90, 0.5, Confidence.CONFIDENT),
        (0.85, 0.5, Confidence.WEAK),
        (0.78, 0.1, Confidence.NONE),
    ],
)
def test_what_is_near_and_covers_the_query_is_confident(nearest: float, covered: float, confidence: Confidence) -> None:
    assert Outlook(E5, nearest, covered).confidence is confidence


def test_what_others_said_better_than_the_one_who_is_asked_about_is_weak() -> None:
    assert Outlook(E5, 0.9, 0.5, gap=-0.05).confidence is Confidence.CONFIDENT
    assert Outlook(E5, 0.9, 0.5, gap=-0.15).confidence is Confidence.WEAK


@pytest.mark.parametrize("nearest", [None, float("nan"), 0.99])
def test_of_another_model_and_without_vectors_words_alone_tell(nearest: float | None) -> None:
    model = E5 if nearest != 0.99 else "another"

    assert Outlook(model, nearest, 0.5).confidence is Confidence.CONFIDENT
    assert Outlook(model, nearest, 0.3).confidence is Confidence.WEAK
    assert Outlook(model, nearest, 0.05).confidence is Confidence.NONE


def test_what_is_asked_for_by_its_id_is_confident_and_what_lies_in_the_time_is_not_none() -> None:
    assert Outlook(E5, 0.7, 0.0, is_named=True).confidence is Confidence.CONFIDENT
    assert Outlook(E5, 0.7, 0.0, is_timely=True).confidence is Confidence.WEAK


def test_what_names_nothing_that_the_query_names_is_weak() -> None:
    assert Outlook(E5, 0.95, 0.9, is_elsewhere=True).confidence is Confidence.WEAK
