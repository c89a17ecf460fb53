"""What a query asks for to the letter: ids, quoted phrases, and identifiers such as ERR-4411, main.py or anna@x.org."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MOST: Final = 4
"""Of each kind, of one query."""

_ID = re.compile(r"\b(?:mem|chk)_[0-9A-HJKMNP-TV-Z]{26}\b")
_QUOTED = re.compile(
    r"\"([^\"\n]{2,200})\"|“([^”\n]{2,200})”|„([^”\"\n]{2,200})[”\"]|«([^»\n]{2,200})»|`([^`\n]{2,200})`"
)
_JOINED = re.compile(r"[^\W_]+(?:[-_.@:/+#][^\W_]+)+")
_CODE = re.compile(r"[^\W\d_]+\d[^\W_]*|\d+[^\W\d_][^\W_]*")
_PLAIN = re.compile(r"\d{1,4}(?:[-./:]\d{1,4}){1,3}|\d+(?:st|nd|rd|th|s|am|pm|h|min|r)", re.IGNORECASE)
"""Dates, times and amounts."""
_ABBREVIATION = re.compile(r"[^\W\d_](?:\.[^\W\d_])+|m\.in", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Exact:
    """What has to be found as it stands.

    Attributes:
        ids: Of memories and chunks.
        phrases: Quoted ones, and identifiers.
    """

    ids: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ids or self.phrases)


def exact_in(query: str) -> Exact:
    """What a query asks for to the letter.

    An identifier is words joined by a sign of which one has a figure or a sign that joins no plain words (``ab.cd``,
    ``a@b``, ``a_b``, ``a/b/c``), or letters and figures together. Words joined by a hyphen or by one stroke
    ("and/or") are none, nor are abbreviations ("e.g"), dates and amounts.
    """
    ids = tuple(dict.fromkeys(_ID.findall(query)))[:MOST]
    rest = _ID.sub(" ", query)
    quoted = [next(filter(None, groups)).strip() for groups in _QUOTED.findall(rest)]
    rest = _QUOTED.sub(" ", rest)
    joined = [each for each in _JOINED.findall(rest) if _is_identifier(each)]
    codes = [each for each in _CODE.findall(_JOINED.sub(" ", rest)) if not _PLAIN.fullmatch(each)]
    found = dict.fromkeys(each for each in (*quoted, *joined, *codes) if each)
    return Exact(ids, tuple(found)[:MOST])


def _is_identifier(text: str) -> bool:
    if _PLAIN.fullmatch(text) or _ABBREVIATION.fullmatch(text):
        return False
    has_sign = any(sign in text for sign in "_@.+#") or text.count("/") > 1
    return has_sign or any(figure.isdigit() for figure in text)
