"""Parts of documents as members of their items."""

from __future__ import annotations

from palimpsest.domain import instants
from palimpsest.domain.arrival import Arrival, Original
from palimpsest.domain.ids import KeyId
from palimpsest.domain.link import Link
from palimpsest.domain.source import Source, Trust
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader


def source(told: Source) -> dict[str, Value]:
    stored = {"agent": told.agent, "session": told.session, "channel": told.channel}
    return {name: value for name, value in stored.items() if value is not None}


def read_source(r: Reader, trust: Trust) -> Source:
    return Source(r.text("agent"), r.optional("session", r.text), r.optional("channel", r.text), trust)


def link(link: Link) -> dict[str, Value]:
    told: dict[str, Value | None] = {
        "url": link.url,
        "shown": link.shown,
        "is_watched": link.is_watched,
        "wanted_at": None if link.wanted_at is None else instants.write(link.wanted_at),
        "wanted_by": link.wanted_by,
        "etag": link.etag,
        "last_modified": link.last_modified,
        "failure": link.failure,
        "fetched_at": None if link.fetched_at is None else instants.write(link.fetched_at),
    }
    return {name: value for name, value in told.items() if value is not None}


def read_link(r: Reader) -> Link:
    return Link(
        url=r.text("url"),
        shown=r.text("shown"),
        is_watched=r.flag("is_watched"),
        wanted_at=r.optional("wanted_at", r.instant),
        wanted_by=KeyId(r.text("wanted_by")),
        etag=r.text("etag"),
        last_modified=r.text("last_modified"),
        failure=r.text("failure"),
        fetched_at=r.optional("fetched_at", r.instant),
    )


def original(original: Original) -> dict[str, Value]:
    return {
        "blob": original.blob,
        "digest": original.digest,
        "media_type": original.media_type,
        "size": original.size,
    }


def read_original(r: Reader) -> Original:
    return Original(r.text("blob"), r.text("digest"), r.text("media_type"), r.integer("size"))


def arrival(told: Arrival) -> dict[str, Value]:
    return {
        "edition": told.edition,
        "original": original(told.original),
        "asked_at": instants.write(told.asked_at),
        "asked_by": told.asked_by,
        "sections": told.sections,
        "failure": told.failure,
    }


def read_arrival(r: Reader) -> Arrival:
    return Arrival(
        edition=r.integer("edition"),
        original=read_original(r.map("original")),
        asked_at=r.instant("asked_at"),
        asked_by=KeyId(r.text("asked_by")),
        sections=r.integer("sections"),
        failure=r.text("failure"),
    )
