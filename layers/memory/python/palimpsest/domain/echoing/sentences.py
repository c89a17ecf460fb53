"""A text cut into sentences and clauses, and what leads into a sentence told from what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.echoing.vocabulary import ABBREVIATIONS, FRAME_BEGINS, FRAMES, FREE, SPEECH

_END: Final = re.compile(r"[!?…;\n]+|\.(?=\s+[^\Wa-ząćęłńóśźż]|\s*$)")
_LAST_WORD: Final = re.compile(r"(\w+)\W*$")
_CLAUSE_END: Final = re.compile(
    r"\s[-–—]\s|[,:]+(?=\s|$)|[()\[\]\"„”“]|\b(?:and|but|i|a|oraz|ale|lecz)\b(?=\s)", re.IGNORECASE
)
_FRAME_END: Final = re.compile(r"[,:]|\s[-–—]\s|\b(?:that|że|ze)\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w'’]+")
_LONGEST_FRAME: Final = 14
_TO_FRAME_END: Final = 3
"""Characters: a dash has a space on each side."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; the point of an abbreviation ends none."""
    begin = 0
    for end in _END.finditer(text):
        last = _LAST_WORD.search(text, begin, end.start())
        if end[0] == "." and last is not None and fold(last[1].casefold()) in ABBREVIATIONS and end.end() < len(text):
            continue
        if text[begin : end.start()].strip():
            yield text[begin : end.start()]
        begin = end.end()
    if text[begin:].strip():
        yield text[begin:]


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence between commas and the like, and around 'and' and 'but'."""
    return _CLAUSE_END.split(sentence)


def unframed(sentence: str) -> str:
    """A sentence without a lead-in such as 'As you told me before,' or 'Przypominam, że'; else as it is."""
    consumed = _frame(sentence)
    if not any(_folded(word) in SPEECH for word in consumed):
        return sentence
    last = consumed[-1].end() + _TO_FRAME_END
    cuts = [cut.end() for cut in _FRAME_END.finditer(sentence, 0, last) if _speaks(sentence[: cut.start()])]
    if cuts:
        return sentence[cuts[-1] :]
    framing = [word for word in consumed if _folded(word) in FRAMES]
    is_closed = _folded(consumed[0]) in FRAME_BEGINS and len(framing) > 1
    return sentence[framing[-1].end() :] if is_closed else sentence


def _frame(sentence: str) -> list[re.Match[str]]:
    """The words at the beginning that a lead-in can be made of."""
    consumed: list[re.Match[str]] = []
    for word in _WORD.finditer(sentence):
        if len(consumed) == _LONGEST_FRAME or _folded(word) not in FRAMES | FREE:
            break
        consumed.append(word)
    return consumed


def _speaks(text: str) -> bool:
    return any(_folded(word) in SPEECH for word in _WORD.finditer(text))


def _folded(word: re.Match[str]) -> str:
    return fold(word[0].casefold())
