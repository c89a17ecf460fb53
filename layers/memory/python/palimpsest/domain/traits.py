"""What filters ask of a version of a memory, or of a chunk, in a form that every place of search can keep.

What is asked by equality is a label: eight bytes for a name and a value. An index, a row of the change log and a search
know labels only (all of, any of, none of), so that a new filter is a new name here and nothing elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from palimpsest.domain.document import CONTEXT, Chunk
from palimpsest.domain.source import Source
from palimpsest.domain.version import Statement

Scalar: TypeAlias = str | int | float | bool | None
"""A plain value of a JSON object."""

LABEL_BYTES: Final = 8
"""Two of a million different ones are equal in one of 30 million spaces; the table decides in any case."""

CHUNK_LEVEL: Final = "L0"


def label(name: str, value: str) -> bytes:
    """What stands for a name and its value."""
    return hashlib.blake2b(f"{name}\0{value}".encode(), digest_size=LABEL_BYTES).digest()


def tag_labels(tags: Iterable[str]) -> frozenset[bytes]:
    """Those of some tags."""
    return frozenset(label("tag", tag) for tag in tags)


def metadata_label(name: str, value: Scalar) -> bytes:
    """That of a value in metadata; 1 and 1.0 are the same, true and 1 are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return label("metadata", json.dumps([name, value], ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What labels have to be there: of each group one at least, of `none_of` none."""

    any_of: tuple[frozenset[bytes], ...] = ()
    none_of: frozenset[bytes] = frozenset()

    def passes(self, labels: Collection[bytes]) -> bool:
        """Something with these labels is wanted."""
        return self.none_of.isdisjoint(labels) and not any(group.isdisjoint(labels) for group in self.any_of)


@dataclass(frozen=True, slots=True)
class Traits:
    """What filters ask of.

    Attributes:
        memory_type: Of a memory; ``context`` of a chunk.
        dated_at: Event date, else asserted; of a chunk when it was said, else added.
        labels: All of them; without those of the tags where somebody keeps these apart.
    """

    memory_type: str
    level: str
    dated_at: datetime
    labels: frozenset[bytes]

    @classmethod
    def of(cls, said: Statement, tags: Iterable[str] = ()) -> Traits:
        """Those of a version's statement, and of the tags that its memory has today."""
        labels = {*tag_labels(tags), *_metadata(said.metadata), *_source(said.source, said.attributed_to)}
        return cls(said.memory_type, said.level, said.event_date or said.asserted_at, frozenset(labels))

    @classmethod
    def of_chunk(cls, chunk: Chunk) -> Traits:
        """Those of a chunk: it has no tags and no metadata; a fragment is attributed to its speaker."""
        said = chunk.fragment
        dated_at = said.at if said is not None and said.at is not None else chunk.added_at
        labels = _source(chunk.source, None if said is None else said.speaker)
        return cls(CONTEXT, CHUNK_LEVEL, dated_at, frozenset(labels))


def _source(source: Source, attributed_to: str | None) -> Iterator[bytes]:
    told = {
        "agent": source.agent,
        "trust": source.trust,
        "session": source.session,
        "channel": source.channel,
        "attributed_to": attributed_to,
    }
    return (label(name, value) for name, value in told.items() if value is not None)


def _metadata(written: str) -> Iterator[bytes]:
    """Of each plain value at the top of the object or in a list there; what lies deeper can't be asked for."""
    if written == "{}":
        return
    for name, value in json.loads(written).items():
        for each in value if isinstance(value, list) else (value,):
            if not isinstance(each, dict | list):
                yield metadata_label(name, each)
