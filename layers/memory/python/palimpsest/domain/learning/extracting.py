"""Facts that rules find in what one says: few, and nearly all of them right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from palimpsest.domain.extraction import USER
from palimpsest.domain.learning import days, english, people, polish
from palimpsest.domain.learning.clauses import Clause, stated
from palimpsest.domain.learning.fact import Day, Fact, Span
from palimpsest.domain.learning.plainness import plain
from palimpsest.domain.learning.rules import CONFIDENCE, TYPES, Grammar, Kind

_LONGEST: Final = 400
"""Characters of a clause that is read; nobody says one thing in more."""

_ANY_DAY: Final = date(2000, 1, 1)
_MOST: Final = 20
"""Facts of one turn."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What one says, and when.

    Attributes:
        speaker: Their name; None for the user of an assistant.
        said_on: None when nobody knows; then no day is counted from it.
        known: Names of people that were heard of before.
    """

    text: str
    said_on: date | None
    speaker: str | None = None
    known: frozenset[str] = frozenset()


def facts(saying: Saying) -> list[Fact]:
    """What the speaker states of themselves and of those whom they name, in the order of the evidence."""
    shown = plain(saying.text)
    relatives = list(people.relatives(saying.text, shown))
    known = saying.known | {each.name for each in relatives}
    found = [_relation(saying, each) for each in relatives]
    for clause in stated(saying.text):
        if len(clause.text) <= _LONGEST and not clause.depends:
            found += _read(saying, clause, known)
    return sorted(found, key=lambda fact: fact.evidence)[:_MOST]


def _relation(saying: Saying, relative: people.Relative) -> Fact:
    return _fact(Kind.RELATION, relative.text, saying.speaker or USER, relative.evidence, None)


def _read(saying: Saying, clause: Clause, known: frozenset[str]) -> Iterator[Fact]:
    subject, behind = _subject(saying, clause, known)
    grammars = (english.grammar(), polish.grammar())
    for grammar in grammars if english.is_likely(clause.text) else reversed(grammars):
        is_past = grammar.past.search(clause.text) is not None
        said = days.find(clause.text, days.Moment(saying.said_on or _ANY_DAY, is_past))
        if len(said) > 1:
            return
        text = _without(clause.text, said, behind - clause.span.begin)
        kind = _kind(grammar, text, is_told=behind > clause.span.begin, is_past=is_past, said=said)
        if kind is not None:
            day = _day(saying, clause, said[0]) if said else None
            text = saying.text[clause.span.begin : clause.span.end]
            yield _fact(kind, text, subject, clause.span, day)
            return


def _day(saying: Saying, clause: Clause, said: days.Found) -> Day:
    begin = clause.span.begin
    return Day(saying.text[begin + said.begin : begin + said.end], said.date if saying.said_on else None)


def _subject(saying: Saying, clause: Clause, known: frozenset[str]) -> tuple[str, int]:
    """Whom the clause is about, and where what it says of another one begins."""
    own = saying.speaker or USER
    someone = people.someone(clause.text, 0, len(clause.text))
    begin = clause.span.begin + (0 if someone is None else someone)
    gap = re.compile(r",?\s*").match(saying.text, begin)
    named = people.named_first(saying.text, begin if someone is None or gap is None else gap.end(), known)
    if named is not None:
        name = saying.text[named.begin : named.end]
        return name, named.end
    return own, begin


def _without(text: str, said: list[days.Found], begin: int) -> str:
    """A clause behind its subject, without what says when."""
    for when in said:
        text = text[: when.begin] + " " * (when.end - when.begin) + text[when.end :]
    rest = text[begin:].rstrip()
    return re.sub(r"^[\s,]+", " " if begin else "", rest)


def _kind(grammar: Grammar, text: str, *, is_told: bool, is_past: bool, said: list[days.Found]) -> Kind | None:
    rules = grammar.told if is_told else grammar.own
    kind = next((kind for kind, rule in rules if rule.search(text)), None)
    if not said or kind not in (None, Kind.ATTRIBUTE) or grammar.trifles.search(text):
        return kind
    if (kind is None or said[0].date is not None) and (grammar.told_dated if is_told else grammar.own_dated).search(
        text
    ):
        return Kind.EVENT if is_past else Kind.PLAN
    return kind


def _fact(kind: Kind, text: str, subject: str, evidence: Span, day: Day | None) -> Fact:
    return Fact(text, TYPES[kind], subject, evidence, day, CONFIDENCE[kind])
