"""What was recalled, as ids and fingerprints of sentences: the echo guard and usage figures read it. Kept 30 days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants, text
from palimpsest.domain.ids import KeyId, RecallId, SpaceId, VersionRef, parse_reference, ulid
from palimpsest.domain.version import Version
from palimpsest.ports.table import Item, Put, Query, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item, readable
from palimpsest.stores.deployment import Deployment

RETENTION = timedelta(days=30)
WINDOW = timedelta(hours=24)
"""How long what was recalled is known again when it comes back as a save."""

_NEWEST = 20
"""Records that are looked at: of one key in one space, so about the last twenty turns of a talk."""

_PRINT_CHARACTERS = 12
_MAX_PRINTS = 400
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What one recall answered to one key from one space.

    Attributes:
        refs: The versions, best first.
        prints: Fingerprints of their sentences.
    """

    recall: RecallId
    at: datetime
    refs: tuple[VersionRef, ...]
    prints: frozenset[str]


@dataclass(frozen=True, slots=True)
class Recalls:
    """Writes recall records, and reads the newest ones."""

    table: Table
    deployment: Deployment

    def record(self, recall: RecallId, space: SpaceId, by: KeyId, versions: Sequence[Version], now: datetime) -> None:
        """Remember that `versions` were answered to `by`; at most the first 400 sentences are fingerprinted."""
        prints: list[str] = []
        for version in versions:
            if len(prints) < _MAX_PRINTS:
                prints += self.fingerprints(space, version.statement.content)
        self.table.write(
            Put(
                item(
                    keys.recall(space, by, recall),
                    at=now,
                    refs=" ".join(str(version.ref) for version in versions),
                    prints=" ".join(prints[:_MAX_PRINTS]),
                    ttl=instants.epoch_seconds(now + RETENTION),
                )
            )
        )

    def recent(self, space: SpaceId, by: KeyId, now: datetime) -> tuple[HandedOut, ...]:
        """The newest 20 at the most of the last 24 hours, newest first, strongly read."""
        since = now - WINDOW
        first = RecallId(f"rcl_{ulid(max(0, int(since.timestamp() * 1000)), bytes(10))}")
        query = Query(keys.recall(space, by, first).pk, low=first, descending=True, limit=_NEWEST, consistent=True)
        records = readable(read, self.table.query(query).items)
        return tuple(record for record in records if record.at >= since)

    def fingerprints(self, space: SpaceId, content: str) -> list[str]:
        """A short keyed hash of each sentence, blind to case, white space and closing marks."""
        sentences = (text.same_text_form(part).casefold().rstrip(".!?… ") for part in _SENTENCE_END.split(content))
        return [self.deployment.mac("print", space, s)[:_PRINT_CHARACTERS] for s in sentences if s]


def read(stored: Item) -> HandedOut:
    """The record in an item; CorruptItem when it is none."""
    r = Reader(stored)
    refs = (parse_reference(ref) for ref in r.text("refs").split())
    return HandedOut(
        recall=RecallId(r.text("sk")),
        at=r.instant("at"),
        refs=tuple(ref for ref in refs if ref is not None and ref.number is not None),
        prints=frozenset(r.text("prints").split()),
    )
