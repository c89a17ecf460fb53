"""Count what recalls answered: of each belief how often and when it was recalled, and how that strengthens it.

The records of recalls are the log; nothing is asked of a recall but to leave one. Many recalls of one belief become one
write, and a space that took many writes rests for longer, so that no traffic makes more than five writes a minute of it
in the long run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import RecallId, RootId, SpaceId
from palimpsest.domain.usage import Look
from palimpsest.jobs.canary_notes import CanaryNotes
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.listing import Listing
from palimpsest.stores.recalls import HandedOut, Recalls, first_of
from palimpsest.stores.reinforcements import Reinforcements, uses_of
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.unreinforced import SETTLED, Unreinforced, Waiting
from palimpsest.stores.usages import Usages

_RECORDS: Final = 500
"""Of one key, read at once."""

_BELIEFS: Final = 100
"""Written between two looks at the time."""

_REST_OF_A_WRITE: Final = timedelta(seconds=12)
_LONGEST_REST: Final = timedelta(hours=1)

_LOOKED_AT: Final = 1_000
"""Of a space's newest memories, when it is seen how many no recall ever gave."""

_REST_OF_A_LOOK: Final = timedelta(seconds=1)
"""For each memory that it looked at; so a large space is looked at four times an hour at the most."""

_BEFORE_ALL: Final = RecallId("rcl_")


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Counts, space by space. A slice may be killed or come twice at any point: nothing is counted again."""

    unreinforced: Unreinforced
    recalls: Recalls
    reinforcements: Reinforcements
    beliefs: Beliefs
    usages: Usages
    listing: Listing
    spaces: Spaces
    canary: CanaryNotes
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """As much as fits; True when there may be more."""
        waiting, now = self.unreinforced.read(SpaceId(subject)), self.clock.now()
        if waiting.rests_until is not None and now < waiting.rests_until:
            self.unreinforced.settle(waiting, now, waiting.rests_until, is_all_counted=False)
            return False
        newest = first_of(now - SETTLED)
        records, until = self._records(waiting, newest)
        heads: dict[RootId, Head] = {}
        written = self._count(waiting.space, records, until, heads, seconds_left)
        if written is None:
            return True
        is_all = until == newest
        rests_until = now + min(written * _REST_OF_A_WRITE, _LONGEST_REST) if is_all else now
        if records:
            self.canary.recalled(waiting.space, records)
            figures = self.usages.counting(waiting.space, records, heads)
            counted = self._looked(replace(waiting, until=until, rests_until=rests_until), now)
            if not self.unreinforced.count(waiting, counted, figures):
                return True
        self.unreinforced.settle(waiting, now, rests_until, is_all_counted=is_all)
        return not is_all

    def _records(self, waiting: Waiting, newest: RecallId) -> tuple[list[HandedOut], RecallId]:
        """What the keys recalled since, and up to which recall that is all."""
        after = waiting.until or _BEFORE_ALL
        if after >= newest:  # a clock went back
            return [], newest
        found = [self.recalls.between(waiting.space, by, after, newest, _RECORDS) for by in waiting.noted]
        until = min((each[-1].recall for each in found if len(each) == _RECORDS), default=newest)
        return [record for each in found for record in each if record.recall <= until], until

    def _count(
        self,
        space: SpaceId,
        records: Sequence[HandedOut],
        until: RecallId,
        found: dict[RootId, Head],
        seconds_left: SecondsLeft,
    ) -> int | None:
        """How many beliefs were written; None when the time was up before all were. `found`: gets their heads."""
        uses = uses_of(records)
        written = 0
        for start in range(0, len(uses), _BELIEFS):
            some = list(uses)[start : start + _BELIEFS]
            heads = self.beliefs.heads(some, only_readable=True).values()
            own = [head for head in heads if head.space == space]
            found |= {head.root: head for head in own}
            written += self.reinforcements.count_all(own, {head.root: uses[head.root] for head in own}, until)
            if seconds_left() <= 0 and start + _BELIEFS < len(uses):
                return None
        return written

    def _looked(self, waiting: Waiting, now: datetime) -> Waiting:
        """With a new look at what no recall ever gave, if it is time."""
        last, at = waiting.look, waiting.looked_at
        if last is not None and at is not None and now - at < _REST_OF_A_LOOK * last.of:
            return waiting
        roots = self.listing.newest(self.spaces.by_id(waiting.space), State.LIVE, _LOOKED_AT)
        recalled = sum(known.access_count > 0 for known in self.reinforcements.of(roots).values())
        return replace(waiting, look=Look(len(roots), len(roots) - recalled), looked_at=now)
