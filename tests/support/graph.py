"""Drive the graph: let everything be read, and look at what the table says of entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from palimpsest.domain.graph.entity import Entity, Tally
from palimpsest.domain.graph.links import ChunkSource, Links, MemorySource, Source
from palimpsest.domain.ids import DocumentId, EntityId, RootId, SpaceId
from palimpsest.jobs.hear_changes import GATHERED
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Item, Key, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.entities import Entities
from palimpsest.stores.entity_codec import entity_item, read_entity
from palimpsest.stores.link_codec import read_all
from palimpsest.stores.links import LinkStore
from palimpsest.stores.tail import Timing
from palimpsest.stores.tallies import Counted, Tallies, is_shown
from palimpsest.wiring.stores import Stores, stores_over
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import Installation, SeededIds
from tests.support.run_driving import work


def stores(memory: Installation) -> Stores:
    """Stores of one's own over the installation's table."""
    timing = Timing(refresh=GATHERED, skew=GATHERED)
    return stores_over(memory.table, memory.clock, SeededIds(memory.clock, 7), HashingEmbedder().model, timing)


def link_store(table: Table, ids: Ids) -> LinkStore:
    """Links over a table that need nothing else."""
    return LinkStore(table, Entities(table, Deployment(table, ids)), Tallies(table))


def settle(memory: Installation) -> None:
    """Ring every doorbell, and let everything be done that they lead to."""
    work(memory)
    while rows := memory.doorbells():
        memory.wired.hear_changes(rows)
        memory.clock.turn(GATHERED)
        work(memory)


def resume(memory: Installation) -> None:
    """What a worker left lying is asked for again."""
    memory.clock.turn(timedelta(hours=1))
    memory.wired.plan()
    work(memory)


def entities(memory: Installation, space: str = "default") -> dict[str, Entity]:
    """The entities of a space by name."""
    found = stores(memory)
    known = found.spaces.find(space)
    return {} if known is None else {each.name: each for _, each in found.entities.walk(known.id)}


def tally(memory: Installation, name: str) -> Tally:
    entity = entities(memory)[name]
    return stores(memory).tallies.of([entity.id])[entity.id]


def links(memory: Installation, source: Source | str) -> list[Links]:
    """What was found in each version of a memory, or in a chunk."""
    return stores(memory).links.of(MemorySource(RootId(source), 0) if isinstance(source, str) else source)


def named(memory: Installation, source: Source | str, space: str = "default") -> list[set[str]]:
    """The names of the entities that each version of a memory, or a chunk, mentions."""
    names = {each.id: each.name for each in entities(memory, space).values()}
    return [{names[entity] for entity in each.entities} for each in links(memory, source)]


def require_counts(memory: Installation, space: str = "default") -> None:
    """See that every count is what one gets by counting all links of the table."""
    found = stores(memory)
    known = found.spaces.find(space)
    assert known is not None
    all_links = _all_links(memory, known.id)
    counted: dict[EntityId, Tally] = defaultdict(Tally)
    weights: Counter[tuple[EntityId, DocumentId]] = Counter()
    predicates: Counter[str] = Counter()
    for each in all_links:
        predicates.update(relation.predicate for relation in each.relations if each.is_live)
        for entity in each.entities:
            seen = counted[entity]
            if not each.is_live:
                counted[entity] = replace(seen, stale=seen.stale + 1)
            elif isinstance(each.source, ChunkSource):
                counted[entity] = replace(seen, chunks=seen.chunks + 1)
                weights[entity, each.source.document] += 1
            else:
                counted[entity] = replace(seen, memories=seen.memories + 1)
    there = {entity.id: entity for entity in _all_entities(memory, known.id)}
    assert counted.keys() <= there.keys()
    assert found.tallies.of(there) == {each: counted.get(each, Tally()) for each in there}
    assert {(each, document): n for each in there for document, n in found.tallies.weights(each).items()} == weights
    types = Counter(entity.type for entity in there.values() if is_shown(entity, counted.get(entity.id, Tally())))
    assert found.tallies.counts(known.id, Counted.TYPE) == types
    assert found.tallies.counts(known.id, Counted.PREDICATE) == predicates
    assert all(entity.is_kept or not entity.is_node or not counted[entity.id].is_empty for entity in there.values())


def _all_links(memory: Installation, space: SpaceId) -> list[Links]:
    stored: dict[str, list[Item]] = defaultdict(list)
    for each in everything(memory):
        if str(each["sk"]).startswith(("GX#", "GM#", "GR#", "GH#")):
            stored[str(each["pk"])].append(each)
    return [links for some in stored.values() for links in read_all(some) if links.space == space]


def _all_entities(memory: Installation, space: SpaceId) -> list[Entity]:
    found = [read_entity(each) for each in everything(memory) if keys.kind(key_of(each)) == "entity"]
    return [entity for entity in found if entity.space == space]


def multiply(memory: Installation, entity: Entity, count: int) -> None:
    """So many more like that entity, newer than all others, which nothing names."""
    ids, later = memory.wired.build_index.ids, memory.clock.now() + timedelta(seconds=1)
    more = [replace(entity, id=EntityId(f"ent_{ids.ulid()}"), created_at=later) for _ in range(count)]
    memory.table.write_batch([Put(entity_item(each)) for each in more])


def everything(memory: Installation) -> Iterator[Item]:
    """Every item of the table."""
    cursor = None
    while True:
        page = memory.sqlite.scan(after=cursor)
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def key_of(stored: Item) -> Key:
    return Key(str(stored["pk"]), str(stored["sk"]))
