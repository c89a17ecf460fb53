"""Where sentences end, English and Polish; only surely, or perhaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from palimpsest.domain.library.abbreviations import LEADS_ON, LEADS_TO_NUMBER, MAY_BE_LAST

_END: Final = re.compile(r"(?<![.!?…؟۔।])[.!?…؟۔।]+[\"'”’»)\]*_]*\s+|[。！？]+[」』”’）]*\s*|\n\s*")
_BEGIN: Final = re.compile(r"[^\w\n]{0,40}")
_LAST_WORD: Final = re.compile(r"[\w.§/]*\Z")
_LOOK_BACK: Final = 24
"""Characters: no abbreviation is longer."""

_ORDINAL_DIGITS: Final = 2
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_ROMAN: Final = re.compile(r"[IVXLC]+")
_FULL_WIDTH: Final = frozenset("。！？")


class End(NamedTuple):
    """Where the next sentence would begin, and whether it does for sure."""

    at: int
    is_sure: bool


def ends(text: str) -> Iterator[End]:
    """The ends of sentences within `text`, in order.

    An abbreviation, an initial, a decimal, a date or the number of a point in a list ends none. Perhaps one ends before
    a small letter, at the end of a line, after 'etc.' and after a number.
    """
    for found in _END.finditer(text):
        if found.end() == len(text):
            return
        mark = found[0][0]
        if found[0].count("\n") > 1 or mark in _FULL_WIDTH:
            yield End(found.end(), is_sure=True)
        elif mark == "\n":
            yield End(found.end(), is_sure=False)
        elif mark != "." or found[0][1:2] == ".":
            yield End(found.end(), is_sure=not _goes_on(text, found.end()))
        else:
            yield from _after_point(text, found)


def _after_point(text: str, found: re.Match[str]) -> Iterator[End]:
    before = text[max(0, found.start() - _LOOK_BACK) : found.start()]
    last = _LAST_WORD.search(before)
    word = last[0].lstrip(".") if last else ""
    begin = _first_letter(text, found.end())
    if _leads_on(word, begin) or _is_number_of_point(word, before):
        return
    is_short = word.lower() in MAY_BE_LAST or word.lower() in LEADS_TO_NUMBER
    if is_short and begin.islower():
        return
    is_ordinal = word.isdecimal() and not _is_long(word, begin)
    yield End(found.end(), is_sure=not is_short and not is_ordinal and not begin.islower())


def _leads_on(word: str, begin: str) -> bool:
    """Whether the point after `word` belongs to it."""
    small = word.lower()
    if small in MAY_BE_LAST and not word.isupper():
        return False
    if small in LEADS_ON or _INITIALS.fullmatch(word):
        return True
    if word.isdecimal() and not _is_long(word, begin):
        return begin.islower() or begin.isdigit()  # '3. kwartał', '15. 12. 2020'
    return small in LEADS_TO_NUMBER and begin.isdigit()


def _is_number_of_point(word: str, before: str) -> bool:
    """Whether it numbers a point of a list: '1. The first', 'II. The second'."""
    line = before[before.rfind("\n") + 1 :]
    is_seen_whole = "\n" in before or len(before) < _LOOK_BACK
    return is_seen_whole and line.strip() == word and (word[:1].isdigit() or bool(_ROMAN.fullmatch(word)))


def _is_long(word: str, begin: str) -> bool:
    """Whether a number is a year or an amount, after which a sentence may begin."""
    return len(word) > _ORDINAL_DIGITS and not begin.isdigit()


def _goes_on(text: str, at: int) -> bool:
    return _first_letter(text, at).islower()


def _first_letter(text: str, at: int) -> str:
    """The first letter or digit of what begins at `at`."""
    found = _BEGIN.match(text, at)
    begin = found.end() if found else at
    return text[begin : begin + 1]
