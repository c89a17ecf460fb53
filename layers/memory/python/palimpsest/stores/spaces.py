"""Spaces: a name leads to an immutable id, and everything else hangs on the id."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from palimpsest.domain.errors import ConditionFailed, NotFound
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.learning.asking import Wishes
from palimpsest.domain.scrub.kinds import Kind, Treatment
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Exists, Index, Missing, Put, Query, Remove, Set, Table, Update
from palimpsest.stores import keys, space_settings
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.keys import LogPartition

_CACHED = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Space:
    """A space. Its shard counts grow 1, 4, 16: readers' first, writers' after every process has seen it.

    Attributes:
        recovery_days, regions, auto_index: None where the installation's setting holds; no `regions` at all are an
            empty tuple.
        redaction: The treatments of the kinds for which it has its own.
        redaction_words: What is taken out besides the installation's words.
        extract: Facts are learned from its conversations; None, as for all: yes, where a conversation does not say.
        extraction_topics, extraction_instructions: What its owner wants to be learned.
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
    auto_index: bool | None = None
    extract: bool | None = None
    extraction_topics: tuple[str, ...] = ()
    extraction_instructions: str | None = None

    @property
    def wishes(self) -> Wishes:
        """What a model is told of what to learn."""
        return Wishes(self.extraction_topics, self.extraction_instructions)

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
        return self._read(space)

    def find_fresh(self, name: str) -> Space | None:
        """As `find`, with the settings as they are stored now."""
        found = self.find(name)
        return None if found is None else self._read(found.id)

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

    def page(self, after: str, limit: int) -> tuple[list[str], str | None]:
        """The names that come after that one, by name, at most so many; the last one when there are more."""
        names: list[str] = []
        cursor = None
        while True:
            query = Query(keys.SPACES, index=Index.TWO, low=after or None, limit=limit + 2, after=cursor)
            page = self.table.query(query)
            names += [name for entry in page.items if (name := Reader(entry).text("g2sk")) != after]
            cursor = page.next_cursor
            if len(names) > limit or cursor is None:
                return names[:limit], names[limit - 1] if len(names) > limit else None

    def begin(self, name: str) -> Space:
        """The space of that name, which was not there; the one that somebody else began meanwhile."""
        try:
            return self.add(Space(SpaceId(self.ids.ulid()), name, self.clock.now()))
        except ConditionFailed:
            begun = self.find(name)
            if begun is None:
                raise
            return begun

    def add(self, space: Space, answer: Put | None = None) -> Space:
        """A new space, with the idempotency record of the request; ConditionFailed when name or record are there."""
        record = item(
            keys.space(space.id),
            name=space.name,
            created_at=space.created_at,
            read_shards=space.read_shards,
            write_shards=space.write_shards,
            g2pk=keys.SPACES,
            g2sk=space.name,
            **{name: value for name, value in space_settings.written(space).items() if value is not None},
        )
        pointer = item(keys.space_name(space.name), space=space.id)
        answers = [answer] if answer else []
        self.table.transact([Put(record, Missing("pk")), Put(pointer, Missing("pk")), *answers])
        return self._remember(space)

    def change(self, space: Space, fields: Collection[str]) -> Space:
        """Keep these settings of a space, and leave its others as they are; NotFound when it is gone.

        Here they hold at once, in other processes within a minute.
        """
        written = [(name, value) for name, value in sorted(space_settings.written(space).items()) if name in fields]
        changes = [Remove(name) if value is None else Set(name, value) for name, value in written]
        try:
            done = self.table.write(Update(keys.space(space.id), tuple(changes), Exists("pk")))
        except ConditionFailed as error:
            raise NotFound("space") from error
        if done.item is None:
            raise NotFound("space")
        return self._remember(_read(space.id, Reader(done.item)))

    def _read(self, space: SpaceId) -> Space:
        key = keys.space(space)
        stored = self.table.get([key]).items.get(key)
        if stored is None:
            raise NotFound("space")
        return self._remember(_read(space, Reader(stored)))

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
        redaction=space_settings.treatments(r),
        regions=space_settings.regions(r),
        redaction_words=r.texts("redaction_words"),
        auto_index=r.optional("auto_index", r.flag),
        extract=r.optional("extract", r.flag),
        extraction_topics=r.texts("extraction_topics"),
        extraction_instructions=r.optional("extraction_instructions", r.text),
    )
