"""The judge that is always there: by rules alone it knows a restatement, and doubts what is likely to contradict.

It declares no contradiction. Of what it does not recognise it says nothing, so that nothing is merged by mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final, TypeAlias

from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import RootId
from palimpsest.domain.judgement import UNJUDGED, Opinion, Relation, Verdict
from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.opposing import opposes
from palimpsest.domain.restating.tellings import Telling
from palimpsest.domain.version import Statement
from palimpsest.ports.clock import Clock
from palimpsest.stores.spaces import Space
from palimpsest.usecases.judging import ALIKE, Asked
from palimpsest.usecases.neighbours import Neighbour, Neighbours

RULES: Final = "rules"

_MOST = 10

_SERIES: Final = 3
"""A text that differs in the same way from more than so many is of a series: numbered shelves contradict nothing."""

KeptApart: TypeAlias = Callable[[RootId], frozenset[RootId]]
"""The beliefs that a person has said are another thing than this one."""

_SAME = "It says the same in other words."
_DOUBT = "It says the same but for a number, a name, a date, a negation or an opposite."


@dataclass(frozen=True, slots=True)
class JudgeByRules:
    """Judges statements by the rules of `domain.restating`. `kept_apart`: is not asked about again."""

    neighbours: Neighbours
    clock: Clock
    kept_apart: KeptApart

    def __call__(self, asked: Sequence[Asked]) -> Sequence[Verdict]:
        """A verdict on each, in order; what can't be read now is not judged."""
        verdicts = dict.fromkeys(range(len(asked)), UNJUDGED)
        places: dict[Space, list[int]] = {}
        for place, each in enumerate(asked):
            places.setdefault(each.space, []).append(place)
        for space, some in places.items():
            try:
                around = asked[some[0]].around or self.neighbours.around(space)
                found = self.neighbours(around, [asked[i].features.vectors for i in some], least=ALIKE, most=_MOST)
            except TableError:
                continue
            now = self.clock.now()
            verdicts |= {i: self.verdict(asked[i].statement, near, now) for i, near in zip(some, found, strict=True)}
        return [verdicts[place] for place in range(len(asked))]

    def verdict(self, statement: Statement, near: Sequence[Neighbour], now: datetime) -> Verdict:
        """What the rules find of a statement beside what is near to it."""
        told = Telling(statement.content)
        fair = [each for each in near if may_be_compared(each, statement, now)]
        tellings = {each.version.ref: Telling(each.version.statement.content) for each in fair}
        same = next((each for each in fair if restates(told, tellings[each.version.ref])), None)
        if any(telling.form == told.form for telling in tellings.values()):
            same = None  # it came a moment ago: no restatement, but the same text, and the table says so
        if same is not None:
            apart = self.kept_apart(same.head.root)
            fair = [each for each in fair if each.head.root not in apart and each is not same]
        opposed = list(islice((each for each in fair if opposes(told, tellings[each.version.ref])), _SERIES + 1))
        nearest = opposed[:1] if len(opposed) <= _SERIES else []
        doubts = tuple(_opinion(each, Relation.CONTRADICTORY, _DOUBT) for each in nearest)
        return Verdict(RULES, None if same is None else _opinion(same, Relation.IDENTICAL, _SAME), doubts=doubts)


def may_be_compared(near: Neighbour, statement: Statement, now: datetime) -> bool:
    """Whether both are said by the same one, and the new one tells of no time of its own."""
    there = near.version.statement
    if near.head.is_expired(now) or there.attributed_to != statement.attributed_to or there.level != statement.level:
        return False
    times = (
        (there.valid_from, statement.valid_from),
        (there.valid_until, statement.valid_until),
        (there.event_date, statement.event_date),
    )
    return all(told in (None, known) for known, told in times) and _is_true_as_long(there, statement, now)


def _is_true_as_long(there: Statement, statement: Statement, now: datetime) -> bool:
    """A restatement inherits the times that it does not give: what is over must not hide what is said now."""
    ends, begins = there.valid_until, there.valid_from
    is_over = statement.valid_until is None and ends is not None and ends <= now
    is_to_come = statement.valid_from is None and begins is not None and begins > now
    return not is_over and not is_to_come


def _opinion(near: Neighbour, relation: Relation, reason: str) -> Opinion:
    return Opinion(near.version.ref, relation, round(near.similarity, 4), reason, RULES)
