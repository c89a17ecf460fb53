"""Marks for text that tries to instruct whoever reads it: phrases, tokens of chat templates, characters nobody sees."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from palimpsest.domain.scrub.folding import fold, spelled, tagged
from palimpsest.domain.scrub.polish_instructions import SHAPES as POLISH


class Mark(StrEnum):
    """What is marked."""

    INSTRUCTIONS = "instructions"
    INVISIBLE = "invisible"
    BIDI = "bidi"


class Marked(NamedTuple):
    """A mark; `pattern` is the one of ours that was met, and empty for characters."""

    mark: Mark
    pattern: str = ""


PATTERNS = (
    "ignore previous instructions",
    "ignore all previous",
    "disregard above",
    "forget everything",
    "you are now",
    "act as if",
    "pretend you are",
    "new instructions:",
    "[inst]",
    "[/inst]",
    "system:",
    "<<sys>>",
    "[system]",
    "</s>",
    "<|im_end|>",
    "<|endoftext|>",
    "human:",
    "assistant:",
)
"""The eighteen of Loomem 0.5.3: to override, to give a role, to instruct, to pose as the system, tokens, turns."""


def _shape(pattern: str) -> re.Pattern[str]:
    before, after = r"(?<![^\W_])" * pattern[0].isalpha(), r"(?!\w)" * pattern[-1].isalpha()
    return re.compile(before + r"\s+".join(map(re.escape, pattern.split(" "))) + after)


_SHAPES = (*((pattern, (pattern,), _shape(pattern)) for pattern in PATTERNS), *POLISH)
"""Each with words of which a text must have one, so that it is searched for the few that may be there."""

_BY_NAME = {pattern: shape for pattern, _, shape in _SHAPES}
_ENTITY = re.compile(r"&(?:#\d|#[xX]|\w+;)", re.ASCII)
_FEW = 3
"""So many hidden characters are more than an accident of copying."""

_ODD = re.compile("[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_HIDDEN = re.compile("[\u200b-\u200d\u2060-\u2064\u180e\ufeff\U000e0000-\U000e007f]")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
_JOINER = re.compile(
    # Between letters or signs of scripts that need it; in emoji that are made of several.
    "(?<=[\u0590-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af])[\u200c\u200d]"
    "|(?<=[\u2190-\u2bff\ufe0f\u20e3\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)


def marks(text: str, cleaned: str) -> list[Marked]:
    """What has to be marked in a text, given as it came and without its markup; each pattern once, in their order."""
    readings = [fold(text)]
    if cleaned != text:
        readings.append(fold(cleaned))
    if _ENTITY.search(text):
        readings.append(fold(html.unescape(text)))
    is_odd = not text.isascii() and _ODD.search(text) is not None
    if is_odd:
        readings.append(fold(tagged(text)))
    found = [
        Marked(Mark.INSTRUCTIONS, pattern)
        for pattern, hints, shape in _SHAPES
        if any(any(hint in reading for hint in hints) and shape.search(reading) for reading in readings)
    ]
    return found + (list(_characters(text)) if is_odd else [])


def stands_at(marked: Marked, text: str) -> list[tuple[int, int]]:
    """Where in a text the pattern stands as it is spelled, in code points; in disguise it has no place."""
    shape = _BY_NAME.get(marked.pattern)
    return [] if shape is None else [match.span() for match in shape.finditer(spelled(text))]


def _characters(text: str) -> Iterator[Marked]:
    hidden = _HIDDEN.findall(_JOINER.sub("", _FLAG.sub("", text))) if _HIDDEN.search(text) else []
    if len(hidden) >= _FEW:
        yield Marked(Mark.INVISIBLE)
    if _BIDI.search(text):
        yield Marked(Mark.BIDI)
