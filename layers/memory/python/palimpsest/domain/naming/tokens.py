"""A text as words and signs with their places, and as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from palimpsest.domain.restating.wordlists import words

_TOKEN = re.compile(
    r"""
    (?P<plain>[^\W_]+(?=[\ \n]|[,;:!?.](?:\s|$)|$))
    |(?P<end>[,;:!?.](?=\s|$))
    |(?P<code>`[^`\n]*`|https?://\S+|[\w.+-]+@[\w-]+\.[\w.-]+|(?<![\w)])(?:~|\.{1,2})?/\w[\w./-]*|\w+\([^()\n]*\)|[A-Za-z]*\w+_\w+[\w=]*)
    |(?P<handle>(?<![\w@])@[A-Za-z][\w-]*(?:/[A-Za-z0-9][\w-]*(?:\.[\w-]+)*)?)
    |(?P<tail>(?<=\w)['’](?:s|m|re|ve|d|ll)\b)
    |(?P<word>\w+(?:(?:[.&+/-]|['’](?!(?:s|m|re|ve|d|ll)\b))\w+)*(?:\+\+|\#(?!\w))?)
    |(?P<sign>[^\w\s])
    """,
    re.VERBOSE,
)
"""Plain words first: they are nearly all, and what else a word may be takes long to rule out."""

LONGEST: Final = 150
"""Tokens of a sentence that are read as one. Nobody writes longer ones, and rules take the square of the length."""

_KINDS: Final = {"plain": "word", "end": "sign"}
_ABBREVIATIONS: Final = words(
    """
    mr mrs ms dr prof st sr jr vs e.g i.e etc inc ltd co corp np tzw m.in im ul al pl św mgr inż hab ks o.o s.a z
    """
)
_ENDS: Final = frozenset(".!?…")
_OPENING: Final = frozenset('"“„«:(–—•*')
_CLOSING: Final = frozenset("\"”’')]»")


class Token(NamedTuple):
    """A word, a handle, a piece of code or a sign; `lower` is casefolded."""

    text: str
    lower: str
    start: int
    end: int
    kind: str
    is_first: bool
    """The first word of its sentence."""

    @property
    def is_capital(self) -> bool:
        """It has a capital somewhere: iPhone."""
        return self.kind == "word" and not self.text.islower() and self.text[0].isalpha()


def sentences(text: str) -> list[list[Token]]:
    """The tokens of each sentence; a line break ends one, a semicolon, and `LONGEST`."""
    found: list[list[Token]] = []
    current: list[Token] = []
    begins, after_sign, end = True, False, 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        is_new_line = start > end and "\n" in text[end:start]
        is_over = is_new_line or len(current) == LONGEST or (after_sign and _is_over(current, start, match[0]))
        if current and is_over:
            found.append(current)
            current, begins = [], True
        kind = match.lastgroup or "sign"
        kind = _KINDS.get(kind, kind)
        word, end, after_sign = match[0], match.end(), kind == "sign"
        current.append(Token(word, word.casefold(), start, end, kind, begins and not after_sign))
        begins = after_sign and (begins or word in _OPENING)
    return [*found, current] if current else found


def _is_over(current: Sequence[Token], start: int, following: str) -> bool:
    """Whether a sentence ends before a token at `start`; after a point no small letter begins one."""
    last = current[-1]
    if last.text == ";":
        return True
    if start == last.end or (last.text == "." and following[0].islower()):
        return False
    place = len(current) - 1
    while place > 0 and current[place].text in _CLOSING:
        place -= 1
    if current[place].text not in _ENDS:
        return False
    if current[place].text != "." or place == 0:
        return True
    before = current[place - 1]
    is_initial = (len(before.text) == 1 and before.is_capital) or (before.text.isdigit() and len(before.text) < 3)
    return before.end != current[place].start or not (is_initial or before.lower in _ABBREVIATIONS)
