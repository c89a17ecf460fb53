"""Take back that what was saved went into another belief: both are as before, and the pair is not joined again.

Such a run is over as it begins (`usecases.join`), so nothing is ever planned or applied here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from palimpsest.domain import disputing, joining
from palimpsest.domain.belief import Annotations, State
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, WrongState
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.joining import Joined
from palimpsest.domain.lineage import Stamp, Step
from palimpsest.domain.run import Run
from palimpsest.domain.run_plan import ItemState, PlanItem
from palimpsest.domain.version import Reason, Version
from palimpsest.jobs.events_since import events_since
from palimpsest.jobs.run_kinds import CHANGED_SINCE, GONE, Planned
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.table import Check
from palimpsest.stores import edges, joined_codec, keys
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.moves import Guarded, Move
from palimpsest.stores.spaces import Space
from palimpsest.stores.standing import IS_THERE
from palimpsest.stores.texts import Words
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.unsay import Unsaid, Unsay

_ATTEMPTS: Final = 20


@dataclass(frozen=True, slots=True)
class PartJoined:
    """Parts two beliefs of which one went into the other."""

    steps: Steps
    unsay: Unsay

    def plan(self, run: Run, seconds_left: SecondsLeft) -> Planned:
        """Nothing more than what the run began with."""
        return Planned((), None)

    def apply(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """The item as it is."""
        return item

    def undo(self, run: Run, item: PlanItem, fence: Guarded) -> PlanItem:
        """Part the two, while the one is where it went and the other says what it took over.

        Tags and other marks that somebody has set since are kept, and hinder nothing.
        """
        joined = joined_codec.read(run.id, item)
        for _ in range(_ATTEMPTS):
            gone, kept = self._find(RootId(item.subject)), self._find(joined.into.root)
            if gone is None or (kept is None and joined.made is not None):
                return item.settled(ItemState.KEPT, GONE)
            own = [each for each in events_since(self.steps.beliefs, gone.head, item.revision) if each.run == run.id]
            if own and own[0].reason is Reason.REINSTATED:
                return item.settled(ItemState.UNDONE)
            if gone.head.state is not State.RETIRED or gone.head.merged_into != joined.into.root:
                return item.settled(ItemState.KEPT, CHANGED_SINCE)
            try:
                parted = self._parted(run, joined, gone, kept)
                if parted is None:
                    return item.settled(ItemState.KEPT, CHANGED_SINCE)
                self.steps.beliefs.commit_all(parted.moves, also=[fence, *parted.writes])
            except HeadMoved:
                continue
            except WrongState:  # what it said before was made from what is erased
                return item.settled(ItemState.KEPT, GONE)
            return item.settled(ItemState.UNDONE)
        raise LostRace(_ATTEMPTS)

    def _find(self, root: RootId) -> Belief | None:
        """The belief; None when it is gone for good."""
        try:
            return self.steps.beliefs.read(root)
        except NotFound:
            return None

    def _parted(self, run: Run, joined: Joined, gone: Belief, kept: Belief | None) -> Unsaid | None:
        """The steps of both; None when something rests on what the join added."""
        space, stamp = self.steps.spaces.by_id(run.space), Stamp(self.steps.clock.now(), run.by, run.id)
        step = joining.part(gone.head, stamp, has_vectors=len(gone.vectors) > 0)
        said = Words.of(gone.current.statement)
        features = self.unsay.disputes.featurise.again(gone.current.statement, gone.vectors)
        moves, writes = [Move(step, space, features, said)], self._apart(gone, kept, is_moved=joined.made is not None)
        if kept is not None and joined.made is not None:
            unsaid = self._unsaid(space, joined, kept, joined.made, stamp)
            if unsaid is None:
                return None
            moves, writes = [*unsaid.moves, *moves], [*unsaid.writes, *writes]
        return Unsaid(moves, writes)

    def _apart(self, gone: Belief, kept: Belief | None, *, is_moved: bool) -> list[Guarded]:
        """Nobody is asked about the two again; nothing is written beside one that is erased meanwhile."""
        if kept is None:
            return []
        own = [(each, HeadMoved) for each in edges.apart(gone.head.root, kept.head.root)]
        return [*own] if is_moved else [(Check(keys.head(kept.head.root), IS_THERE), HeadMoved), *own]

    def _unsaid(self, space: Space, joined: Joined, kept: Belief, made: int, stamp: Stamp) -> Unsaid | None:
        """What the other belief said before, as its newest version, without what came with the join."""
        begun = list(self.unsay.disputes.conflicts.find(joined.begun).values())
        head, current, ref = kept.head, kept.current, VersionRef(kept.head.root, made)
        is_so = head.state is State.LIVE and head.current == made
        if not is_so or self.unsay.upon(ref, head.count, begun):
            return None
        marks = self._marks(joined, kept)

        def again(before: Version, embedded: bool) -> Step:
            step = joining.unsay(head, current, before, stamp, embedded=embedded, annotations=marks)
            return disputing.disputed(step, -len(begun))

        words = self.unsay.words(space, kept, joined.into.number or 0, again)
        conflicts = self.unsay.conflicts(space, begun, stamp)
        return Unsaid([*words.moves, *conflicts.moves], [*words.writes, *conflicts.writes])

    def _marks(self, joined: Joined, kept: Belief) -> Annotations:
        """The annotations as they were, unless somebody has changed them since."""
        since = events_since(self.steps.beliefs, kept.head, kept.current.revision)
        is_annotated = any(each.reason is Reason.ANNOTATED for each in since)
        return kept.head.annotations if is_annotated else joined.before(kept.head.annotations)
