"""A search engine that is made when something first asks it: a function that never does need not have what it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import Lock

from palimpsest.ports.search_index import Generation, SearchIndex, SearchIndexes


class LateIndexes:
    """The `SearchIndexes` port over the remote engine that `make` gives; a `make` that fails is tried again."""

    def __init__(self, make: Callable[[], SearchIndexes]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: SearchIndexes | None = None

    @property
    def is_remote(self) -> bool:
        """True; costs nothing."""
        return True

    @property
    def is_off(self) -> bool:
        """False; costs nothing."""
        return False

    def create(self, generation: Generation) -> SearchIndex:
        return self.made().create(generation)

    def open(self, generation: Generation) -> SearchIndex:
        return self.made().open(generation)

    def drop(self, generation: Generation) -> None:
        self.made().drop(generation)

    def sweep(self, named: Collection[str]) -> int:
        return self.made().sweep(named)

    def close(self) -> None:
        """End what is open; nothing where nothing was made."""
        if self._made is not None:
            self._made.close()

    def made(self) -> SearchIndexes:
        """The engine. Raises what `make` raises."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made
