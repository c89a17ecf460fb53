"""An erasure: what is known of taking away one belief or document for good, up to its receipt. Never text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from palimpsest.domain.ids import DocumentId, ErasureId, KeyId, RootId, SpaceId, parse_document


class ErasureState(StrEnum):
    """How far it has come."""

    PENDING = "pending"
    VERIFIED = "verified"


class Holds(StrEnum):
    """What something that remains holds of what was erased."""

    TEXT = "text"
    FEATURES = "features"
    """Words as numbers, and vectors."""
    IDS = "ids"


@dataclass(frozen=True, slots=True)
class Remainder:
    """Something that remains, and until when; None: until somebody takes it away, or for good."""

    where: str
    holds: Holds
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Pass:
    """Where a pass through all places stands. A pass begins with the first place, and its last word is what it found.

    Attributes:
        place: The place that is gone through.
        cursor: Where in it the part begins that is gone through.
        counted: Up to where in it everything was counted, so that a part that is done again is not counted twice.
        found: How much this pass has found so far.
        done: How many passes were made before.
        empty: How many of them, in a row and up to the last one, found nothing.
    """

    place: str = ""
    cursor: str = ""
    counted: str = ""
    found: int = 0
    done: int = 0
    empty: int = 0

    def at(self, cursor: str) -> Pass:
        """Further on in the same place."""
        return replace(self, cursor=cursor)

    def entering(self, place: str) -> Pass:
        """At the beginning of a place."""
        return replace(self, place=place, cursor="", counted="")

    def over(self) -> Pass:
        """All places were gone through."""
        return Pass(done=self.done + 1, empty=0 if self.found else self.empty + 1)


@dataclass(frozen=True, slots=True)
class Erasure:
    """The erasure of one belief, or of one document.

    Attributes:
        subject: The id of what is erased.
        began_at: When that began: nothing about it is older.
        revision: Of the row that says that it is erased.
        versions: How many it had; of a document, editions.
        text_mac: The keyed hash under which the space had its text or its path; None once it is verified.
        resumes_at: No pass begins before.
        removed: How much was taken away, by kind.
        hidden: Beliefs that were made from it and are forgotten therefore, and until when each can be restored.
        unasked: Index generations that could not be asked, since the installation has turned its engine off.
        fence: Counts the changes of this record.
    """

    id: ErasureId
    subject: RootId | DocumentId
    space: SpaceId
    asked_by: KeyId
    asked_at: datetime
    began_at: datetime
    revision: int
    versions: int
    text_mac: str | None
    resumes_at: datetime
    progress: Pass = field(default_factory=Pass)
    removed: Mapping[str, int] = field(default_factory=dict)
    hidden: Mapping[str, datetime] = field(default_factory=dict)
    unasked: tuple[str, ...] = ()
    verified_at: datetime | None = None
    fence: int = 1

    @property
    def document(self) -> DocumentId | None:
        """Which document is erased; None for a belief."""
        return parse_document(self.subject)

    @property
    def root(self) -> RootId:
        """Which belief is erased; ValueError for a document."""
        if self.document is not None:
            raise ValueError(f"{self.id} is the erasure of a document")
        return RootId(self.subject)

    @property
    def state(self) -> ErasureState:
        return ErasureState.PENDING if self.verified_at is None else ErasureState.VERIFIED

    def counting(self, found: Mapping[str, str]) -> Erasure:
        """With these traces counted, given by their places in order with the kind of each.

        Those that were counted before, when the same part was found and then not taken away, are not counted again.
        """
        removed = dict(self.removed)
        fresh = [kind for place, kind in found.items() if place > self.progress.counted]
        for kind in fresh:
            removed[kind] = removed.get(kind, 0) + 1
        counted = max([self.progress.counted, *found])
        progress = replace(self.progress, counted=counted, found=self.progress.found + len(found))
        return replace(self, progress=progress, removed=removed)


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What an installation keeps of what it has deleted, and for how long.

    Attributes:
        backups: How long its backups by the table's own engine reach back; zero where it makes none.
        stream: How long the table's stream keeps keys.
        has_ledger: The digests of erased ids are kept outside of the table, for good.
        has_segments: The search engine takes deleted entries out of its files in its own time.
    """

    backups: timedelta = timedelta(0)
    stream: timedelta = timedelta(0)
    has_ledger: bool = False
    has_segments: bool = False


def remains(erasure: Erasure, kept: Leftovers, *, log: timedelta, requests: timedelta) -> list[Remainder]:
    """What a receipt has to name, soonest gone first; what stays for good comes last.

    Args:
        erasure: Which.
        kept: What the installation keeps.
        log: How long a row of the change log lives.
        requests: How long an idempotency record lives.
    """
    asked, ended = erasure.asked_at, erasure.verified_at or erasure.asked_at
    told = [
        Remainder("idempotency_records", Holds.IDS, asked + requests),
        Remainder("change_log", Holds.IDS, asked + log),
        *(Remainder(f"derived {root}", Holds.TEXT, until) for root, until in erasure.hidden.items()),
    ]
    if kept.stream:
        told.append(Remainder("table_stream", Holds.IDS, ended + kept.stream))
    if kept.backups:
        told.append(Remainder("table_backups", Holds.TEXT, ended + kept.backups))
    told.sort(key=lambda each: (each.until or ended, each.where))
    told += [Remainder(f"search_index {generation}", Holds.FEATURES, None) for generation in erasure.unasked]
    if kept.has_segments:
        told.append(Remainder("search_engine_segments", Holds.FEATURES, None))
    if kept.has_ledger:
        told.append(Remainder("ledger", Holds.IDS, None))
    return [*told, Remainder("tombstone", Holds.IDS, None)]
