"""Rate: say of a memory that it was useful, wrong or harmful. It belongs to the belief, and is no step of it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain import lineage
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory
from palimpsest.domain.errors import HeadMoved, LostRace, NotFound, RequestRepeated
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.strength import Rating, Ratings
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.ratings import RatingStore
from palimpsest.usecases.steps import ATTEMPTS, Steps

_TAKEN_BACK = "none"


@dataclass(frozen=True, slots=True)
class Rated:
    """A memory, the caller's rating of today, and all ratings of it."""

    memory: Memory
    rating: Rating | None
    ratings: Ratings


@dataclass(frozen=True, slots=True)
class Rate:
    """Rates."""

    steps: Steps
    ratings: RatingStore

    def __call__(
        self, caller: Caller, ref: VersionRef, rating: Rating | None, idempotency: Idempotency | None = None
    ) -> Rated:
        """The memory, rated. Of one key one rating of a memory counts a day (UTC): the last; None takes it back.

        Raises:
            NotAllowed: The key is no writer.
            NotFound: Unknown, in a foreign space, hidden, or a version that does not exist.
            WrongState: It is forgotten.
            LostRace: 100 others came first.
        """
        caller.require(Role.WRITER)
        for _ in range(ATTEMPTS):
            earlier = self.steps.answered(caller, idempotency)
            space, belief = self.steps.find_shown(caller, ref.root)
            if ref.number is not None and ref.number > belief.head.count:
                raise NotFound("version")
            lineage.require_not_forgotten(belief.head)
            said = rating
            if earlier is not None:
                said = None if earlier.outcome == _TAKEN_BACK else Rating(earlier.outcome)
            else:
                try:
                    self._write(caller, ref, rating, idempotency)
                except (HeadMoved, RequestRepeated):
                    continue
            shown = self.steps.shown(space, belief.head, belief.current)
            return Rated(shown, said, self.ratings.of(ref.root))
        raise LostRace(ATTEMPTS)

    def _write(self, caller: Caller, ref: VersionRef, rating: Rating | None, idempotency: Idempotency | None) -> None:
        now = self.steps.clock.now()
        answer = None
        if idempotency is not None:
            answered = Answered(ref.root, 0, rating or _TAKEN_BACK)
            answer = self.steps.idempotency.record(caller.key, idempotency, answered, now)
        writes = self.ratings.rating(ref.root, caller.key, rating, now)
        if writes:
            self.steps.beliefs.commit_all([], also=writes, answer=answer)
        elif answer is not None:
            self.steps.idempotency.keep(answer)
