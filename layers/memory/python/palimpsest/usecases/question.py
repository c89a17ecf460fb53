"""A query as the terms that texts are scored by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np

from palimpsest.domain.asking.lifting import Mask
from palimpsest.domain.asking.synonyms import WEIGHT
from palimpsest.domain.matching import Integers


@dataclass(frozen=True, slots=True)
class Question:
    """What a query asks for.

    Attributes:
        words: For each word the forms that it may have in a text.
        dated: The same of the words that name its time.
        added: For each word the terms that may stand for it, and count for less; as many as `words`, or none.
        names: Its words, folded, in all forms that a name in it may have.
        asks_when: It asks for a time.
        ids: Of memories and chunks that it asks for.
        phrases: What it asks for to the letter: of each phrase the words, with their forms.
    """

    words: tuple[tuple[str, ...], ...]
    dated: tuple[tuple[str, ...], ...] = ()
    added: tuple[tuple[str, ...], ...] = ()
    names: frozenset[str] = frozenset()
    asks_when: bool = False
    ids: tuple[str, ...] = ()
    phrases: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms, in order."""
        return tuple(dict.fromkeys(chain.from_iterable([*self.words, *chain(*self.phrases), *self.added])))

    @property
    def weights(self) -> list[float]:
        """What each of `terms` counts: less where it is no form of a word of the query."""
        own = set(chain.from_iterable([*self.words, *chain(*self.phrases)]))
        return [1.0 if term in own else WEIGHT for term in self.terms]

    def counted(self, frequencies: Mapping[str, int]) -> list[int]:
        """In how many entries each of `terms` counts as occurring: what stands for a word never as rarer than that."""
        own = set(chain.from_iterable(self.words))
        counted = {term: frequencies.get(term, 0) for term in self.terms}
        for forms, added in zip(self.words, self.added, strict=False):
            least = min((counted[form] for form in forms if counted[form]), default=0)
            counted |= {term: max(counted[term], least) for term in added if term not in own}
        return list(counted.values())

    @property
    def exact(self) -> list[list[list[int]]]:
        """For each phrase, for each of its words, the positions of its forms in `terms`."""
        position = {term: i for i, term in enumerate(self.terms)}
        return [[[position[term] for term in forms] for forms in words] for words in self.phrases]

    def tells_the_time(self, counts: Integers) -> Mask:
        """Which texts have every word that names the query's time, by their counts of `terms`; none without such."""
        position = {term: i for i, term in enumerate(self.terms)}
        columns = [[position[term] for term in forms if term in position] for forms in self.dated]
        if not all(columns) or not columns:
            return np.zeros(len(counts), np.bool_)
        has_all: Mask = np.all([counts[:, each].any(axis=1) for each in columns], axis=0)
        return has_all

    @property
    def alternatives(self) -> list[list[int]]:
        """For each word the positions of its forms in `terms`."""
        position = {term: i for i, term in enumerate(self.terms)}
        both = zip_longest(self.words, self.added, fillvalue=())
        return [[position[term] for term in dict.fromkeys((*forms, *added))] for forms, added in both]
