"""What a recall says of its arms, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from palimpsest.domain.errors import NothingSearched
from palimpsest.domain.outlook import Outlook
from palimpsest.usecases.answers import MUTE, AnyHit, ArmReport, ArmState, Confidence

_SELDOM = frozenset({"entity", "exact"})
"""Arms that few queries give anything to look for."""

NOTHING_THERE = tuple(
    ArmReport(name, ArmState.EMPTY, None, 0, 0.0) for name in ("tail", "keyword", "vector", "entity", "exact")
)
"""The reports of a recall in a space that was never written to."""


def merged(reports: Sequence[ArmReport]) -> tuple[ArmReport, ...]:
    """One report an arm when several spaces were searched: the worst state, all candidates, the longest time.

    An arm that is mute in one of them is so in the answer.
    """
    severity = (ArmState.EMPTY, ArmState.SKIPPED, ArmState.OK, ArmState.DEGRADED, ArmState.FAILED)
    together: dict[str, ArmReport] = {}
    for report in reports:
        other = together.get(report.name, report)
        worse = max(other, report, key=lambda r: (severity.index(r.state), not r.is_healthy))
        is_hidden = worse.is_healthy and not (other.is_healthy and report.is_healthy)
        together[report.name] = replace(
            worse,
            reason=MUTE if is_hidden else worse.reason,
            candidates=report.candidates if other is report else other.candidates + report.candidates,
            took_ms=max(other.took_ms, report.took_ms),
            lag_seconds=max((r.lag_seconds for r in (other, report) if r.lag_seconds is not None), default=None),
        )
    return tuple(together.values())


def lessened(reports: Sequence[ArmReport], arms: Sequence[str], reason: str | None) -> tuple[ArmReport, ...]:
    """The same, of the `arms` the first that fared well degraded for the reason, if there is one.

    Where none of them fared well that is told already.
    """
    well = [name for name in arms if any(each.name == name and each.is_well for each in reports)]
    if reason is None or not well:
        return tuple(reports)
    return tuple(
        replace(each, state=ArmState.DEGRADED, reason=reason) if each.name == well[0] else each for each in reports
    )


def require_an_arm(reports: Sequence[ArmReport]) -> None:
    """NothingSearched unless an arm has looked that looks at everything: a query seldom names an entity."""
    looking = [report for report in reports if report.name not in _SELDOM or report.candidates]
    if reports and not any(report.has_searched for report in looking):
        raise NothingSearched({report.name: report.reason or report.state for report in reports})


def confidence(hits: Sequence[AnyHit], outlooks: Iterable[Outlook | None]) -> Confidence:
    """A hint of how sure the results are to answer: that of the space with the best outlook.

    What the query names by its id counts only where it is among the results: the table may not show it.
    """
    known = [outlook for outlook in outlooks if outlook is not None]
    if not hits or not known:
        return Confidence.NONE
    best = max(known, key=lambda outlook: outlook.odds)
    return replace(best, is_named=any(hit.scores.get("named") for hit in hits)).confidence
