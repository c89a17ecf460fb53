"""A query as tokens with all that each may mean of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.asking import date_words
from palimpsest.domain.asking.spans import day, months

_LONGEST_PHRASE: Final = 4
_CHUNK: Final = re.compile(r"\S+")
_PART: Final = re.compile(r"['’]s\b|q[1-4]\b|[^\W\d_]+|\d+(?:st|nd|rd|th|s|-?tych|-?te)?\b|\S", re.IGNORECASE)
_OPAQUE: Final = re.compile(r"[_@#:\\=&%$€£<>|*+~^]")
_EDGES: Final = "()[]{}\"'“”„‘’«»,;.?!…"
_MIXED: Final = re.compile(r"(?:\d+(?:st|nd|rd|th|s|r|-?tych|-?te)?|q[1-4]|[^\W\d_]+)(?:[-–—/](?:\d+\w*|[^\W\d_]+))?")
_ISO: Final = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:t[\d:.]+(?:z|[+-]\d\d:?\d\d)?)?")
_ISO_MONTH: Final = re.compile(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)r?")
_DAY_MONTH: Final = re.compile(r"(\d{1,2})\.(0[1-9]|1[0-2])")
_DASHES: Final = "-–—"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, a date or a sign; `begin` and `end` are places in the text.

    Attributes:
        word: Casefolded, without diacritics; of a phrase its first word.
        is_word: It has letters.
    """

    word: str
    begin: int
    end: int
    senses: date_words.Senses
    is_word: bool = False

    def may_be(self, *senses: str) -> bool:
        """It has one of these senses."""
        return any(sense in self.senses for sense in senses)


def tokens(text: str, *, is_day_first: bool) -> list[Token]:
    """The tokens of an NFC text, the longest phrases as one. `is_day_first`: ``03/04/2025`` is in April."""
    plain = [part for chunk in _CHUNK.finditer(text) for part in _chunk(chunk[0], chunk.start(), is_day_first)]
    found: list[Token] = []
    place = 0
    while place < len(plain):
        used, token = _phrase(plain, place)
        found.append(token)
        place += used
    return found


def _phrase(plain: list[Token], place: int) -> tuple[int, Token]:
    lexicon = date_words.lexicon()
    first = plain[place]
    for length in range(_LONGEST_PHRASE, 1, -1):
        part = plain[place : place + length]
        senses = lexicon.get(tuple(token.word for token in part))
        if senses is not None and len(part) == length:
            return length, Token(first.word, first.begin, part[-1].end, senses, is_word=True)
    if first.senses:
        return 1, first
    return 1, Token(first.word, first.begin, first.end, lexicon.get((first.word,), {}), first.is_word)


def _chunk(chunk: str, begin: int, is_day_first: bool) -> Iterator[Token]:
    inner = chunk.strip(_EDGES)
    start = begin + chunk.index(inner) if inner else begin
    end = start + len(inner)
    for place in range(begin, start):
        yield Token(chunk[place - begin], place, place + 1, {})
    word = fold(inner.casefold())
    written = _written(word, is_day_first)
    if written is not None:
        yield Token(word, start, end, written)
    elif inner and _is_opaque(word):
        yield Token(word, start, end, {}, is_word=True)
    else:
        yield from (_part(part[0], start + part.start()) for part in _PART.finditer(inner))
    for place in range(end, begin + len(chunk)):
        sign = chunk[place - begin]
        yield Token(sign, place, place + 1, {"the": None} if sign in ",." else {})


def _is_opaque(word: str) -> bool:
    """A name, an address or a number with a sign: nothing in it is a date."""
    if _OPAQUE.search(word):
        return True
    has_digits = any(sign.isdecimal() for sign in word)
    return has_digits and not _MIXED.fullmatch(word)


def _written(word: str, is_day_first: bool) -> date_words.Senses | None:
    """What a date in digits means; None of what is none."""
    try:
        if match := _ISO.fullmatch(word):
            return {"date": day(date(int(match[1]), int(match[3]), int(match[4])))}
        if match := _ISO_MONTH.fullmatch(word):
            return {"date": months(int(match[1]), int(match[2]))}
        if match := _DAY_FIRST.fullmatch(word):
            return _local(int(match[1]), match[2], int(match[3]), int(match[4]), is_day_first)
        if match := _DAY_MONTH.fullmatch(word):
            return {"day_month": 100 * int(match[2]) + int(match[1])} if 0 < int(match[1]) <= 31 else {}
    except ValueError:
        return {}
    return None


def _local(first: int, sign: str, second: int, of_year: int, is_day_first: bool) -> date_words.Senses:
    """A date with a point has its day first; of one with a stroke that is not clear none is guessed."""
    if sign != "/" or is_day_first or first > 12 or first == second:
        return {"date": day(date(of_year, second, first))}
    return {"date": day(date(of_year, first, second))} if second > 12 else {}


def _part(text: str, begin: int) -> Token:
    word, end = fold(text.casefold()), begin + len(text)
    digits = re.match(r"\d+", word)
    if digits is None:
        return Token("-" if word in _DASHES else word, begin, end, {}, text[0].isalpha())
    number, tail = int(digits[0]) if len(digits[0]) < 5 else 0, word[digits.end() :].strip("-")
    senses: dict[str, date_words.Value] = {}
    if tail in ("s", "tych", "te"):
        senses = {"decade": number} if number % 10 == 0 and (10 <= number < 100 or 1900 <= number < 2100) else {}
    elif tail:
        senses = {"ordinal": number} if 0 < number <= 31 else {}
    elif 1900 <= number < 2100:
        senses = {"year": number}
    elif 0 < number < 1000:
        senses = {"number": number}
    return Token(word, begin, end, senses)
