"""Annotations as attributes of an item, and as a map in one."""

from __future__ import annotations

from palimpsest.domain import instants
from palimpsest.domain.belief import Annotations
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader, decimal


def attributes(notes: Annotations) -> dict[str, Value]:
    """The annotations by name; without tags and without an expiry those two are left out."""
    stored: dict[str, Value] = {"pinned": notes.pinned, "importance": decimal(notes.importance)}
    if notes.tags:
        stored["tags"] = list(notes.tags)
    if notes.expires_at is not None:
        stored["expires_at"] = instants.write(notes.expires_at)
    return stored


def read(r: Reader) -> Annotations:
    """The annotations that `attributes` wrote; CorruptItem when they are none."""
    return Annotations(
        tags=r.texts("tags"),
        pinned=r.flag("pinned"),
        importance=r.number("importance"),
        expires_at=r.optional("expires_at", r.instant),
    )
