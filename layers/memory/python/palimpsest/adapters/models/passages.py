"""Long texts to passages that a model's window can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

# Each unit runs up to and including its end. Neither pattern can match in more than one way, so both take linear time.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s|[。！？]|\n")
_WORD_END = re.compile(r"\s(?=\S)")


def passages(text: str, size: Callable[[str], int], limit: int) -> list[str]:
    """Cut `text` into passages of about equal size, in order; together they are `text` but for outer spaces.

    The cuts lie at ends of sentences or lines where those are close enough, else between words, else within a word.

    Args:
        text: What to cut.
        size: What a text takes; of two texts put together at most the sum. Takes time that is linear in the text.
        limit: The most that a passage may take.

    Returns:
        At least one passage; none is larger than `limit`, unless a single character is.
    """
    units = list(_units(text, size, limit))
    left = sum(n for _, n in units)
    result = []
    at, end, taken = 0, 0, 0
    for unit, n in units:
        equal = left / max(1, -(-left // limit))
        if taken and (taken + n > limit or taken + n / 2 > equal):
            result.append(text[at:end].strip())
            left -= taken
            at, taken = end, 0
        end += len(unit)
        taken += n
    result.append(text[at:].strip())
    return [passage for passage in result if passage] or [""]


def _units(text: str, size: Callable[[str], int], limit: int) -> Iterator[tuple[str, int]]:
    """What passages are made of, with sizes: sentences; of those that are too large the words; of those the pieces."""
    for sentence in _split(text, _SENTENCE_END):
        if (n := size(sentence)) <= limit:
            yield sentence, n
            continue
        for word in _split(sentence, _WORD_END):
            if (n := size(word)) <= limit:
                yield word, n
            else:
                yield from _fragments(word, size, limit)


def _split(text: str, end: re.Pattern[str]) -> Iterator[str]:
    cuts = [0, *(match.end() for match in end.finditer(text)), len(text)]
    return (text[a:b] for a, b in pairwise(cuts) if a < b)


def _fragments(word: str, size: Callable[[str], int], limit: int) -> Iterator[tuple[str, int]]:
    """A word without an end, in lengths that are halved until they fit."""
    at = 0
    length = limit
    while at < len(word):
        fragment = word[at : at + length]
        n = size(fragment)
        if n > limit and length > 1:
            length //= 2
            continue
        yield fragment, n
        at += len(fragment)
