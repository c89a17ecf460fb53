"""Heads and versions as items: the only way to write one; it refuses what the domain does not know."""

from __future__ import annotations

from palimpsest.domain import instants
from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import KeyId, RootId, RunId, SpaceId
from palimpsest.domain.source import Source, Trust
from palimpsest.domain.version import Because, MemoryType, Reason, Statement, Version
from palimpsest.ports.table import Equals, Item, Missing, Put, Remove, Set, Update, Value
from palimpsest.stores import annotation_codec, extraction_codec, head_times, keys, said_codec
from palimpsest.stores.codec import Reader, item

_OPTIONAL_OF_HEADS = (
    "restore_until",
    "open_conflicts",
    "merged_into",
    "begins",
    "last_begin",
    "absences",
    "tags",
    "expires_at",
    "g2pk",
    "g2sk",
)


def head_item(head: Head, *, shards: int, waits_for_vectors: bool) -> dict[str, Value]:
    """The head, listed by its state and, while it waits for vectors, among the pending."""
    shard = keys.shard_of(head.root, shards)
    stored = item(
        keys.head(head.root),
        space=head.space,
        state=head.state,
        current=head.current,
        count=head.count,
        revision=head.revision,
        created_at=head.created_at,
        changed_at=head.changed_at,
        recorded_at=head.recorded_at,
        embedded=head.embedded,
        owns_text=head.owns_text,
        restore_until=head.restore_until,
        open_conflicts=head.open_conflicts or None,
        merged_into=head.merged_into,
        **head_times.attributes(head),
        **annotation_codec.attributes(head.annotations),
        g1pk=keys.listing(head.space, head.state, shard),
        g1sk=keys.listed(instants.write(head.created_at), head.root),
    )
    if waits_for_vectors:
        stored["g2pk"] = keys.pending(keys.shard_of(head.root, keys.PENDING_SHARDS))
        stored["g2sk"] = keys.listed(instants.write(head.changed_at), head.root)
    return stored


def head_write(before: Head | None, head: dict[str, Value]) -> Put | Update:
    """The write of a head's item over `before`, while nobody has moved it; None: while there is none.

    Attributes of a stored head that only another release knows stay as they are.
    """
    if before is None:
        return Put(head, Missing("pk"))
    given = [Set(name, value) for name, value in head.items() if name not in ("pk", "sk")]
    gone = [Remove(name) for name in _OPTIONAL_OF_HEADS if name not in head]
    return Update(keys.head(before.root), (*given, *gone), Equals("revision", before.revision))


def read_head(stored: Item) -> Head:
    """The head in an item; CorruptItem when it is none."""
    r = Reader(stored)
    times = head_times.read(r)
    return Head(
        root=RootId(r.text("pk").removeprefix("M#")),
        space=SpaceId(r.text("space")),
        state=r.choice("state", State),
        current=r.integer("current"),
        count=r.integer("count"),
        revision=r.integer("revision"),
        created_at=r.instant("created_at"),
        changed_at=r.instant("changed_at"),
        recorded_at=r.instant("recorded_at"),
        annotations=annotation_codec.read(r),
        embedded=r.integer("embedded"),
        owns_text=r.flag("owns_text"),
        restore_until=r.optional("restore_until", r.instant),
        open_conflicts=r.optional("open_conflicts", r.integer) or 0,
        merged_into=r.optional("merged_into", lambda name: RootId(r.text(name))),
        begins=times.begins,
        last_begin=times.last_begin,
        absences=times.absences,
    )


def version_item(version: Version) -> dict[str, Value]:
    """The immutable row of a version; ValueError for a memory type that is none."""
    said = version.statement
    return item(
        keys.version(version.root, version.number),
        number=version.number,
        revision=version.revision,
        content=said.content,
        memory_type=str(MemoryType(said.memory_type)),
        canonical=said.canonical,
        level=said.level,
        asserted_at=said.asserted_at,
        recorded_at=version.recorded_at,
        valid_from=said.valid_from,
        valid_until=said.valid_until,
        event_date=said.event_date,
        **_source(said.source),
        attributed_to=said.attributed_to,
        metadata=said.metadata,
        derived_from=list(said.derived_from),
        extraction=None if said.extraction is None else extraction_codec.written(said.extraction),
        **said_codec.of_place(said.place),
        run=version.run,
        created_by=version.created_by,
        reason=version.reason,
        because=version.because,
        note=version.note,
        previous_hash=version.previous_hash,
        content_hash=version.content_hash,
        replaces=version.number - 1 or None,
    )


def _source(source: Source) -> dict[str, Value | None]:
    return {"agent": source.agent, "session": source.session, "channel": source.channel, "trust": source.trust}


def read_version(stored: Item) -> Version:
    """The version in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Version(
        root=RootId(r.text("pk").removeprefix("M#")),
        number=r.integer("number"),
        revision=r.integer("revision"),
        statement=_read_statement(r),
        recorded_at=r.instant("recorded_at"),
        created_by=KeyId(r.text("created_by")),
        run=r.optional("run", lambda name: RunId(r.text(name))),
        reason=r.choice("reason", Reason),
        because=r.optional("because", lambda name: r.choice(name, Because)),
        previous_hash=r.optional("previous_hash", r.text),
        content_hash=r.text("content_hash"),
        note=r.optional("note", r.text),
    )


def _read_statement(r: Reader) -> Statement:
    return Statement(
        content=r.text("content"),
        asserted_at=r.instant("asserted_at"),
        memory_type=r.choice("memory_type", MemoryType),
        canonical=r.optional("canonical", r.text),
        level=r.text("level"),
        valid_from=r.optional("valid_from", r.instant),
        valid_until=r.optional("valid_until", r.instant),
        event_date=r.optional("event_date", r.instant),
        source=Source(
            agent=r.text("agent"),
            session=r.optional("session", r.text),
            channel=r.optional("channel", r.text),
            trust=r.choice("trust", Trust),
        ),
        attributed_to=r.optional("attributed_to", r.text),
        metadata=r.text("metadata"),
        derived_from=r.texts("derived_from"),
        extraction=r.optional("extraction", lambda name: extraction_codec.read(r.map(name))),
        place=said_codec.read_place(r),
    )
