"""Which of the names that a space knows a model is shown with a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.known import Entry, NameIndex
from palimpsest.domain.naming.tokens import sentences

MOST_NAMES: Final = 75
"""Of one text (memloom's)."""

_SHORTEST: Final = 3
"""Letters of a word by which a name is found that has more than one."""


def relevant(text: str, names: NameIndex, most_named: Iterable[str]) -> list[str]:
    """At most 75 names: first those whose words all stand in the text, then those of which one does, then others.

    Args:
        text: In any language; its words count in all the forms that Polish may give them.
        names: Of the space.
        most_named: What is named most often, in that order, to fill up with.
    """
    words = {form for tokens in sentences(text) for token in tokens for form in bases(_bare(token.lower))}
    found: list[tuple[int, Entry]] = []
    for entries in names.entries.values():
        for entry in entries:
            there = [word for word in entry.words if word in words]
            if len(there) == len(entry.words):
                found.append((0, entry))
            elif any(len(word) >= _SHORTEST for word in there):
                found.append((1, entry))
    found.sort(key=lambda each: each[0])
    return list(dict.fromkeys([*(entry.name for _, entry in found), *most_named]))[:MOST_NAMES]


def _bare(word: str) -> str:
    return word.removeprefix("@")
