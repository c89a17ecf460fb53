"""Keep what a judge doubted as findings, so that somebody can look. No save waits or fails for it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from palimpsest.domain.errors import TableError
from palimpsest.domain.finding import Finding
from palimpsest.domain.ids import SpaceId, VersionRef, conflict_between, finding_between
from palimpsest.domain.judgement import Opinion, Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.stores.conflicts import Conflicts
from palimpsest.stores.findings import Findings
from palimpsest.usecases.drafts import Outcome, Saved

MOST = 8
"""Findings of one save."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Opens findings; one that is lost is found again when something like it is said."""

    findings: Findings
    conflicts: Conflicts

    def __call__(self, saved: Saved, verdict: Verdict, stamp: Stamp) -> None:
        """Open a finding for each version that what was saved may contradict; none for a pair that has a conflict.

        What contradicts a statement that was not stored, as somebody trusted more says the same, is one of them.
        """
        untold = verdict.contradictory if saved.outcome is Outcome.UNCHANGED else ()
        incoming = saved.memory.version.ref
        for opinion in [each for each in (*verdict.doubts, *untold) if each.ref.root != incoming.root][:MOST]:
            with suppress(TableError):
                conflict = conflict_between(opinion.ref.root, incoming.root)
                if not self.conflicts.find([conflict]):
                    self.findings.open(_finding(saved.memory.head.space, incoming, opinion, stamp))


def _finding(space: SpaceId, incoming: VersionRef, opinion: Opinion, stamp: Stamp) -> Finding:
    return Finding(
        id=finding_between(opinion.ref.root, incoming.root),
        space=space,
        existing=opinion.ref,
        incoming=incoming,
        similarity=opinion.similarity,
        reason=opinion.reason,
        judged_by=opinion.judged_by,
        opened_at=stamp.at,
        opened_by=stamp.by,
    )
