"""No search index at all, by choice: everything that needs one says so."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.search_index import Generation


class NoIndexes:
    """Makes and opens nothing. Recall answers from the change log's tail alone."""

    @property
    def is_remote(self) -> bool:
        """False: there is nothing to wait for."""
        return False

    @property
    def is_off(self) -> bool:
        """True."""
        return True

    def create(self, generation: Generation) -> NoReturn:
        """IndexUnavailable ``index_off``."""
        raise _off()

    def open(self, generation: Generation) -> NoReturn:
        """IndexUnavailable ``index_off``."""
        raise _off()

    def drop(self, generation: Generation) -> None:
        """Nothing: what another setting made is left alone."""

    def sweep(self, named: Collection[str]) -> int:
        """Nothing."""
        return 0

    def close(self) -> None:
        """Nothing."""


def _off() -> IndexUnavailable:
    return IndexUnavailable("index_off", "this installation has no search index (PALIMPSEST_SEARCH=off)")
