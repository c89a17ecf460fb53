"""The phrases of one query: what each names, behind its article, and of which part of that it speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from palimpsest.domain.asking import day_rules, month_rules, unit_rules
from palimpsest.domain.asking.date_match import Moment, Reading, Table, match
from palimpsest.domain.asking.date_tokens import Token
from palimpsest.domain.asking.spans import Unit

_FILLERS: Final = 3
_THIRDS: Final = ("early", "mid", "late")


@dataclass(frozen=True, slots=True)
class Phrases:
    """The tokens of a query, and when it is asked."""

    text: Sequence[Token]
    moment: Moment

    def at(self, place: int, intro: Token | None) -> tuple[Reading, int] | None:
        """What is named there, behind fillers if `intro` introduces it, and where its words end."""
        starts = [place] if intro is None else range(place, self.skip(place) + 1)
        for start in starts:
            if start >= len(self.text):
                return None
            found = self._third(start) or self._match(start, intro)
            if found is not None:
                return found
        return None

    def _third(self, place: int) -> tuple[Reading, int] | None:
        part = self.text[place]
        number = next((number for number, sense in enumerate(_THIRDS) if part.may_be(sense)), None)
        if number is None:
            return None
        start = self.skip(place + 1)
        start += start < len(self.text) and self.text[start].may_be("dash")
        if start >= len(self.text):
            return None
        unit = self.text[start].senses.get("unit")
        found = self._match(start, part)
        if found is None and isinstance(unit, Unit) and unit.name != "day":
            found = Reading(unit.around(self.moment.today)), start + 1
        return None if found is None else (Reading(found[0].span.third(number)), found[1])

    def skip(self, place: int) -> int:
        """The place behind the fillers there, such as `in the`."""
        end = min(place + _FILLERS, len(self.text))
        return next((at for at in range(place, end) if not self.text[at].may_be("the", "in", "at", "units")), end)

    def past(self, place: int, intro: Token | None) -> tuple[Reading, int] | None:
        """The same, but never what is to come: a time since then."""
        return replace(self, moment=Moment(self.moment.now)).at(place, intro)

    def _match(self, place: int, intro: Token | None) -> tuple[Reading, int] | None:
        return match(_rules(), self.text, place, self.moment, intro)


@lru_cache(maxsize=1)
def _rules() -> Table:
    return Table.of([*day_rules.RULES, *unit_rules.RULES, *month_rules.RULES])
