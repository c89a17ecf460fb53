"""A text in tokens: words, numbers, dates and times as written, and the breaks between its clauses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from palimpsest.domain.restating.wordlists import words


class Sort(StrEnum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    VALUE = "value"
    """A quantity, date or time in one notation for all; `text` is that notation."""
    MARK = "mark"
    BREAK = "break"
    COMMA = "comma"
    """A weak break: what stands between two may belong to what stands before."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text.

    Attributes:
        text: In lower case, without the quotes around it.
        is_capital: Written with a capital letter.
        is_first: The first of its sentence, where a capital says nothing.
        is_owner: ``'s`` stood behind it.
    """

    text: str
    sort: Sort = Sort.WORD
    is_capital: bool = False
    is_first: bool = False
    is_owner: bool = False


_SCAN: Final = re.compile(
    r"""
    (?P<date>\d{4}-\d{2}-\d{2}(?![\w-])|\d{1,2}\.\d{1,2}\.\d{4}(?!\d)|\d{1,2}\.(?:0[1-9]\.?|1[0-2]\.)(?![\d.]*\d))
  | (?P<time>(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))
  | (?P<number>(?:(?<![\w)\]])[-+\u2212])?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\d.,]*\d)|\d+(?:[.,]\d+)*))
  | (?P<flag>(?<!\S)--?[^\W\d_][\w-]*)
  | (?P<word>[^\W\d]\w*(?:['.@/+\#_-]+\w+)*(?:\+\+|\#)?)
  | (?P<mark>[<>=]=?|[\u2264\u2265%$€£?*+&]|°[CFcf]?|(?<=\d)[-\u2013](?=\d))
  | (?P<comma>[,()\[\]])
  | (?P<strong>[.;:!\n]|(?<!\S)[-*\u2013\u2014\u2022](?!\S))
  | (?P<other>[^\s_*\u2026])
    """,
    re.VERBOSE,
)
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", **dict.fromkeys('"“”„«»`', " ")})
_ABBREVIATIONS: Final = words(
    "a.m p.m pm r godz tys mln nr dr mr mrs ms ul np st mt pon wt śr czw pt sob niedz nd mon tue thu fri"
    " jan feb apr jun jul aug sep sept oct nov dec"
)
"""After these a full stop ends no sentence."""

_CONTRACTED: Final = {"can't": "can not", "won't": "will not", "shan't": "shall not", "cannot": "can not"}
_SHORT: Final = {"n't": " not", "'m": " am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would"}
_IS: Final = words("it he she that there here what who where how")
"""Behind these ``'s`` is a verb, never an owner's mark."""


def tokens(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    found: list[Token] = []
    is_first = True
    for token in _scanned(unicodedata.normalize("NFC", text).translate(_QUOTES)):
        if token.sort is Sort.BREAK and token.text == "." and found and found[-1].text in _ABBREVIATIONS:
            continue
        for part in _parts(token):
            found.append(
                Token(part.text, part.sort, part.is_capital, is_first, part.is_owner)
                if part.sort is Sort.WORD
                else part
            )
            is_first = part.sort is Sort.BREAK
    return found


def _scanned(text: str) -> Iterator[Token]:
    for match in _SCAN.finditer(text):
        kind, written = str(match.lastgroup), match.group()
        sort = {
            "comma": Sort.COMMA,
            "strong": Sort.BREAK,
            "mark": Sort.MARK,
            "other": Sort.MARK,
            "number": Sort.NUMBER,
        }.get(kind, Sort.WORD)
        if kind in ("date", "time"):
            sort = Sort.VALUE
        is_capital = kind == "word" and written != written.lower()
        yield Token(written.lower(), sort, is_capital)


def _parts(token: Token) -> Iterator[Token]:
    """A word, or those that an apostrophe joins."""
    if token.sort is not Sort.WORD or ("'" not in token.text and token.text != "cannot"):
        yield token
        return
    text = _CONTRACTED.get(token.text, token.text)
    for short, long in _SHORT.items():
        if text.endswith(short):
            text = text.removesuffix(short) + long
    is_owner = text.endswith("'s")
    if is_owner and text.removesuffix("'s") in _IS:
        text, is_owner = text.removesuffix("'s") + " is", False
    for word in text.removesuffix("'s" if is_owner else "\0").split():
        yield Token(word, Sort.WORD, token.is_capital, is_owner=is_owner)
