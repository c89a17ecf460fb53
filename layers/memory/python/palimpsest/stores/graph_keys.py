"""Where the graph lies: entities, what sources name and state, and counts of both. The kinds are in `keys.KINDS`."""

from __future__ import annotations

from palimpsest.domain.ids import ChunkId, DocumentId, DuplicateId, EntityId, RootId, SpaceId
from palimpsest.ports.table import Key

ENTITY_EVENTS = "E#"
"""What the sort keys of an entity's history begin with."""


LINKS = ("G", "G~")
"""Bounds of the sort keys of what was found in a source, in the source's own partition."""


def memory_source(root: RootId) -> str:
    """Partition of a memory, with what was found in its versions."""
    return f"M#{root}"


def chunk_source(chunk: ChunkId) -> str:
    """Partition of a chunk, with what was found in it."""
    return f"Q#{chunk}"


def extraction(pk: str, number: int) -> Key:
    """How a source was read; `number`: of the version, 0 of a chunk."""
    return Key(pk, f"GX#{number:08d}")


def mention(pk: str, number: int, entity: EntityId) -> Key:
    return Key(pk, f"GM#{number:08d}#{entity}")


def relation(pk: str, number: int, place: int) -> Key:
    """A relation by its place among those of its source."""
    return Key(pk, f"GR#{number:08d}#{place:03d}")


def held_out(pk: str, number: int, place: int) -> Key:
    """What a source proposes, by its place."""
    return Key(pk, f"GH#{number:08d}#{place:03d}")


def held_out_for(space: SpaceId, proposal: str) -> str:
    """Partition, in index one, of what the sources of a space hold for a term that is proposed."""
    return f"S#{space}#VH#{proposal}"


def term(space: SpaceId, mac: str) -> Key:
    return Key(f"S#{space}", f"{TERMS}{mac}")


TERMS = "VOC#"
"""What the sort keys of a space's vocabulary begin with."""


def term_event(space: SpaceId, mac: str, revision: int) -> Key:
    return Key(f"S#{space}", f"{term_events(mac)}{revision:08d}")


def term_events(mac: str) -> str:
    """What the sort keys of a term's history begin with."""
    return f"VE#{mac}#"


def number_of_link(sort_key: str) -> int:
    """The version that something was found in."""
    return int(sort_key.split("#")[1])


def mentions_of(entity: EntityId) -> str:
    """Partition, in index two, of the mentions of an entity."""
    return f"N#{entity}#M"


def relations_of(entity: EntityId) -> str:
    """Partition, in index one of the relations from an entity, in index two of those to it."""
    return f"N#{entity}#R"


def entity(entity: EntityId) -> Key:
    return Key(f"N#{entity}", "N")


def entity_event(entity: EntityId, revision: int) -> Key:
    return Key(f"N#{entity}", f"{ENTITY_EVENTS}{revision:08d}")


def tally(entity: EntityId) -> Key:
    """How many live sources name an entity."""
    return Key(f"N#{entity}", "C")


def document_weight(entity: EntityId, document: DocumentId) -> Key:
    """How many chunks of a document name an entity."""
    return Key(f"N#{entity}", f"D#{document}")


DOCUMENT_WEIGHTS = "D#"
"""What the sort keys of an entity's documents begin with."""


def entities_in(document: DocumentId) -> str:
    """Partition, in index one, of the entities that chunks of a document name."""
    return f"D#{document}#N"


MERGED = "M#"
"""What the sort keys of the entities that count for one begin with."""


def merged_entity(entity: EntityId, other: EntityId) -> Key:
    """Says that another entity counts for this one."""
    return Key(f"N#{entity}", f"{MERGED}{other}")


def entity_name(space: SpaceId, mac: str) -> Key:
    return Key(f"NK#{space}#{mac}", "K")


def entities(space: SpaceId) -> str:
    """Partition, in index one, of the entities of a space that stand for themselves."""
    return f"S#{space}#N"


def listed_entity(created: str, entity: EntityId) -> str:
    """Sort key in `entities`."""
    return f"{created}#{entity}"


def merges(space: SpaceId) -> str:
    """Partition, in index two, of the entities of a space that count for others."""
    return f"S#{space}#NM"


def seen_phrase(space: SpaceId, mac: str) -> Key:
    """In which source a capitalised phrase was seen first."""
    return Key(f"PS#{space}#{mac}", "S")


def counter(space: SpaceId, name: str) -> Key:
    return Key(f"S#{space}", f"CT#{name}")


UNEXTRACTED = "EXTRACT"
"""Partition, in index two, of the spaces with sources that nobody has read yet."""


def unextracted(space: SpaceId) -> Key:
    return Key(f"XD#{space}", "X")


def duplicate(duplicate: DuplicateId) -> Key:
    """A pair of entities that may be one."""
    return Key(f"NP#{duplicate}", "P")


def duplicates(space: SpaceId, state: str) -> str:
    """Partition, in index one, of the pairs of a space that are in `state`."""
    return f"S#{space}#NP#{state}"
