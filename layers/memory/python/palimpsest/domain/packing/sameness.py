"""Which of several entries say what another one says already."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from palimpsest.domain.library.sentences import ends
from palimpsest.domain.packing.entry import Entry
from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.tellings import Telling
from palimpsest.domain.text import same_text_form

_FEWEST_WORDS: Final = 3
"""A sentence with fewer says too little by itself to be known again elsewhere."""

_COMPARED: Final = 600
"""Characters: of longer texts only whole sentences are compared, since reading them takes too long."""


@dataclass(slots=True)
class Said:
    """Remembers what was said. Whether an entry is new depends on those before it alone."""

    _roots: set[str] = field(default_factory=set)
    _made_from: set[str] = field(default_factory=set)
    _sentences: set[str] = field(default_factory=set)
    _tellings: dict[str, Telling] = field(default_factory=dict)
    _said: list[Telling] = field(default_factory=list)
    _compared: dict[str, int] = field(default_factory=dict)
    """With how many of those an entry was compared, in vain."""

    def has(self, entry: Entry) -> bool:
        """It was said: the same belief, what was made from it or what it was made from, or the same in words.

        In words: each of its sentences was said, or all of it was in other words by the rules that keep numbers, names
        and negations apart.
        """
        if entry.root in self._roots or entry.root in self._made_from or not self._roots.isdisjoint(entry.made_from):
            return True
        sentences = _sentences(entry.text)
        if sentences and sentences <= self._sentences:
            return True
        if len(entry.text) > _COMPARED:
            return False
        telling, since = self._telling(entry), self._compared.get(entry.key, 0)
        if any(restates(telling, each) for each in self._said[since:]):
            return True
        self._compared[entry.key] = len(self._said)
        return False

    def add(self, entry: Entry) -> None:
        """It is said from now on."""
        self._roots.add(entry.root)
        self._made_from |= entry.made_from
        self._sentences |= _sentences(entry.text)
        if len(entry.text) <= _COMPARED:
            self._said.append(self._telling(entry))

    def _telling(self, entry: Entry) -> Telling:
        return self._tellings.setdefault(entry.key, Telling(entry.text))


def _sentences(text: str) -> frozenset[str]:
    """Its sentences, blind to case, white space and closing marks; a text with a short one is a sentence as a whole."""
    places = [0, *(end.at for end in ends(text)), len(text)]
    parts = [_form(text[begin:end]) for begin, end in pairwise(places)]
    if any(len(part.split()) < _FEWEST_WORDS for part in parts if part):
        parts = [_form(text)]
    return frozenset(filter(None, parts))


def _form(sentence: str) -> str:
    """What it has in common with the same one elsewhere; a question stays one."""
    return same_text_form(sentence).casefold().rstrip(".!… ")
