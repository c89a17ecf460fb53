"""The versions and steps of a belief."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import State
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.version import Version
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.events import Event
from palimpsest.usecases.readings import History, StepRecord
from palimpsest.usecases.steps import Steps, memory


@dataclass(frozen=True, slots=True)
class TellHistory:
    """Tells a belief's history, newest first."""

    steps: Steps
    cursors: Cursors

    def __call__(self, caller: Caller, ref: VersionRef, *, limit: int = 50, cursor: str | None = None) -> History:
        """One page of versions with the steps that were made since the oldest of them.

        Raises:
            NotFound: Unknown, in a foreign space, or forgotten.
            CursorRefused: Not a cursor of this history and this key.
        """
        space, belief = self.steps.find(caller, ref.root)
        head = belief.head
        if head.state is State.FORGOTTEN:
            raise NotFound
        binding = ("history", ref.root, caller.key)
        below = int(self.cursors.open(cursor, *binding)) if cursor else head.count + 1
        versions = self.steps.beliefs.versions_before(ref.root, below, limit=limit)
        above = self.steps.beliefs.versions([(ref.root, below)]).get((ref.root, below))
        successors = [above, *versions[:-1]]
        shown = [memory(space, head, v, after) for v, after in zip(versions, successors, strict=True)]
        newest = above.revision - 1 if above else head.revision
        events = self.steps.beliefs.events_between(ref.root, versions[-1].revision, newest) if versions else []
        more = bool(versions) and versions[-1].number > 1
        return History(
            head,
            tuple(shown),
            _told(versions, events),
            self.cursors.seal(str(versions[-1].number), *binding) if more else None,
        )


def _told(versions: list[Version], events: list[Event]) -> tuple[StepRecord, ...]:
    lines = [
        StepRecord(v.revision, v.reason, v.recorded_at, v.created_by, v.number, v.because, v.note) for v in versions
    ]
    lines += [StepRecord(e.revision, e.reason, e.at, e.by, None, None, None) for e in events]
    return tuple(sorted(lines, key=lambda line: -line.revision))
