"""In which source a capitalised phrase was seen first: a phrase of two sources is a name, one of one source may not be.

A phrase stands there as a keyed hash only.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.graph.links import Source, parse_source
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.naming.names import name_key
from palimpsest.ports.table import Delete, Equals, Put, Table
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.deployment import Deployment


@dataclass(frozen=True, slots=True)
class SeenPhrases:
    """Looks phrases up, and notes them."""

    table: Table
    deployment: Deployment

    def hashes(self, phrases: Iterable[str]) -> dict[str, str]:
        """Each phrase, of equal ones the first, by its keyed hash."""
        found: dict[str, str] = {}
        for phrase in phrases:
            found.setdefault(self.deployment.mac("phrase", name_key(phrase)), phrase)
        return found

    def first(self, space: SpaceId, hashes: Iterable[str]) -> dict[str, Source]:
        """Where each was seen first; those that nobody has seen are left out."""
        places = {graph_keys.seen_phrase(space, each): each for each in hashes}
        found = self.table.get(list(places)).items if places else {}
        return {places[place]: Reader(stored).parsed("source", parse_source) for place, stored in found.items()}

    def note(self, space: SpaceId, hashes: Iterable[str], source: Source) -> None:
        """They were seen there."""
        self.table.write_batch([Put(item(graph_keys.seen_phrase(space, each), source=str(source))) for each in hashes])

    def forget(self, space: SpaceId, hashes: Iterable[str], source: Source) -> None:
        """They were never seen there, as the source is to be erased."""
        for each in hashes:
            with suppress(ConditionFailed):
                self.table.write(Delete(graph_keys.seen_phrase(space, each), Equals("source", str(source))))
