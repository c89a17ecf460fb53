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
from palimpsest.usecases.drafts import Saved


@dataclass(frozen=True, slots=True)
class Notice:
    """Opens findings; one that is lost is found again when something like it is said."""

    findings: Findings
    conflicts: Conflicts

    def __call__(self, saved: Saved, verdict: Verdict, stamp: Stamp) -> None:
        """Open a finding for each version that what was saved may contradict; none for a pair that has a conflict.

        What contradicts it and has no conflict with it is one of them: what was said was not stored, as somebody
        trusted more says the same, or there were more than can begin at once.
        """
        incoming = saved.memory.version.ref
        every = [each for each in (*verdict.doubts, *verdict.contradictory) if each.ref.root != incoming.root]
        ids = [conflict_between(each.ref.root, incoming.root) for each in every]
        with suppress(TableError):
            known = self.conflicts.find(ids)
            for opinion, conflict in zip(every, ids, strict=True):
                if conflict not in known:
                    self._open(_finding(saved.memory.head.space, incoming, opinion, stamp))

    def _open(self, finding: Finding) -> None:
        with suppress(TableError):
            self.findings.open(finding)


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
