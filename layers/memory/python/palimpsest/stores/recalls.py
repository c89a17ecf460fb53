"""What was recalled, as ids and fingerprints of sentences: the echo guard and usage figures read it. Kept 30 days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from palimpsest.domain import instants, text
from palimpsest.domain.ids import KeyId, RecallId, SpaceId, VersionRef, parse_reference, ulid
from palimpsest.domain.version import Version
from palimpsest.ports.table import Item, Key, Put, Query, Table
from palimpsest.stores import recall_keys
from palimpsest.stores.codec import Reader, item, readable
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.walking import walk

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
        results: How many results it had, sections of documents too.
        arms: How each arm fared.
    """

    recall: RecallId
    at: datetime
    refs: tuple[VersionRef, ...]
    prints: frozenset[str]
    results: int = 0
    arms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one recall gave from one space, to be recorded; `results` and `arms` as in `HandedOut`."""

    recall: RecallId
    space: SpaceId
    versions: Sequence[Version]
    results: int
    arms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Recalls:
    """Makes recall records, and reads them."""

    table: Table
    deployment: Deployment

    def record(self, answer: Answer, by: KeyId, now: datetime) -> Put:
        """The write that remembers an answer to `by`; at most the first 400 sentences are fingerprinted."""
        prints: list[str] = []
        for version in answer.versions:
            if len(prints) < _MAX_PRINTS:
                prints += self.fingerprints(answer.space, version.statement.content)
        place = (recall_keys.recall if answer.versions else recall_keys.empty_recall)(answer.space, by, answer.recall)
        return Put(
            item(
                place,
                at=now,
                refs=" ".join(str(version.ref) for version in answer.versions),
                prints=" ".join(prints[:_MAX_PRINTS]),
                results=answer.results,
                arms=" ".join(f"{name}:{state}" for name, state in answer.arms.items()),
                ttl=instants.epoch_seconds(now + RETENTION),
            )
        )

    def keep(self, writes: Sequence[Put]) -> None:
        """Make these writes, in as few calls as it takes."""
        if len(writes) == 1:
            self.table.write(writes[0])
        else:
            self.table.write_batch(writes)

    def recent(self, space: SpaceId, by: KeyId, now: datetime) -> tuple[HandedOut, ...]:
        """The newest 20 with a memory, at the most, of the last 24 hours, newest first, strongly read."""
        since = now - WINDOW
        place = recall_keys.recall(space, by, first_of(since))
        query = Query(place.pk, low=place.sk, descending=True, limit=_NEWEST, consistent=True)
        records = readable(read, self.table.query(query).items)
        return tuple(record for record in records if record.at >= since)

    def between(self, space: SpaceId, by: KeyId, after: RecallId, until: RecallId, most: int) -> list[HandedOut]:
        """The first `most` records behind `after` and up to `until`, strongly read, by the ids of their recalls.

        Those that no release up to this one can read are left out.
        """
        found = [
            record
            for place in (recall_keys.empty_recall, recall_keys.recall)
            for record in self._range(place(space, by, after), place(space, by, until).sk, most)
            if record.recall > after
        ]
        return sorted(found, key=lambda record: record.recall)[:most]

    def _range(self, low: Key, high: str, most: int) -> Iterator[HandedOut]:
        query = Query(low.pk, low=low.sk, high=high, consistent=True)
        return readable(read, islice(walk(self.table, query), most + 1))

    def fingerprints(self, space: SpaceId, content: str) -> list[str]:
        """A short keyed hash of each sentence, blind to case, white space and closing marks."""
        sentences = (text.same_text_form(part).casefold().rstrip(".!?… ") for part in _SENTENCE_END.split(content))
        return [self.deployment.mac("print", space, s)[:_PRINT_CHARACTERS] for s in sentences if s]


def first_of(moment: datetime) -> RecallId:
    """The least id that a recall at that moment can have."""
    return RecallId(f"rcl_{ulid(max(0, int(moment.timestamp() * 1000)), bytes(10))}")


def read(stored: Item) -> HandedOut:
    """The record in an item; CorruptItem when it is none."""
    r = Reader(stored)
    refs = tuple(ref for ref in map(parse_reference, r.text("refs").split()) if ref is not None)
    arms = (arm.partition(":") for arm in (r.optional("arms", r.text) or "").split())
    return HandedOut(
        recall=RecallId(r.text("sk").removeprefix(recall_keys.EMPTY_RECALLS)),
        at=r.instant("at"),
        refs=tuple(ref for ref in refs if ref.number is not None),
        prints=frozenset(r.text("prints").split()),
        results=r.optional("results", r.integer) or 0,
        arms={name: state for name, _, state in arms},
    )
