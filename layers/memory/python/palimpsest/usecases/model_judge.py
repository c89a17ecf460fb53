"""The judge by a language model: how a statement stands to the beliefs that are nearest to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from palimpsest.domain import prompts
from palimpsest.domain.errors import BudgetExhausted, ModelAnswerUnusable, ModelFailure, ModelUnavailable
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.judgement import UNJUDGED, Opinion, Relation, Verdict
from palimpsest.domain.prompts import Exhibit
from palimpsest.domain.version import Statement, Version
from palimpsest.ports.language_model import Json, Question, Shape
from palimpsest.stores.spaces import Space
from palimpsest.usecases.ask_model import AskModel

MOST: Final = 5
"""Beliefs that a statement is compared with at once."""

LATER: Final = Verdict("none", is_complete=False)
"""The model could not say anything in time; it is asked again in the background."""

_REASON_CHARACTERS: Final = 200
_TOKENS: Final = 2_000
"""Far more than five verdicts take: a model that reasons thinks within the same limit."""

_OVERRULED: Final = "the model takes them for the same, but a number, name, date or negation differs"
_UNUSABLE: Final = "nobody could compare them: the model's answers meant nothing"
_NO_REASON: Final = "the model gave no reason"
_SHAPE: Final = Shape(
    "verdicts",
    {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "statement": {"type": "integer"},
                        "relation": {"type": "string", "enum": [each.value for each in Relation]},
                        "reason": {"type": "string"},
                    },
                    "required": ["statement", "relation", "reason"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["verdicts"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Nearby:
    """A current version that a statement may restate or contradict.

    Attributes:
        similarity: Cosine of the two.
        may_be_same: Nothing but their texts speaks against it: both are of the same person and of the same time.
    """

    version: Version
    similarity: float
    may_be_same: bool = True

    @property
    def ref(self) -> VersionRef:
        return self.version.ref


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Asks the model.

    Attributes:
        differs: Whether a number, a name, a date or a negation stands on one side only, as far as rules can see. What
            differs so is never identical, whatever the model says.
        clean: Takes out of a model's words what the space does not store.
    """

    ask: AskModel
    differs: Callable[[str, str], bool]
    clean: Callable[[Space, str], str]

    def __call__(self, space: Space, statement: Statement, nearby: Sequence[Nearby], within: timedelta) -> Verdict:
        """The model's verdict on a statement.

        `LATER` when no answer came in time; `UNJUDGED` when none will come: without budget, or by a refusal. A model
        that says nothing usable leaves a doubt.
        """
        near = nearby[:MOST]
        if not near:
            return UNJUDGED
        try:
            told = self.ask(space.id, _question(statement, near, within), lambda told: self._read(space, told, near))
        except BudgetExhausted:
            return UNJUDGED
        except ModelUnavailable as error:
            return UNJUDGED if error.reason is ModelFailure.REFUSED else LATER
        except ModelAnswerUnusable:
            doubt = _opinion(near[0], Relation.COMPLEMENTARY, _UNUSABLE, self.ask.name)
            return Verdict(self.ask.name, doubts=(doubt,))
        return self._verdict(statement, near, told.value)

    def _read(self, space: Space, content: Mapping[str, Json], near: Sequence[Nearby]) -> list[Opinion]:
        """One opinion on each, in their order; ModelAnswerUnusable for anything else."""
        rows = content.get("verdicts")
        if not isinstance(rows, list) or len(rows) != len(near):
            raise ModelAnswerUnusable(f"`verdicts` needs one entry for each of the {len(near)} statements")
        opinions: dict[int, Opinion] = {}
        for row in rows:
            match row:
                case {"statement": int(number), "relation": str(relation), "reason": str(reason)}:
                    if not 1 <= number <= len(near) or relation not in set(Relation):
                        raise ModelAnswerUnusable("an entry names no statement or no relation that there is")
                    told = self.clean(space, " ".join(reason.split()))[:_REASON_CHARACTERS] or _NO_REASON
                    opinions[number] = _opinion(near[number - 1], Relation(relation), told, self.ask.name)
                case _:
                    raise ModelAnswerUnusable("an entry lacks statement, relation or reason")
        if len(opinions) != len(near):
            raise ModelAnswerUnusable("a statement has two entries")
        return [opinions[number] for number in sorted(opinions)]

    def _verdict(self, statement: Statement, near: Sequence[Nearby], opinions: Sequence[Opinion]) -> Verdict:
        identical, doubts = [], []
        for each, opinion in zip(near, opinions, strict=True):
            if opinion.relation is not Relation.IDENTICAL:
                continue
            if self._may_be_same(statement, each):
                identical.append(opinion)
            else:
                doubts.append(_opinion(each, Relation.CONTRADICTORY, _OVERRULED, self.ask.name))
        best = max(identical, key=lambda opinion: opinion.similarity, default=None)
        against = tuple(opinion for opinion in opinions if opinion.relation is Relation.CONTRADICTORY)
        return Verdict(self.ask.name, best, against, tuple(doubts))

    def _may_be_same(self, new: Statement, near: Nearby) -> bool:
        """The rules find nothing that sets them apart, and the model has seen all of both."""
        old = near.version.statement
        is_seen = prompts.is_whole(new) and prompts.is_whole(old)
        return near.may_be_same and is_seen and not self.differs(new.content, old.content)


def _question(statement: Statement, near: Sequence[Nearby], within: timedelta) -> Question:
    exhibits = [Exhibit("new statement", statement)]
    exhibits += [
        Exhibit(f"statement {number}", each.version.statement, each.version.recorded_at)
        for number, each in enumerate(near, 1)
    ]
    return Question(prompts.JUDGE, prompts.shown(exhibits), _SHAPE, _TOKENS, within)


def _opinion(each: Nearby, relation: Relation, reason: str, judged_by: str) -> Opinion:
    return Opinion(each.ref, relation, each.similarity, reason, judged_by)
