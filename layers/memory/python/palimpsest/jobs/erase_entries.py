"""The place of a belief or a document in the search index: its entries in every generation that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.jobs.erase_places import Part
from palimpsest.ports.search_index import Generation, Removal, SearchIndex
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.searching import Searching

_AT_ONCE: Final = 100

EntryKeys: TypeAlias = Callable[[Erasure, int], Iterator[tuple[int, Sequence[str]]]]
"""The keys of all entries that something can have, some at once with a rising number, from that number on."""


def versions(erasure: Erasure, begin: int) -> Iterator[tuple[int, Sequence[str]]]:
    """Those of a belief: one for each version."""
    for start in range(max(begin, 1), erasure.versions + 1, _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, erasure.versions + 1))
        yield start, [entry_key(erasure.root, each) for each in numbers]


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Goes through the generation that answers, the one that is built, and those that are to be taken away."""

    searching: Searching
    entries: EntryKeys

    def __call__(self, erasure: Erasure, cursor: str) -> Iterator[Part]:
        """By their keys; what is not there is removed too, so that the index remembers that it is gone."""
        generations = self._generations()
        if self.searching.indexes.is_off:
            yield Part("", {}, lambda: None, unasked=tuple(each.id for each in generations))
            return
        begun, _, number = cursor.partition(" ")
        for generation in generations:
            index = None if generation.id < begun else self._opened(generation)
            if index is None:
                continue
            first = int(number) if generation.id == begun and number else 0
            for start, keys in self.entries(erasure, first):
                yield self._part(erasure, f"{generation.id} {start:014d}", index, keys)

    def wipe(self) -> bool:
        """Nothing of what was removed is left in the files of the index; False when that has to be tried again."""
        if self.searching.indexes.is_off:
            return True
        opened = map(self._opened, self._generations())
        return all(index.wipe() for index in opened if index is not None)

    def _part(self, erasure: Erasure, cursor: str, index: SearchIndex, keys: Sequence[str]) -> Part:
        held = index.held(erasure.space, keys)
        is_first = erasure.progress.done == 0
        removals = [Removal(key, erasure.revision) for key in keys if is_first or key in held]
        found = {f"{cursor} {key}": "entry" for key in sorted(held)}
        return Part(cursor, found, partial(index.remove, erasure.space, removals))

    def _generations(self) -> list[Generation]:
        state, store = self.searching.generations.read(), self.searching.generations
        every = [state.active, state.building, *(retired.generation for retired in store.retired())]
        return sorted({each.id: each for each in every if each is not None}.values(), key=lambda each: each.id)

    def _opened(self, generation: Generation) -> SearchIndex | None:
        """The index; None when there is none. One of another release's making is dropped, since it is built anew."""
        try:
            return self.searching.open(generation).index
        except IndexUnavailable as error:
            if error.reason != "index_missing":
                raise
            if not self.searching.indexes.is_remote:
                self.searching.drop(generation)
        return None
