"""A text made plain for rules, character by character, with what its writer does not say themselves covered."""

from __future__ import annotations

import re
from typing import Final

COVER: Final = '"'
"""Stands for each covered character."""

_PLAIN: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ’‘ʼ\u00a0", "acelnoszzacelnoszz''' ")
_COVERED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|^[ \t]*>.*$"
    r"|\"[^\"\n]*(?:\"|$)|“[^”\n]*(?:”|$)|„[^”\"\n]*(?:[”\"]|$)|«[^»\n]*(?:»|$)",
    re.DOTALL | re.MULTILINE,
)
_HANDED_OVER: Final = re.compile(
    r"\b(?:translate|rewrite|rephrase|proofread|summari[sz]e|correct|edit|fix|check|draft|write|note|email|mail|"
    r"message|"
    r"przetlumacz|przeredaguj|popraw|stresc|sprawdz|zredaguj|napisz|wiadomosc|tresc|notatka)\b[^.!?\n]{0,80}:(?=\s)"
    r"|:[ \t]{0,9}\n|^(?:dear|szanown\w+|drog(?:i|a|ie))\b[^.!?\n]{0,80},[ \t]{0,9}$",
    re.MULTILINE,
)
"""Behind it stands a text to work on, or a letter."""


def plain(text: str) -> str:
    """`text` in small letters without Polish diacritics, as long as it is; quotes, code and letters covered."""
    small = "".join(map(_small, text.translate(_PLAIN)))
    small = _COVERED.sub(lambda found: _cover(found[0]), small)
    handed = _HANDED_OVER.search(small)
    return small if handed is None else small[: handed.end()] + _cover(small[handed.end() :])


def _small(sign: str) -> str:
    lower = sign.lower()
    return lower if len(lower) == 1 else sign


def _cover(text: str) -> str:
    return re.sub(r"[^\n]", COVER, text)
