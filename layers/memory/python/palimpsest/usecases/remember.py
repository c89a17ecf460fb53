"""Save what is new: the same text changes nothing, the same in other words is a version, anything else a belief.

The one way in for every surface: accept, same text, embed, echo, judge, write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, LostRace, TableError
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.judgement import UNJUDGED, Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.scrub.report import Report
from palimpsest.stores.changes import Features
from palimpsest.stores.spaces import Space
from palimpsest.stores.talks import Talks
from palimpsest.usecases import statements
from palimpsest.usecases.accepted import Accepted, Request
from palimpsest.usecases.drafts import Draft, JudgeMode, Outcome, Saved
from palimpsest.usecases.echo import Echo, Hearing
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.judging import Asked, Judge
from palimpsest.usecases.neighbours import Around
from palimpsest.usecases.notice import Notice
from palimpsest.usecases.saving import Saving
from palimpsest.usecases.steps import ATTEMPTS, Steps

K = TypeVar("K")

_JUDGED_AT_ONCE: Final = 5
"""After so many verdicts that were out of date when they came, each of which may have cost a call of a model."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Saves drafts: at once, or step by step for a batch. `around`: reads what the judge needs beside vectors."""

    steps: Steps
    featurise: Featurise
    judge: Judge
    saving: Saving
    echo: Echo
    notice: Notice
    around: Callable[[Space], Around]
    talks: Talks

    def __call__(self, caller: Caller, draft: Draft, idempotency: Idempotency | None = None) -> Saved:
        """Save a draft.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: The draft can't be stored.
            IdempotencyReused: The key of the request came before with another body.
        """
        caller.require(Role.WRITER)
        replayed = self.saving.replayed(caller, idempotency)
        if replayed is not None:
            return replace(replayed, report=self.scrubbed_again(caller, draft, replayed))
        request = Request(caller, self.accept(caller, draft), idempotency)
        saved = self.saving.unchanged(request)
        if saved is None:
            saved = self._embedded(request)
        return replace(saved, report=request.accepted.report)

    def _embedded(self, request: Request) -> Saved:
        """The rest of a save; what the judge has to read is read while the embedder works."""
        accepted = request.accepted
        embedding = self.featurise.begin([accepted.statement.content])
        around = self._around(accepted)
        request = self.placed({0: request})[0]
        features = embedding()[0].at(request.accepted.statement.place)
        there = self.repeated(request, features, self.echo.hearing(request.caller))
        return there or self.store(request, features, self.judged([request.accepted], [features], around)[0])

    def placed(self, requests: Mapping[K, Request]) -> dict[K, Request]:
        """Each with its place in its session, in order; those that name no session as they are."""
        sessions: defaultdict[tuple[SpaceId, str], list[K]] = defaultdict(list)
        for each, request in requests.items():
            session = request.accepted.statement.source.session
            if session is not None:
                sessions[request.accepted.space.id, session].append(each)
        placed = dict(requests)
        for (space, session), those in sessions.items():
            for each, place in zip(those, self.talks.draw(space, session, len(those)), strict=True):
                placed[each] = requests[each].at(place)
        return placed

    def _around(self, accepted: Accepted) -> Around | None:
        if accepted.draft.judge is not JudgeMode.OFF:
            with suppress(TableError):  # the judge tries again, and is no failure of a save
                return self.around(accepted.space)
        return None

    def accept(self, caller: Caller, draft: Draft) -> Accepted:
        """The draft as it may be stored; its space begins if it has to. NotAllowed or Invalid when it may not."""
        name = caller.require_space(draft.space)
        now = self.steps.clock.now()
        space = self.steps.spaces.find(name)
        scrubber = self.steps.scrub.of(space)
        statement = statements.drafted(draft, caller, now, scrubber)
        annotations = statements.draft_annotations(draft, now, scrubber)
        space = space or self.steps.spaces.begin(name)
        return Accepted(space, draft, statement, annotations, Stamp(now, caller.key), scrubber.report)

    def scrubbed_again(self, caller: Caller, draft: Draft, saved: Saved) -> Report:
        """What scrub does to a draft that came before: nothing of it is kept but what is stored."""
        now = self.steps.clock.now()
        scrubber = self.steps.scrub.of(self.steps.spaces.find(saved.memory.space))
        with suppress(Invalid):  # the rules were others then
            statements.drafted(draft, caller, now, scrubber)
            statements.draft_annotations(replace(draft, expires_at=None), now, scrubber)
        return scrubber.report

    def repeated(self, request: Request, features: Features, hearing: Hearing) -> Saved | None:
        """The answer when nothing is to be written, because it says only what was just recalled."""
        found = hearing.of(request.accepted, features)
        if found is None:
            return None
        self.echo.reinforce(found)
        there = self.steps.shown(request.accepted.space, found.head, found.current)
        return self.saving.keep(request, there, Outcome.ECHO)

    def judged(
        self, accepted: Sequence[Accepted], features: Sequence[Features], around: Around | None = None
    ) -> list[Verdict]:
        """What the judge finds of each draft that is to be judged; they are given together."""
        asked = {
            place: Asked(each.space, each.statement, found, each.draft.judge, around)
            for place, (each, found) in enumerate(zip(accepted, features, strict=True))
            if each.draft.judge is not JudgeMode.OFF
        }
        found = dict(zip(asked, self.judge(list(asked.values())), strict=True)) if asked else {}
        return [found.get(place, UNJUDGED) for place in range(len(accepted))]

    def store(self, request: Request, features: Features, verdict: Verdict | None = None) -> Saved:
        """Write what a verdict says, the given one at first; judged anew when what it was based on has moved.

        When that has happened often the model is asked no more within the save, but afterwards.
        """
        for attempt in range(ATTEMPTS):
            accepted = request.accepted if attempt < _JUDGED_AT_ONCE else _judged_later(request.accepted)
            verdict = verdict or self.judged([accepted], [features])[0]
            saved = self.saving(request, features, verdict)
            if saved is not None:
                self.notice(saved, verdict, request.accepted.stamp)
                return saved
            verdict = None
        raise LostRace(ATTEMPTS)


def _judged_later(accepted: Accepted) -> Accepted:
    """The same, for a save that waits for no model."""
    draft = accepted.draft
    return accepted if draft.judge is JudgeMode.OFF else replace(accepted, draft=replace(draft, judge=JudgeMode.ASYNC))
