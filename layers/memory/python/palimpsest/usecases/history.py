"""The versions and steps of a belief."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
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

    def __call__(
        self,
        caller: Caller,
        ref: VersionRef,
        *,
        limit: int = 50,
        cursor: str | None = None,
        include_forgotten: bool = False,
    ) -> History:
        """One page: at most `limit` steps, with the versions that they added.

        Raises:
            NotFound: Unknown, in a foreign space, or forgotten and not asked for.
            NotAllowed: Forgotten ones are for writers.
            CursorRefused: Not a cursor of this history and this key.
        """
        if include_forgotten:
            caller.require(Role.WRITER)
        space, belief = (self.steps.find if include_forgotten else self.steps.find_shown)(caller, ref.root)
        head = belief.head
        if head.state is State.FORGOTTEN and not include_forgotten:
            raise NotFound
        binding = ("history", ref.root, caller.key)
        number, revision = self._place(cursor, binding) or (head.count + 1, head.revision + 1)
        versions = self.steps.beliefs.versions_before(ref.root, number, limit=limit)
        above = self.steps.beliefs.versions([(ref.root, number)]).get((ref.root, number))
        shown = [memory(space, head, v, after) for v, after in zip(versions, [above, *versions[:-1]], strict=True)]
        oldest = versions[-1].revision if versions else revision
        events = self.steps.beliefs.events_between(ref.root, oldest, revision - 1, limit=limit)
        told = _told(versions, events)[:limit]
        last = told[-1].revision if told else 1
        hidden = frozenset() if include_forgotten else self.steps.sources.hidden(versions)
        shown = [each for each in shown if each.version.revision >= last and each.version.ref not in hidden]
        reached = min((v.number for v in versions if v.revision >= last), default=number)
        following = self.cursors.seal(f"{reached} {last}", *binding) if last > 1 else None
        return History(head, tuple(shown), told, following)

    def _place(self, cursor: str | None, binding: tuple[str, ...]) -> tuple[int, int] | None:
        """The number and the revision below which a page goes on."""
        if cursor is None:
            return None
        number, revision = self.cursors.open(cursor, *binding).split()
        return int(number), int(revision)


def _told(versions: list[Version], events: list[Event]) -> tuple[StepRecord, ...]:
    lines = [
        StepRecord(v.revision, v.reason, v.recorded_at, v.created_by, v.number, v.because, v.note, v.run)
        for v in versions
    ]
    lines += [StepRecord(e.revision, e.reason, e.at, e.by, None, None, e.note, e.run, e.annotated) for e in events]
    return tuple(sorted(lines, key=lambda line: -line.revision))
