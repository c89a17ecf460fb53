"""The beginning of a text that fits: whole sentences, else whole words."""

from __future__ import annotations

import re
from typing import Final

from palimpsest.domain.library.sentences import ends
from palimpsest.domain.packing.counting import count_tokens

CUT: Final = " […]"
"""Stands where a text was cut."""

MOST_CHARACTERS: Final = 4
"""A token is counted for so many characters at least, so what is longer need not be counted to be too long."""

_WORD_END: Final = re.compile(r"(?<=\S)\s")


def shortened(text: str, tokens: int) -> str | None:
    """The longest beginning that counts at most `tokens` with `CUT` behind it; None when that would be no word."""
    left = tokens - count_tokens(CUT)
    if left <= 0:
        return None
    seen = text[: left * MOST_CHARACTERS]
    places = _fitting(seen, [end.at for end in ends(seen)], left) or _fitting(
        seen, [found.start() for found in _WORD_END.finditer(seen)], left
    )
    return None if places is None else seen[:places].rstrip() + CUT


def beginning(text: str, tokens: int) -> str:
    """The text when it counts at most `tokens`, else its longest beginning that does; of one long word a part."""
    if len(text) <= tokens * MOST_CHARACTERS and count_tokens(text) <= tokens:
        return text
    return shortened(text, tokens) or text[: tokens // 2] + CUT


def _fitting(text: str, places: list[int], tokens: int) -> int | None:
    """The last of the places up to which the text counts no more than that."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        if count_tokens(text[: places[middle]]) <= tokens:
            low = middle + 1
        else:
            high = middle
    while low and count_tokens(text[: places[low - 1]]) > tokens:
        low -= 1
    return places[low - 1] if low else None
