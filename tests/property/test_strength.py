"""What recalls and ratings make of a belief: bounded, and never less for being used."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.strength import MOST_RAISED, MOST_STRENGTH, Ratings, Reinforcement

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

importances = st.floats(0, 10).map(lambda each: round(each, 6))
recalls = st.lists(st.tuples(st.integers(0, 3_000), st.booleans()), max_size=30)
counts = st.integers(0, 10**6)


def after(minutes: Sequence[tuple[int, bool]], importance: float = 1.0) -> Reinforcement:
    known = Reinforcement()
    for minute, is_leading in minutes:
        known = known.recalled(START + timedelta(minutes=minute), importance, is_leading=is_leading)
    return known


def test_examples_worked_by_hand() -> None:
    """1 + 4 (1 - e^(-1/4)) = 1.8848, 1 + 4 (1 - e^(-2/4)) = 2.5739; (1 + 2) / (2 + 2 + 1 + 4) = 1/3."""
    assert Reinforcement().strength == 1.0
    assert after([(0, True)]).strength == 1.8848
    assert after([(0, True), (59, True)]).strength == 1.8848
    assert after([(0, True), (60, True)]).strength == 2.5739
    assert after([(0, True), (60, True), (120, False)]).importance(1.0) == 1.2
    assert Ratings(useful=2, harmful=1, wrong=1).usefulness == 1 / 3
    assert (Ratings().usefulness, Ratings().weight) == (0.5, 1.0)


@given(recalls, importances)
def test_importance_is_never_lowered_and_raised_no_further_than_it_may(
    told: Sequence[tuple[int, bool]], importance: float
) -> None:
    """Loomem lowered an importance of 2.0 to 1.5 by recalling it."""
    raised = after(told, importance).importance(importance)

    assert importance <= raised <= max(importance, MOST_RAISED)


@given(recalls, st.integers(0, 3_000), st.booleans(), importances)
def test_another_recall_never_weakens(
    told: Sequence[tuple[int, bool]], minute: int, is_leading: bool, importance: float
) -> None:
    before = after(told, importance)
    then = before.recalled(START + timedelta(minutes=minute), importance, is_leading=is_leading)

    assert before.strength <= then.strength <= MOST_STRENGTH
    assert before.importance(importance) <= then.importance(importance)
    assert then.access_count == before.access_count + 1


@given(recalls)
def test_recalls_within_an_hour_strengthen_once(told: Sequence[tuple[int, bool]]) -> None:
    minutes = sorted(minute for minute, _ in told)
    apart = 0
    last = None
    for minute in minutes:
        if last is None or minute - last >= 60:
            apart, last = apart + 1, minute

    assert after(sorted(told)).spaced == apart
    assert after(told).spaced <= apart


@given(counts, counts, counts)
def test_a_rating_moves_a_score_the_way_it_says_and_by_a_quarter_at_most(useful: int, harmful: int, wrong: int) -> None:
    ratings = Ratings(useful, harmful, wrong)

    assert 0 < ratings.usefulness < 1
    assert 0.75 <= ratings.weight <= 1.25
    assert Ratings(useful + 1, harmful, wrong).usefulness > ratings.usefulness
    assert Ratings(useful, harmful, wrong + 1).usefulness < ratings.usefulness
    assert Ratings(useful, harmful + 1, wrong).usefulness < Ratings(useful, harmful, wrong + 1).usefulness
