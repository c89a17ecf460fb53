"""What words such as between, since, before and in make of the phrases beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from palimpsest.domain.asking.date_match import Reading
from palimpsest.domain.asking.date_phrases import Phrases
from palimpsest.domain.asking.date_tokens import Token
from palimpsest.domain.asking.date_words import ENGLISH
from palimpsest.domain.asking.spans import DAY, Span, Unit

_LONG: Final = 31
"""Days of each side that the turn of two long spans takes in."""


class Range(NamedTuple):
    """Days that are asked for; None is open. `begin` and `end`: the tokens that it was read from."""

    first: date | None
    last: date | None
    begin: int
    end: int
    is_restricting: bool = True


@dataclass(frozen=True, slots=True)
class Ranges:
    """Reads the ranges of one query. `is_polish`: it is in Polish for sure, where `do` can stand before digits."""

    phrases: Phrases
    is_polish: bool

    @property
    def text(self) -> Sequence[Token]:
        return self.phrases.text

    @property
    def today(self) -> date:
        return self.phrases.moment.today

    def find(self) -> Iterator[Range]:
        """Each range, in order; none stands within another."""
        place = 0
        while place < len(self.text):
            found = self._at(place)
            if found is not None:
                yield found
            place = found.end if found is not None else place + 1

    def _at(self, place: int) -> Range | None:
        token = self.text[place]
        if not token.senses:
            return None
        if token.may_be("turn"):
            return self._turn(place)
        if token.may_be("between"):
            return self._between(place)
        if token.may_be("since", "od", "from") and (found := self._since(place)) is not None:
            return found
        if token.may_be("before", "przed", "after") and (found := self._beside(place)) is not None:
            return found
        if token.may_be("until", "do") and (found := self._until(place)) is not None:
            return found
        if token.may_be("in", "at", "from", "od") and (found := self._plain(place, place + 1, token)) is not None:
            return found
        return self._plain(place, place, None)

    def _plain(self, begin: int, place: int, intro: Token | None) -> Range | None:
        """In March; in March and April; 12-15 March; last week."""
        pair = self._pair(place, intro, ("and", "dash", "slash"))
        if pair is not None:
            return Range(pair[0].first, pair[0].last, begin, pair[1])
        found = self.phrases.at(place, intro)
        if found is None:
            return None
        reading, end = found
        return Range(*reading.span, begin, end, is_restricting=not reading.is_bare)

    def _between(self, place: int) -> Range | None:
        pair = self._pair(place + 1, self.text[place], ("and", "dash", "until", "to", "do"))
        return None if pair is None else Range(*pair[0], place, pair[1])

    def _since(self, place: int) -> Range | None:
        """From X to Y, since X, od X; `from X` alone is the time of X."""
        intro = self.text[place]
        pair = self._pair(place + 1, intro, ("until", "to", "do", "dash"))
        if pair is not None:
            return Range(*pair[0], place, pair[1])
        found = None if intro.may_be("from") else self.phrases.past(place + 1, intro)
        return None if found is None else Range(found[0].span.first, None, place, found[1])

    def _beside(self, place: int) -> Range | None:
        ago = self.phrases.at(place, None) if self.text[place].may_be("przed") else None
        if ago is not None:
            return Range(*ago[0].span, place, ago[1])
        found = self.phrases.at(place + 1, self.text[place])
        if found is None:
            return None
        (first, last), end = found[0].span, found[1]
        if self.text[place].may_be("after"):
            return Range(last + DAY, None, place, end)
        return Range(None, first - DAY, place, end)

    def _until(self, place: int) -> Range | None:
        """Until Friday, do piątku: the one that comes; do marca: the last one, or the coming one if that is asked."""
        intro, behind = self.text[place], self.text[place + 1 : place + 2]
        if intro.may_be("do") and behind and self._is_english_do(behind[0]):
            return None
        found = self.phrases.at(place + 1, intro)
        if found is None:
            return None
        reading, end = found
        is_weekday = any(token.may_be("weekday") for token in self.text[place:end])
        if is_weekday and reading.recurring is not None:
            reading = Reading(reading.recurring.coming(self.today))
        return Range(None, reading.span.last, place, end)

    def _is_english_do(self, behind: Token) -> bool:
        """What did we do last week, what did we do in March, what did we do 2025-03-14."""
        is_followed = behind.word in ENGLISH or behind.may_be("in", "at")
        return is_followed or (behind.may_be("date", "day_month", "year") and not self.is_polish)

    def _turn(self, place: int) -> Range | None:
        """At the turn of March and April: the last third of one, the first of the other; or two months."""
        pair = self._both(self.phrases.skip(place + 1), self.text[place], ("and", "slash", "dash"))
        if pair is not None:
            (left, right), end = pair
            return Range(_late(left), _early(right), place, end)
        for at in range(self.phrases.skip(place + 1), len(self.text)):
            unit = self.text[at].senses.get("unit")
            if not isinstance(unit, Unit) or unit.name not in ("year", "month"):
                return None
            now = unit.around(self.today)
            left, right = unit.around(self.today, -1), now
            return Range(_late(left), _early(right), place, at + 1)
        return None

    def _pair(self, place: int, intro: Token | None, joints: Sequence[str]) -> tuple[Span, int] | None:
        found = self._both(place, intro, joints)
        if found is None:
            return None
        (left, right), end = found
        return (Span(left.first, right.last), end) if left.first <= right.last else (Span(right.first, left.last), end)

    def _both(self, place: int, intro: Token | None, joints: Sequence[str]) -> tuple[tuple[Span, Span], int] | None:
        """Two phrases and a joint between them; what the left one leaves open the right one says."""
        place = self.phrases.skip(place) if intro is not None else place
        found = self.phrases.at(place, intro)
        joint = found[1] if found is not None else place + 1
        if joint >= len(self.text) or not self.text[joint].may_be(*joints):
            return None
        right = self.phrases.at(joint + 1, intro or self.text[joint])
        if right is None:
            return None
        if found is None:
            left = self._day_before(self.text[place], right[0].span)
            return None if left is None else ((left, right[0].span), right[1])
        return _matched(found[0], right[0]), right[1]

    @staticmethod
    def _day_before(token: Token, right: Span) -> Span | None:
        """12 of `12 to 15 March`."""
        number = token.senses.get("number", token.senses.get("ordinal"))
        if not isinstance(number, int) or right.first != right.last or not 0 < number < right.first.day:
            return None
        first = right.first.replace(day=number)
        return Span(first, first)


def _matched(left: Reading, right: Reading) -> tuple[Span, Span]:
    """Each in the year, or the week, that the other one says."""
    if right.recurring is not None:
        return left.span, right.recurring.coming(left.span.first)
    if left.recurring is not None:
        return left.recurring.begun(right.span.last), right.span
    return left.span, right.span


def _late(span: Span) -> date:
    return max(span.third(2).first, span.last - (_LONG - 1) * DAY)


def _early(span: Span) -> date:
    return min(span.third(0).last, span.first + (_LONG - 1) * DAY)
