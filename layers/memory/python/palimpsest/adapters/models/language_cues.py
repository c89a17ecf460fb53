"""Cheap signs that a text is English or Polish: its small words, and spelling that only one of the two has."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from palimpsest.domain import stop_words
from palimpsest.domain.analysis import fold

_PLACE = 300
"""Characters of each of the three places in a long text that are looked at."""

_WEAK_WORDS = """
a ale am an as co d do go i ich ile im in is ja je kim ku m ma me mi na o on one po s sam so t ta tak te ten tu u za
"""
_WEAK: Final = frozenset(_WEAK_WORDS.split())
"""Small words that other languages have too: they count half, and nothing when both English and Polish have them."""

_ENGLISH: Final = stop_words.ENGLISH
_POLISH: Final = stop_words.POLISH | {fold(word) for word in stop_words.POLISH}
_SHARED: Final = _ENGLISH & _POLISH

_ENGLISH_SPELLING = re.compile(r"[qvx]|th|wh|sh|gh|ck|ee|oo|ea|(?:ing|tion|ed|ly|ould|ess)$")
_POLISH_SPELLING = re.compile(
    r"[ąćęłńśźż]|sz|cz|rz|dz|[^aeiouy]w$|(?:ego|emu|ych|iej|owa|owi|ami|cie|ski|ska|iem|uje|nia|nie|ość|osc)$"
)
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


class Cues(NamedTuple):
    """Points for each language, and how many words there were."""

    english: int
    polish: int
    words: int


def sample(text: str) -> str:
    """`text`, or its beginning, middle and end when it is long."""
    if len(text) <= 3 * _PLACE:
        return text
    middle = len(text) // 2 - _PLACE // 2
    return f"{text[:_PLACE]} {text[middle : middle + _PLACE]} {text[-_PLACE:]}"


def cues(text: str) -> Cues:
    """Two points for a small word of one language, one for a word that is only spelled like it."""
    words = _WORD.findall(text.lower())
    points = [_points(word) for word in words]
    return Cues(sum(english for english, _ in points), sum(polish for _, polish in points), len(words))


def is_latin(text: str) -> bool:
    """True if at least a third of the letters are Latin."""
    letters = sum(map(str.isalpha, text))
    return letters > 0 and 3 * len(_LATIN.findall(text)) >= letters


def _points(word: str) -> tuple[int, int]:
    if word in _SHARED:
        return 0, 0
    if word in _ENGLISH:
        return (1, 0) if word in _WEAK else (2, 0)
    if word in _POLISH:
        return (0, 1) if word in _WEAK else (0, 2)
    english = _ENGLISH_SPELLING.search(word) is not None
    polish = _POLISH_SPELLING.search(word) is not None
    return (0, 0) if english and polish else (int(english), int(polish))
