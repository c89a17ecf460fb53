"""Take out of the index what writes left behind: doubles, and what no row of the table stands behind.

Only spaces that changed since their last sweep, and only while the engine is awake anyway.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.belief import Head
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.jobs.follow_log import HAS_ENTRIES
from palimpsest.jobs.sweep_notes import SweepNotes
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import Generation, Removal, Swept
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.standing import Standing
from palimpsest.stores.sweeps import Sweep, Sweeps
from palimpsest.usecases.candidates import is_of_chunk, parse_entry_key
from palimpsest.usecases.chunk_entries import GONE
from palimpsest.usecases.searching import Searching

_AT_ONCE: Final = 20
_EVER: Final = sys.maxsize
"""An id is never given twice, so whatever was made of a belief that is not there has no place."""


@dataclass(frozen=True, slots=True)
class SweepIndex:
    """Sweeps the active generation, space by space, some entries at a time."""

    sweeps: Sweeps
    standing: Standing
    chunks: Chunks
    searching: Searching
    notes: SweepNotes
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """As much as fits; True when there may be more. Nothing while the engine may be asleep.

        Raises:
            IndexUnavailable: The engine does not answer. It is left alone until somebody else had an answer.
        """
        while (awake := self._awake()) is not None:
            due = self.sweeps.due(self.clock.now(), _AT_ONCE)
            for sweep in due:
                if not self._space(awake, sweep, seconds_left) or seconds_left() <= 0:
                    return True
            if not due:
                break
        return False

    def _awake(self) -> Generation | None:
        """The active generation while its engine is surely awake."""
        state = self.searching.generations.read()
        is_awake = state.is_surely_awake(self.clock.now()) and not self.searching.indexes.is_off
        return state.active if is_awake else None

    def _space(self, generation: Generation, sweep: Sweep, seconds_left: SecondsLeft) -> bool:
        """One space from where its sweep stands; False when the time was up before its end."""
        begun = self.sweeps.begin(sweep, generation.id, self.clock.now())
        while begun is not None:
            swept = self._some(generation, begun)
            if swept.after is None:
                whole = replace(begun, taken=begun.taken + swept.taken)
                self.sweeps.end(whole, self.clock.now())
                return True
            begun = self.sweeps.keep(begun, swept.after, swept.taken)
            if seconds_left() <= 0:
                return False
        return True

    def _some(self, generation: Generation, begun: Sweep) -> Swept:
        """Some entries of a space. An engine that does not answer is asked no more."""
        try:
            index = self.searching.open(generation).index
            swept = index.sweep(begun.space, self._gone, begun.after)
        except IndexUnavailable:
            self.sweeps.put_off(begun, self.clock.now())
            self.searching.generations.did_not_answer(self.searching.generations.read())
            self.searching.forget()
            raise
        self.notes.after(index)
        return swept

    def _gone(self, keys: Sequence[str]) -> list[Removal]:
        """Of these entries those that have no place, by what the table says for certain."""
        suspects = self._without_place(keys, consistent=False)
        return self._without_place([each.key for each in suspects], consistent=True) if suspects else []

    def _without_place(self, keys: Sequence[str], *, consistent: bool) -> list[Removal]:
        chunks = {key: ChunkId(key) for key in keys if is_of_chunk(key)}
        there = self.chunks.find(chunks.values()) if chunks else {}
        lost = [Removal(key, GONE) for key, chunk in chunks.items() if chunk not in there]
        return [*lost, *self._beliefs_without_place([key for key in keys if key not in chunks], consistent=consistent)]

    def _beliefs_without_place(self, keys: Sequence[str], *, consistent: bool) -> list[Removal]:
        refs = {key: parse_entry_key(key) for key in keys}
        standing = self.standing(list({root for root, _ in refs.values()}), consistent=consistent)
        return [
            Removal(key, head.revision if head else _EVER)
            for key, (root, number) in refs.items()
            if _has_no_place(standing, root, number)
            for head in (standing[root],)
        ]


def _has_no_place(standing: Mapping[RootId, Head | None], root: RootId, number: int) -> bool:
    if root not in standing:  # nobody here can read its head
        return False
    head = standing[root]
    return head is None or head.state not in HAS_ENTRIES or number > head.count
