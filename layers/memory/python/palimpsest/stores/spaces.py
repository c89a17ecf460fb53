"""Spaces: a name leads to an immutable id, and everything else hangs on the id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from palimpsest.domain.errors import ConditionFailed, NotFound
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.scrub.kinds import Kind, Treatment
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Index, Missing, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition

_CACHED = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Space:
    """A space. Its shard counts grow 1, 4, 16: readers' first, writers' after every process has seen it.

    Attributes:
        recovery_days, regions: None where the installation's setting holds.
        redaction: The treatments of the kinds for which it has its own.
        redaction_words: What is taken out besides the installation's words.
    """

    id: SpaceId
    name: str
    created_at: datetime
    read_shards: int = 1
    write_shards: int = 1
    recovery_days: int | None = None
    redaction: tuple[tuple[Kind, Treatment], ...] = ()
    regions: tuple[str, ...] | None = None
    redaction_words: tuple[str, ...] = ()

    def log_partitions(self) -> tuple[LogPartition, ...]:
        """Every shard of the change log that may hold rows."""
        return tuple(LogPartition(self.id, shard) for shard in range(self.read_shards))


@dataclass(slots=True)
class Spaces:
    """Spaces by name and by id, remembered for a minute."""

    table: Table
    clock: Clock
    ids: Ids
    _by_id: dict[SpaceId, tuple[datetime, Space]] = field(default_factory=dict, init=False)
    _id_of: dict[str, SpaceId] = field(default_factory=dict, init=False)

    def find(self, name: str) -> Space | None:
        """The space of that name, or None when nothing was written to it yet."""
        space = self._id_of.get(name)
        if space is None:
            key = keys.space_name(name)
            stored = self.table.get([key]).items.get(key)
            if stored is None:
                return None
            space = SpaceId(Reader(stored).text("space"))
        return self.by_id(space)

    def by_id(self, space: SpaceId) -> Space:
        """The space with that id; NotFound when there is none."""
        now = self.clock.now()
        read_at, known = self._by_id.get(space, (now, None))
        if known is not None and now - read_at < _CACHED:
            return known
        key = keys.space(space)
        stored = self.table.get([key]).items.get(key)
        if stored is None:
            raise NotFound("space")
        return self._remember(_read(space, Reader(stored)))

    def ensure(self, name: str) -> Space:
        """The space of that name, begun if need be."""
        return self.find(name) or self.begin(name)

    def every(self) -> list[Space]:
        """All spaces, by name."""
        return list(self.walk())

    def walk(self, after: str = "") -> Iterator[Space]:
        """The spaces whose names come after that one, by name; for work that goes through everything."""
        cursor = None
        while True:
            page = self.table.query(Query(keys.SPACES, index=Index.TWO, low=after or None, after=cursor))
            for entry in page.items:
                if Reader(entry).text("g2sk") != after:
                    yield self.by_id(SpaceId(Reader(entry).text("pk").removeprefix("S#")))
            cursor = page.next_cursor
            if cursor is None:
                return

    def begin(self, name: str) -> Space:
        """The space of that name, which was not there; the one that somebody else began meanwhile."""
        space = Space(SpaceId(self.ids.ulid()), name, self.clock.now())
        record = item(
            keys.space(space.id),
            name=name,
            created_at=space.created_at,
            read_shards=space.read_shards,
            write_shards=space.write_shards,
            g2pk=keys.SPACES,
            g2sk=name,
        )
        pointer = item(keys.space_name(name), space=space.id)
        try:
            self.table.transact([Put(record, Missing("pk")), Put(pointer, Missing("pk"))])
        except ConditionFailed:
            begun = self.find(name)
            if begun is None:
                raise
            return begun
        return self._remember(space)

    def _remember(self, space: Space) -> Space:
        self._by_id[space.id] = (self.clock.now(), space)
        self._id_of[space.name] = space.id
        return space


def _read(space: SpaceId, r: Reader) -> Space:
    return Space(
        id=space,
        name=r.text("name"),
        created_at=r.instant("created_at"),
        read_shards=r.integer("read_shards"),
        write_shards=r.integer("write_shards"),
        recovery_days=r.optional("recovery_days", r.integer),
    )
