"""What an answer says of its arms: which are healthy, and one report an arm where several spaces were searched."""

from __future__ import annotations

import pytest

from palimpsest.usecases.answers import MUTE, ArmReport, ArmState
from palimpsest.usecases.reports import merged


def report(state: ArmState, reason: str | None = None, candidates: int = 0) -> ArmReport:
    return ArmReport("keyword", state, reason, candidates, 1.0)


CUT = report(ArmState.DEGRADED, "tail_truncated")


@pytest.mark.parametrize(
    ("state", "reason", "is_healthy"),
    [
        (ArmState.OK, None, True),
        (ArmState.EMPTY, None, True),
        (ArmState.SKIPPED, "no_terms", True),
        (ArmState.SKIPPED, "index_off", True),
        (ArmState.DEGRADED, "tail_truncated", True),
        (ArmState.DEGRADED, "entity_truncated", True),
        (ArmState.DEGRADED, "index_off", True),
        (ArmState.DEGRADED, "late", False),
        (ArmState.DEGRADED, "other_model", False),
        (ArmState.DEGRADED, "index_asleep", False),
        (ArmState.DEGRADED, "index_partial", False),
        (ArmState.DEGRADED, "embedder_late", False),
        (ArmState.DEGRADED, "unreadable_rows", False),
        (ArmState.FAILED, "table_unavailable", False),
        (ArmState.FAILED, "index_missing", False),
        (ArmState.OK, MUTE, False),
        (ArmState.EMPTY, MUTE, False),
    ],
)
def test_an_arm_is_healthy_unless_something_is_wrong_with_it(
    state: ArmState, reason: str | None, *, is_healthy: bool
) -> None:
    assert report(state, reason).is_healthy is is_healthy


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (report(ArmState.OK), MUTE),
        (report(ArmState.EMPTY), MUTE),
        (report(ArmState.DEGRADED, "tail_truncated"), MUTE),
        (report(ArmState.SKIPPED, "no_terms"), "no_terms"),
        (report(ArmState.FAILED, "index_missing"), "index_missing"),
        (report(ArmState.DEGRADED, "late"), "late"),
    ],
)
def test_an_arm_that_did_not_search_keeps_its_own_reason_though_it_is_mute(before: ArmReport, reason: str) -> None:
    assert before.found_mute().reason == reason
    assert before.found_mute().state is before.state


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (report(ArmState.OK, candidates=2), report(ArmState.EMPTY, MUTE), (ArmState.OK, MUTE, 2)),
        (report(ArmState.EMPTY, MUTE), report(ArmState.OK, candidates=2), (ArmState.OK, MUTE, 2)),
        (report(ArmState.FAILED, "index_busy"), report(ArmState.EMPTY, MUTE), (ArmState.FAILED, "index_busy", 0)),
        (CUT, report(ArmState.DEGRADED, "late"), (ArmState.DEGRADED, "late", 0)),
        (CUT, report(ArmState.EMPTY, MUTE), (ArmState.DEGRADED, MUTE, 0)),
        (report(ArmState.OK, candidates=1), report(ArmState.EMPTY), (ArmState.OK, None, 1)),
    ],
)
def test_an_arm_of_two_spaces_is_as_healthy_as_the_worse_of_them(
    one: ArmReport, other: ArmReport, told: tuple[ArmState, str | None, int]
) -> None:
    (both,) = merged([one, other])

    assert (both.state, both.reason, both.candidates) == told
    assert both.is_healthy is (one.is_healthy and other.is_healthy)
