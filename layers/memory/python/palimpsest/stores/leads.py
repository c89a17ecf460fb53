"""What sources lead on to: what they state of entities, and what they were made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from palimpsest.domain.graph.links import Relation
from palimpsest.domain.ids import ChunkId, RootId
from palimpsest.domain.naming.validating import MOST_RELATIONS
from palimpsest.ports.table import Item, Key, Table
from palimpsest.stores import belief_codec, graph_keys, keys, link_codec
from palimpsest.stores.codec import readable

Ref: TypeAlias = tuple[RootId, int]
"""A version of a memory; a chunk with 0, which never changes."""

_FURTHER: Final = range(1, MOST_RELATIONS)


@dataclass(frozen=True, slots=True)
class Lead:
    """What one source states, attributes too, and what it was made from, as its version says that."""

    relations: tuple[Relation, ...] = ()
    made_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leads:
    """Reads, eventually, and passes over what no codec can read."""

    table: Table

    def of(self, refs: Sequence[Ref]) -> dict[Ref, Lead]:
        """Those of the sources that lead anywhere: one batch where none does, else two."""
        firsts = {_stated(ref, 0): ref for ref in refs}
        versions = {keys.version(*ref): ref for ref in refs if ref[1]}
        found = self._read([*firsts, *versions])
        stating = [ref for place, ref in firsts.items() if place in found]
        found |= self._read([_stated(ref, place) for ref in stating for place in _FURTHER])
        leads = {ref: Lead(self._relations(ref, found)) for ref in stating}
        made = (found[place] for place in versions if place in found and "derived_from" in found[place])  # few are
        rows = readable(belief_codec.read_version, made)
        for version in rows:
            ref = version.root, version.number
            leads[ref] = Lead(leads[ref].relations if ref in leads else (), version.statement.derived_from)
        return leads

    def _read(self, places: Sequence[Key]) -> dict[Key, Item]:
        return dict(self.table.get(places, consistent=False).items) if places else {}

    @staticmethod
    def _relations(ref: Ref, found: dict[Key, Item]) -> tuple[Relation, ...]:
        places: Iterable[Key] = (_stated(ref, place) for place in (0, *_FURTHER))
        return tuple(readable(link_codec.read_relation, (found[place] for place in places if place in found)))


def _stated(ref: Ref, place: int) -> Key:
    root, number = ref
    partition = graph_keys.memory_source(root) if number else graph_keys.chunk_source(ChunkId(root))
    return graph_keys.relation(partition, number, place)
