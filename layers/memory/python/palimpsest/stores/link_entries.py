"""Mentions and relations as the indexes tell of them, without a read of the items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from palimpsest.domain import instants
from palimpsest.domain.graph.links import HeldOut, Source, parse_source
from palimpsest.domain.ids import EntityId
from palimpsest.ports.table import Item, Key
from palimpsest.stores.codec import Reader


@dataclass(frozen=True, slots=True)
class Named:
    """A mention as the index tells of it, without reading it.

    Attributes:
        others: The other entities that the source names.
        is_subject: The source is about the entity.
    """

    source: Source
    said_at: datetime
    others: tuple[EntityId, ...]
    is_subject: bool


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation as the index tells of it. `place`: where the item lies."""

    place: Key
    source: Source
    subject: EntityId
    predicate: str
    target: EntityId


@dataclass(frozen=True, slots=True)
class Held:
    """What a source holds for a term that is proposed."""

    source: Source
    held: HeldOut


class HeldEntry(NamedTuple):
    """The same as the index tells of it."""

    source: Source
    place: Key


def read_held_entry(entry: Item) -> HeldEntry:
    """What is held, of an entry of index one."""
    r = Reader(entry)
    _, _, source, _ = r.text("g1sk").split("#")
    return HeldEntry(parse_source(source), Key(r.text("pk"), r.text("sk")))


def read_named(entry: Item) -> Named:
    """The mention of an entry of index two."""
    _, said_at, source, others, *about = Reader(entry).text("g2sk").split("#")
    ids = tuple(EntityId(each) for each in others.split(",") if each)
    return Named(parse_source(source), instants.read(said_at), ids, bool(about))


def read_stated(entry: Item, *, is_from: bool) -> Stated:
    """The relation of an entry of index one (`is_from`: the entity is its subject) or two."""
    r = Reader(entry)
    own = EntityId(r.text("g1pk" if is_from else "g2pk").split("#")[1])
    _, predicate, other, source = r.text("g1sk" if is_from else "g2sk").split("#")
    subject, target = (own, EntityId(other)) if is_from else (EntityId(other), own)
    return Stated(Key(r.text("pk"), r.text("sk")), parse_source(source), subject, predicate, target)
