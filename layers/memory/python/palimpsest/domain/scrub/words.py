"""A list of words that have to go: whole words, in any case, in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from palimpsest.domain.scrub.kinds import Found, Kind


def listed_words(text: str, words: tuple[str, ...]) -> Iterator[Found]:
    """Where one of `words` stands; one of several words is found over any white space."""
    pattern = _pattern(words)
    if pattern is not None:
        for match in pattern.finditer(text):
            yield Found(match.start(), match.end(), Kind.WORD)


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    spelled = {unicodedata.normalize("NFC", word).strip() for word in words}
    longest_first = sorted((word for word in spelled if word), key=len, reverse=True)
    if not longest_first:
        return None
    choices = "|".join(r"\s+".join(map(re.escape, word.split())) for word in longest_first)
    return re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE)
