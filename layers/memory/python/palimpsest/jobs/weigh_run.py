"""Weigh a run that is planned: may it go on by itself, or would it change so much that an owner has to approve it?

No counter of a space's memories is kept for that. A run of up to 20 needs none, and for one of n it is enough to know
whether the space has 20 n current memories: so many keys of a listing are looked at, at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain.belief import State
from palimpsest.domain.run import FREE, SHARE, Run, counted_for, is_free
from palimpsest.ports.clock import Clock
from palimpsest.stores.allowances import Allowances, Spent
from palimpsest.stores.listing import Listing
from palimpsest.stores.runs import Moving, Runs, Told
from palimpsest.stores.spaces import Spaces


@dataclass(frozen=True, slots=True)
class WeighRun:
    """Lets runs go on, or has them wait."""

    runs: Runs
    allowances: Allowances
    listing: Listing
    spaces: Spaces
    clock: Clock

    def __call__(self, run: Run) -> Run | None:
        """The run as it stands then; None when another one moved it, or another run of the space came between.

        What it may change is taken from the space's allowance in the transaction that lets it go on, so runs side by
        side can't take it twice.
        """
        now = self.clock.now()
        standing = self.allowances.approved_by(run.space, run.kind) if run.kind.may_be_always else None
        spent = self.allowances.spent(run.space, now)
        why = None if standing is not None else self._why_not(run, spent)
        if run.is_dry:
            return self._end_dry(run, now, needs_approval=why is not None)
        if why is not None:
            return self.runs.move(run, run.waiting(why), now, Moving(Told("waits", note=why)))
        if standing is not None:
            return self.runs.move(run, run.applying(), now, Moving(Told("approved", standing, "always")))
        spend = (self.allowances.spend(spent, run.counts.changes, now),) if run.counts.changes else ()
        return self.runs.move(run, run.applying(), now, Moving(Told("let_go"), also=spend))

    def _end_dry(self, run: Run, now: datetime, *, needs_approval: bool) -> Run | None:
        weighed = replace(run, needs_approval=needs_approval)
        return self.runs.move(run, weighed.finished(now), now, Moving(Told("finished")))

    def _why_not(self, run: Run, spent: Spent) -> str | None:
        """Why it has to wait, in words for people; None when it is free to go on."""
        changes = run.counts.changes
        together = spent.total + changes
        wanted = counted_for(together)
        current = self.listing.count(self.spaces.by_id(run.space), State.LIVE, wanted)
        if not changes or is_free(together, current):
            return None
        before = f", {spent.total:,} having been changed by runs within the hour" if spent.total else ""
        most = max(FREE, current // SHARE)
        return (
            f"it would change {changes:,} memories{before}; more than {most:,} of {current:,} need an owner's approval"
        )
