"""The judge where there is a language model: rules first, then the model on what is near and the rules do not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.errors import TableError
from palimpsest.domain.judgement import UNJUDGED, Verdict
from palimpsest.domain.text import same_text_form
from palimpsest.domain.version import Statement
from palimpsest.domain.weighing import weigh
from palimpsest.ports.clock import Clock
from palimpsest.ports.embedder import Vector
from palimpsest.stores.beliefs import Belief
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import JudgeMode
from palimpsest.usecases.judge_by_rules import JudgeByRules, may_be_compared
from palimpsest.usecases.judging import Asked
from palimpsest.usecases.model_judge import LATER, ModelJudge, Nearby
from palimpsest.usecases.neighbours import Around, Neighbour

E5_NEAR: Final = 0.86
"""Cosine of multilingual E5 small, above which the model is asked. Of `tests/corpora/judge` 90 to 100 % of the pairs of
each label but ``unrelated`` are above it, and so are 9 of all its texts to each (2026-11-30)."""

_MOST: Final = 10
_SYNC: Final = timedelta(seconds=20)
_IN_BACKGROUND: Final = timedelta(seconds=45)
_TOO_SHORT: Final = timedelta(milliseconds=300)


@dataclass(frozen=True, slots=True)
class JudgeByModel:
    """Judges statements.

    Attributes:
        near: Similarity from which on the model is asked; no other embedding model than E5 has E5's narrow band.
        box: How long a save waits; what comes together shares it.
    """

    rules: JudgeByRules
    model: ModelJudge
    clock: Clock
    near: float
    box: timedelta

    def __call__(self, asked: Sequence[Asked]) -> Sequence[Verdict]:
        """A verdict on each, in order; incomplete where the time was too short, or where there are no vectors yet."""
        begun = self.clock.now()
        verdicts = dict.fromkeys(range(len(asked)), UNJUDGED)
        places: dict[Space, list[int]] = {}
        for place, each in enumerate(asked):
            places.setdefault(each.space, []).append(place)
        for space, some in places.items():
            found = self._neighbours(space, [asked[i].features.vectors for i in some], asked[some[0]].around)
            for i, near in zip(some, found, strict=True):
                until = begun + self._time(asked[i].mode)
                has_vectors = asked[i].features.has_vectors
                verdicts[i] = self._verdict(space, asked[i].statement, near, until) if has_vectors else LATER
        return [verdicts[place] for place in range(len(asked))]

    def later(self, space: Space, belief: Belief) -> Verdict:
        """The verdict on what is stored already, in the background: as if it came now, beside what was there before."""
        apart = self.rules.kept_apart(belief.head.root)
        (found,) = self._neighbours(space, [belief.vectors])
        before = [each for each in found if _is_before(each, belief) and each.head.root not in apart]
        return self._verdict(space, belief.current.statement, before, self.clock.now() + _IN_BACKGROUND)

    def _time(self, mode: JudgeMode) -> timedelta:
        return {JudgeMode.ASYNC: timedelta(0), JudgeMode.SYNC: max(_SYNC, self.box)}.get(mode, self.box)

    def _neighbours(
        self, space: Space, vectors: Sequence[Vector], around: Around | None = None
    ) -> Sequence[Sequence[Neighbour]]:
        neighbours = self.rules.neighbours
        try:
            return neighbours(around or neighbours.around(space), vectors, least=self.near, most=_MOST)
        except TableError:  # what can't be read now is not judged
            return [()] * len(vectors)

    def _verdict(self, space: Space, statement: Statement, near: Sequence[Neighbour], until: datetime) -> Verdict:
        now = self.clock.now()
        rules = self.rules.verdict(statement, near, now)
        known = rules.identical and rules.identical.ref.root
        form = same_text_form(statement.content)
        if any(may_be_compared(each, statement, now) and _form(each) == form for each in near):
            return rules  # it came a moment ago: the table says that the text is there
        others = [
            Nearby(each.version, round(each.similarity, 4), may_be_compared(each, statement, now))
            for each in near
            if each.head.root != known and not each.head.is_expired(now)
        ]
        if not others:
            return rules
        left = until - self.clock.now()
        model = LATER if left < _TOO_SHORT else self.model(space, statement, others, left)
        return self._without_kept_apart(weigh(rules, model, [each.ref for each in others]))

    def _without_kept_apart(self, verdict: Verdict) -> Verdict:
        """What restates a belief is not held against those that a person has kept apart from that one."""
        if verdict.identical is None:
            return verdict
        apart = self.rules.kept_apart(verdict.identical.ref.root)
        against = tuple(each for each in verdict.contradictory if each.ref.root not in apart)
        doubts = tuple(each for each in verdict.doubts if each.ref.root not in apart)
        return replace(verdict, contradictory=against, doubts=doubts)


def _form(near: Neighbour) -> str:
    return same_text_form(near.version.statement.content)


def _is_before(near: Neighbour, belief: Belief) -> bool:
    """It was said before, so that of two that wait for each other's judgement one is the older."""
    new, old = belief.current, near.version
    return (old.recorded_at, old.root) < (new.recorded_at, new.root)
