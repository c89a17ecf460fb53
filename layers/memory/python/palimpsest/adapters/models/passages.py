"""Long texts to passages that a model's window can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from palimpsest.ports.embedder import Vector

Size: TypeAlias = Callable[[str], int]

BYTES_OF_A_TOKEN = 3
_SHORT = 1 / 3  # of the limit; a shorter paragraph, such as a heading, goes with the next

# No pattern can match in more than one way, so all take linear time.
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s|[。！？]|\n")
_WORD_END = re.compile(r"\s(?=\S)")


class _Part(NamedTuple):
    text: str
    size: int


def passages(text: str, size: Size, limit: int) -> list[str]:
    """Cut `text` into passages, in order; together they are `text` but for outer spaces.

    Paragraphs stay apart, unless they are short. One that is too large is cut into passages of about equal size at ends
    of sentences or lines; a sentence that is too large between words; such a word anywhere.

    Args:
        text: What to cut.
        size: What a text takes; of two texts put together at most the sum. Takes time that is linear in the text.
        limit: The most that a passage may take.

    Returns:
        At least one passage; none is larger than `limit`, unless a single character is.
    """
    result = []
    for paragraph in _paragraphs(text, size, limit):
        parts = [paragraph] if paragraph.size <= limit else _level(list(_units(paragraph.text, size, limit)), limit)
        result += [part.text.strip() for part in parts]
    return [passage for passage in result if passage] or [""]


def pooled(sums: Vector, sizes: Sequence[int], most: int) -> Vector:
    """The rows of one text's passages, with neighbours added up where there are more than `most`; none is left out.

    A row that stands for several passages says less of each: it is a passage of their size, which is found by a
    question a little worse (see `PASSAGE_PIECES`). Small neighbours go together first, and no more than must.

    Args:
        sums: A row for each passage, weighted by what it counts.
        sizes: What each passage takes, above 0.
    """
    if len(sums) <= most:
        return sums
    ends = np.cumsum(sizes)
    places = (2 * ends - sizes) * most // (2 * ends[-1])  # which of `most` equal stretches its middle lies in
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    rows: Vector = np.add.reduceat(sums, starts, axis=0)
    return rows


def estimated_tokens(text: str) -> int:
    """About how many tokens `text` has at most: one for three bytes of UTF-8.

    Prose has some four Latin letters to a token, and one or two of other scripts, which take two to four bytes each;
    figures and signs may have fewer.
    """
    return -(-len(text.encode("utf-8", "replace")) // BYTES_OF_A_TOKEN)


def storable(text: str) -> str:
    """The text without what servers refuse in any text: halves of characters, and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def mean_of(units: Vector) -> Vector:
    """The unit vector in the middle of these."""
    mean = units.mean(axis=0)
    vector: Vector = mean / np.linalg.norm(mean)
    return vector


def of_each_text(units: Vector, parts: Sequence[Sequence[str]], most: int) -> list[Vector]:
    """The unit vectors of all texts' passages, given to their texts; at most so many each, as `pooled` has them.

    Args:
        units: A row for each passage, in order.
        parts: The passages of each text, at least one.
    """
    of_each = np.split(units, np.cumsum([len(of_one) for of_one in parts])[:-1])
    return [
        _pooled_units(rows, [len(part) for part in of_one], most) for rows, of_one in zip(of_each, parts, strict=True)
    ]


def _pooled_units(units: Vector, sizes: Sequence[int], most: int) -> Vector:
    if len(units) <= most:
        return units
    weighted: Vector = units * np.array(sizes, np.float32)[:, None]
    rows = pooled(weighted, sizes, most)
    means: Vector = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return means


def _paragraphs(text: str, size: Size, limit: int) -> Iterator[_Part]:
    """The paragraphs, short ones with what follows them."""
    parts: list[_Part] = []
    taken = 0
    for paragraph in _split(text, _PARAGRAPH_END):
        if taken >= limit * _SHORT:
            yield _joined(parts)
            parts, taken = [], 0
        parts.append(_Part(paragraph, size(paragraph)))
        taken += parts[-1].size
    yield _joined(parts)


def _level(units: list[_Part], limit: int) -> Iterator[_Part]:
    """Neighbours put together to as few parts as can be, of about equal size."""
    left = sum(unit.size for unit in units)
    parts: list[_Part] = []
    taken = 0
    for unit in units:
        equal = left / max(1, -(-left // limit))
        if taken and (taken + unit.size > limit or taken + unit.size / 2 > equal):
            yield _joined(parts)
            left -= taken
            parts, taken = [], 0
        parts.append(unit)
        taken += unit.size
    yield _joined(parts)


def _joined(parts: list[_Part]) -> _Part:
    return _Part("".join(part.text for part in parts), sum(part.size for part in parts))


def _units(text: str, size: Size, limit: int) -> Iterator[_Part]:
    """Sentences; of those that are too large the words; of those that are too large fragments."""
    for sentence in _split(text, _SENTENCE_END):
        if (n := size(sentence)) <= limit:
            yield _Part(sentence, n)
            continue
        for word in _split(sentence, _WORD_END):
            if (n := size(word)) <= limit:
                yield _Part(word, n)
            else:
                yield from _fragments(word, size, limit)


def _split(text: str, end: re.Pattern[str]) -> Iterator[str]:
    cuts = [0, *(match.end() for match in end.finditer(text)), len(text)]
    return (text[a:b] for a, b in pairwise(cuts) if a < b)


def _fragments(word: str, size: Size, limit: int) -> Iterator[_Part]:
    """A word without an end, in lengths that are halved until they fit."""
    at = 0
    length = limit
    while at < len(word):
        fragment = word[at : at + length]
        n = size(fragment)
        if n > limit and length > 1:
            length //= 2
            continue
        yield _Part(fragment, n)
        at += len(fragment)
