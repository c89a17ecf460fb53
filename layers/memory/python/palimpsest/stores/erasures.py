"""Erasures in the table: one item each, moved on by whoever works on it, and kept for good as the receipt."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.erasure import Erasure, Pass
from palimpsest.domain.errors import ConditionFailed, HeadMoved
from palimpsest.domain.ids import ErasureId, KeyId, RootId, SpaceId
from palimpsest.ports.table import Equals, Index, Item, Missing, Put, Query, Table, Value, Write
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.moves import Guarded

_ASKED_AGAIN = timedelta(minutes=1)
"""Whoever asks for an erasure, or has to wait in it, sends the message; only one that is lost is a plan's business."""


@dataclass(frozen=True, slots=True)
class Erasures:
    """Reads and moves them; of two that move one, one fails."""

    table: Table

    def read(self, erasure: ErasureId) -> Erasure | None:
        """The erasure, strongly read; None when there is none."""
        key = keys.erasure(erasure)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else read(stored)

    def begin(self, erasure: Erasure) -> Guarded:
        """The write of a new one, to go into the transaction of the step."""
        return Put(_item(erasure), Missing("pk")), HeadMoved

    def move(self, erasure: Erasure) -> Erasure | None:
        """Keep how far it has come; None when somebody else has moved it."""
        moved = replace(erasure, fence=erasure.fence + 1)
        try:
            self.table.write(Put(_item(moved), Equals("fence", erasure.fence)))
        except ConditionFailed:
            return None
        return moved

    def end(self, erasure: Erasure, tombstone: Write, now: datetime) -> None:
        """Write the receipt, and with it the tombstone; nothing when somebody else has moved either."""
        over = replace(erasure, verified_at=now, text_mac=None, fence=erasure.fence + 1)
        receipt = Put(_item(over), Equals("fence", erasure.fence))
        with suppress(ConditionFailed):
            self.table.transact([tombstone, receipt])

    def due(self, now: datetime, limit: int) -> list[ErasureId]:
        """At most `limit` of those that should have gone on by now, those that wait longest first."""
        page = self.table.query(Query(keys.ERASING, index=Index.TWO, high=instants.write(now), limit=limit))
        return [ErasureId(Reader(entry).text("pk").removeprefix("ER#")) for entry in page.items]


def _item(erasure: Erasure) -> dict[str, Value]:
    at = erasure.progress
    is_open = erasure.verified_at is None
    return item(
        keys.erasure(erasure.id),
        root=erasure.subject,
        space=erasure.space,
        asked_by=erasure.asked_by,
        asked_at=erasure.asked_at,
        began_at=erasure.began_at,
        revision=erasure.revision,
        versions=erasure.versions,
        text_mac=erasure.text_mac,
        resumes_at=erasure.resumes_at,
        place=at.place or None,
        cursor=at.cursor or None,
        counted=at.counted or None,
        found=at.found,
        done=at.done,
        empty=at.empty,
        removed=dict(erasure.removed),
        hidden={root: instants.write(until) for root, until in erasure.hidden.items()},
        unasked=list(erasure.unasked),
        verified_at=erasure.verified_at,
        fence=erasure.fence,
        g1pk=keys.erasures(erasure.space),
        g1sk=f"{instants.write(erasure.asked_at)}#{erasure.id}",
        g2pk=keys.ERASING if is_open else None,
        g2sk=instants.write(erasure.resumes_at + _ASKED_AGAIN) if is_open else None,
    )


def read(stored: Item) -> Erasure:
    """The erasure in an item; CorruptItem when it is none."""
    r = Reader(stored)
    removed, hidden = r.map("removed"), r.map("hidden")
    return Erasure(
        id=ErasureId(r.text("pk").removeprefix("ER#")),
        subject=RootId(r.text("root")),
        space=SpaceId(r.text("space")),
        asked_by=KeyId(r.text("asked_by")),
        asked_at=r.instant("asked_at"),
        began_at=r.instant("began_at"),
        revision=r.integer("revision"),
        versions=r.integer("versions"),
        text_mac=r.optional("text_mac", r.text),
        resumes_at=r.instant("resumes_at"),
        progress=_read_pass(r),
        removed={kind: removed.integer(kind) for kind in _names(removed)},
        hidden={root: hidden.instant(root) for root in _names(hidden)},
        unasked=r.texts("unasked"),
        verified_at=r.optional("verified_at", r.instant),
        fence=r.integer("fence"),
    )


def _read_pass(r: Reader) -> Pass:
    return Pass(
        place=r.optional("place", r.text) or "",
        cursor=r.optional("cursor", r.text) or "",
        counted=r.optional("counted", r.text) or "",
        found=r.integer("found"),
        done=r.integer("done"),
        empty=r.integer("empty"),
    )


def _names(members: Reader) -> list[str]:
    return [name for name in members.item if name not in ("pk", "sk")]
