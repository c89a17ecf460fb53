"""Traits in a row of the change log, so that the tail is filtered before anything is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from palimpsest.domain.traits import LABEL_BYTES, Traits, tag_labels
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader


def attributes(traits: Traits | None, tags: Iterable[str]) -> Mapping[str, Value | datetime | None]:
    """What a row tells of a version and of the tags of its belief."""
    told: dict[str, Value | datetime | None] = {"tags": _packed(tag_labels(tags)) or None}
    if traits is not None:
        told |= {"type": traits.memory_type, "level": traits.level, "dated": traits.dated_at}
        told["labels"] = _packed(traits.labels)
    return told


def read_traits(r: Reader) -> Traits | None:
    """Those of the version, without the tags; None when the row does not say."""
    labels = _labels(r, "labels")
    return Traits(r.text("type"), r.text("level"), r.instant("dated"), frozenset(labels)) if "type" in r.item else None


def read_tags(r: Reader) -> frozenset[bytes]:
    """The labels of the tags."""
    return frozenset(_labels(r, "tags"))


def _packed(labels: Iterable[bytes]) -> bytes:
    return b"".join(sorted(labels))


def _labels(r: Reader, name: str) -> Iterator[bytes]:
    packed = r.bytes(name) if name in r.item else b""
    return (packed[at : at + LABEL_BYTES] for at in range(0, len(packed), LABEL_BYTES))
