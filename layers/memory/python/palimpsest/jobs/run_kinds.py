"""What a kind of run is made of.

A new kind is one class with three methods:

- add its word to `domain.run.RunKind` (and say there whether it can be undone),
- write the class (`jobs/forget_matching.py` is the shortest whole one),
- name it in `wiring/runs.py` (`_kinds`), and begin runs of it with `usecases.begin_run.BeginRun`.

`jobs.apply_run.ApplyRun` does the rest: slices, pages of the plan, the limit and its approval, counts, the log, stop,
crash and repetition, undo. A kind has to do its part of that:

- **Each step carries the run**: `Stamp(now, run.by, run.id)`. A step on the subject with that run id means that the
  item is done; look for it first, since an item may be applied again after a crash, and by two workers at once.
- **Each step carries the fence** in its transaction (`Beliefs.commit_all(moves, also=[fence])`). It lets `RunMoved`
  out when the run was stopped; no kind catches that.
- `HeadMoved` means that somebody else changed the subject: read it again. When it is not what was planned for any
  more, the item is `skipped`, with a word that says why; words that are told to people stand in docs/runs.md.
- What may pass (the table, the index, a model is away) is raised, and the item is tried again. What will not pass (a
  conflict, an item that can't be read) may be raised, too: the item is then `failed`, and the run goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import PlanItem
from palimpsest.jobs.work import SecondsLeft
from palimpsest.stores.moves import Guarded

CHANGED_SINCE = "changed_since"
"""The reason of an item whose subject somebody has changed, so that it is not what was planned for, or not ours."""

GONE = "gone"
"""The reason of an item whose subject is there no longer."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A part of a plan. `place`: where planning goes on, not empty; None when the plan is whole."""

    items: Sequence[PlanItem]
    place: str | None


class RunWork(Protocol):
    """One kind of run. What it was asked for stands in `run.asked`, as whoever began the run wrote it."""

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """The next part of the plan, from `run.place` on, at most 1,000 items; it changes nothing.

        It gives back at least some progress, however little time is left.
        """
        ...

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Do what the item says, unless it is done; the item after that: applied or skipped."""
        ...

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Take back what this run did to the item's subject; the item after that.

        ``undone``, also when that happened before; ``kept``, with a reason, where it can't be; as it was when the run
        did nothing to it. Never called for kinds that can't be undone.
        """
        ...
