"""A text as the eye reads it: hidden characters left out, wide ones and odd spaces plain, each with where it stood."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HIDDEN = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff"
)
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_HYPHENS = "\u2010\u2011\u2012\ufe63\uff0d"
_WIDE = "\uff01-\uff5e"
_ODD = re.compile(f"[{_SPACES}{_HYPHENS}{_WIDE}]")
_IS_HIDDEN = re.compile(f"[{_HIDDEN}]+")
_IS_SPACE = re.compile(f"[{_SPACES}]")
_IS_HYPHEN = re.compile(f"[{_HYPHENS}]")
_WIDE_DISTANCE = 0xFEE0


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read. `origins`: where each character stood; None when nothing was left out."""

    text: str
    origins: tuple[int, ...] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The piece of the original text behind a piece of this one, which is not empty."""
        return (start, end) if self.origins is None else (self.origins[start], self.origins[end - 1] + 1)


def read(text: str) -> Reading:
    """The reading of a text; most texts are their own."""
    if text.isascii():
        return Reading(text, None)
    text = _ODD.sub(_plain, text)
    if not _IS_HIDDEN.search(text):
        return Reading(text, None)
    origins: list[int] = []
    place = 0
    for hidden in _IS_HIDDEN.finditer(text):
        origins += range(place, hidden.start())
        place = hidden.end()
    origins += range(place, len(text))
    return Reading(_IS_HIDDEN.sub("", text), tuple(origins))


def _plain(odd: re.Match[str]) -> str:
    sign = odd[0]
    if _IS_SPACE.match(sign):
        return " "
    return "-" if _IS_HYPHEN.match(sign) else chr(ord(sign) - _WIDE_DISTANCE)
