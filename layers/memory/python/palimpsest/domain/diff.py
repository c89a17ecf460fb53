"""How a text became another one, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from enum import StrEnum
from itertools import groupby

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_WORD = re.compile(r"\s+|(?:\w+|[^\w\s])\s*")
"""With the white space after it, which would match everywhere."""

_WORK = 2_000_000
"""Pairs of places with the same word looked at: well under a second."""


class DiffKind(StrEnum):
    """What a part of a diff is."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A run of words, with the white space between them."""

    kind: DiffKind
    text: str


def diff(older: str, newer: str) -> tuple[DiffPart, ...]:
    """Parts in order: all but the added ones, joined, are `older`; all but the removed ones are `newer`.

    Compared by words; by lines where words would take too long; and where lines would too, all between the same
    beginning and the same end is removed and added. So the time stays bounded.
    """
    try:
        pairs = list(_pairs(_WORD.findall(older), _WORD.findall(newer)))
    except _TooMuchWork:
        pairs = _pairs_of_lines(older, newer)
    parts = (part for old, new in pairs for part in _parts(old, new))
    joined = ((kind, "".join(part.text for part in run)) for kind, run in groupby(parts, key=lambda part: part.kind))
    return tuple(DiffPart(kind, text) for kind, text in joined)


class _TooMuchWork(Exception):
    """The texts repeat themselves too much to be compared this way."""


class _Matcher(SequenceMatcher[str]):
    """Raises _TooMuchWork rather than looking at more than `work` pairs."""

    def __init__(self, old: Sequence[str], new: Sequence[str], work: int) -> None:
        super().__init__(None, old, new, autojunk=False)
        self._old = old
        self._counts = Counter(new)
        self._left = work

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        self._left -= sum(1 + self._counts[token] for token in self._old[alo:ahi])
        if self._left < 0:
            raise _TooMuchWork
        return super().find_longest_match(alo, ahi, blo, bhi)


def _pairs_of_lines(older: str, newer: str) -> list[tuple[str, str]]:
    try:
        return list(_pairs(older.splitlines(keepends=True), newer.splitlines(keepends=True)))
    except _TooMuchWork:
        return [(older, newer)]


def _pairs(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """Runs of the older text, each with what stands in its place in the newer one."""
    begin, end = _same_ends(old, new)
    yield "".join(old[:begin]), "".join(new[:begin])
    old, new, rest = old[begin : len(old) - end], new[begin : len(new) - end], "".join(old[len(old) - end :])
    for _, old_from, old_to, new_from, new_to in _Matcher(old, new, _WORK).get_opcodes():
        yield "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
    yield rest, rest


def _parts(older: str, newer: str) -> Iterator[DiffPart]:
    """The same beginning, what was removed, what was added, the same end; those of them that are not empty."""
    old, new = _TOKEN.findall(older), _TOKEN.findall(newer)
    begin, end = _same_ends(old, new)
    parts = (
        DiffPart(DiffKind.SAME, "".join(old[:begin])),
        DiffPart(DiffKind.REMOVED, "".join(old[begin : len(old) - end])),
        DiffPart(DiffKind.ADDED, "".join(new[begin : len(new) - end])),
        DiffPart(DiffKind.SAME, "".join(old[len(old) - end :])),
    )
    return (part for part in parts if part.text)


def _same_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many tokens both begin with, and how many both end with after those."""
    begin = _same(old, new)
    return begin, _same(old[begin:][::-1], new[begin:][::-1])


def _same(one: list[str], other: list[str]) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
