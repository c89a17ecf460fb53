"""How a text became another one, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_LONG = 4_000


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

    Compared by words; a text of more than 4,000 of them by lines, so that the time stays bounded.
    """
    old, new = _WORD.findall(older), _WORD.findall(newer)
    if max(len(old), len(new)) > _LONG:
        old, new = older.splitlines(keepends=True), newer.splitlines(keepends=True)
    return tuple(part for part in _parts(old, new) if part.text)


def _parts(old: list[str], new: list[str]) -> Iterator[DiffPart]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            yield DiffPart(DiffKind.SAME, "".join(old[old_from:old_to]))
        else:
            yield DiffPart(DiffKind.REMOVED, "".join(old[old_from:old_to]))
            yield DiffPart(DiffKind.ADDED, "".join(new[new_from:new_to]))
