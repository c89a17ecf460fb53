"""What age, use, marks and source make of a score."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.belief import Annotations, Head, Memory, State
from palimpsest.domain.ids import KeyId, RootId, SpaceId
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.strength import Ratings, Reinforcement
from palimpsest.domain.version import Reason, Statement, Version
from palimpsest.domain.weight import LEAST, MOST, TIME_SPAN, weight

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _memory(days: float = 0.0, *, level: str = "L0", trust: Trust = Trust.A1, **notes: object) -> Memory:
    at = NOW - timedelta(days=days)
    said = Statement("text", at, level=level, source=Source(trust=trust))
    root = RootId("mem_1")
    version = Version(root, 1, 1, said, at, KeyId("k"), None, Reason.SAVED, None, None, "")
    head = Head(root, SpaceId("s"), State.LIVE, 1, 1, 1, at, at, at, Annotations(**notes))  # type: ignore[arg-type]
    return Memory("default", head, version, None)


def test_what_was_said_just_now_by_the_first_hand_weighs_one() -> None:
    assert weight(_memory(), NOW).whole == pytest.approx(1.0)


def test_what_is_old_weighs_less_and_never_less_than_the_span() -> None:
    weights = [weight(_memory(days), NOW).time for days in (0, 1, 10, 100, 10_000)]

    assert weights == sorted(weights, reverse=True)
    assert weights[-1] == pytest.approx(1 - TIME_SPAN)


def test_what_is_consolidated_fades_slower_and_so_does_what_is_recalled_often() -> None:
    plain = weight(_memory(20), NOW).time

    assert weight(_memory(20, level="L1"), NOW).time > plain
    often = replace(_memory(20), reinforcement=Reinforcement(spaced=10))
    assert weight(often, NOW).time > plain


def test_what_is_pinned_does_not_age() -> None:
    assert weight(_memory(1_000, pinned=True), NOW).time == 1.0


def test_importance_trust_and_ratings_count() -> None:
    plain = weight(_memory(), NOW).whole

    assert weight(_memory(importance=2.0), NOW).whole > plain > weight(_memory(importance=0.5), NOW).whole
    assert weight(_memory(trust=Trust.B), NOW).whole < weight(_memory(trust=Trust.A2), NOW).whole < plain
    wrong = replace(_memory(), reinforcement=Reinforcement(ratings=Ratings(wrong=5)))
    assert weight(wrong, NOW).whole < plain


@given(
    st.floats(-10, 10_000),
    st.sampled_from(["L0", "L1"]),
    st.sampled_from(list(Trust)),
    st.booleans(),
    st.floats(0, 10),
    st.builds(Reinforcement, spaced=st.integers(0, 50), ratings=st.builds(Ratings, *[st.integers(0, 50)] * 3)),
)
def test_an_old_exact_answer_stays_before_a_fresh_vague_one(
    days: float, level: str, trust: Trust, pinned: bool, importance: float, used: Reinforcement
) -> None:
    memory = replace(_memory(days, level=level, trust=trust, pinned=pinned, importance=importance), reinforcement=used)

    found = weight(memory, NOW)

    assert LEAST <= found.whole <= MOST
    assert 1 - TIME_SPAN <= found.time <= 1.0
    assert 0.75 * LEAST > 0.5 * MOST
