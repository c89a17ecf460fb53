"""Recall records that name a belief, and how they go on without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from palimpsest.domain.access import AccessKey
from palimpsest.domain.errors import ConditionFailed, TableThrottled
from palimpsest.domain.ids import OWNER, KeyId, RootId, VersionRef, parse_reference
from palimpsest.ports.table import Delete, Equals, Item, Key, Put, Query, Table
from palimpsest.stores import recall_keys
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.codec import Reader
from palimpsest.stores.recalls import Recalls, first_of
from palimpsest.stores.spaces import Space

_ATTEMPTS: Final = 20
"""As many erasures may take out of one record what is theirs, at once."""


@dataclass(frozen=True, slots=True)
class HandedOutRecords:
    """Goes through the records of every key that may enter a space; those of a key whose item is gone are not found."""

    table: Table
    access_keys: AccessKeys
    beliefs: Beliefs
    recalls: Recalls

    def naming(self, root: RootId, space: Space, since: datetime, cursor: str) -> Iterator[tuple[str, Sequence[Item]]]:
        """Page by page the records that name the belief, each with the cursor at which the page begins."""
        first = first_of(since)
        begin_key, _, begin = cursor.partition(" ")
        for key in sorted(self._keys(space)):
            if key < begin_key:
                continue
            place = (begin if key == begin_key else "") or first
            query: Query | None = Query(recall_keys.recall(space.id, key, first).pk, low=place, consistent=True)
            while query is not None:
                page = self.table.query(query)
                yield f"{key} {place}", [each for each in page.items if _names(each, root)]
                query = replace(query, after=page.next_cursor) if page.next_cursor else None
                place = page.next_cursor.sk if page.next_cursor else place

    def position(self, stored: Item) -> str:
        """Where the record lies among those of the space, in the order in which they are gone through."""
        place = Key(str(stored["pk"]), str(stored["sk"]))
        return f"{recall_keys.key_of_recall(place)} {place.sk}"

    def go_without(self, root: RootId, records: Sequence[Item]) -> None:
        """Take the belief out of these records; those that name no other go, and so do those that can't be told apart.

        Also the prints that are those of another belief as well: a sentence that both said is that of the erased one.
        """
        refs = {ref for each in records for ref in _refs(each) if ref.root == root}
        versions = self.beliefs.versions([(ref.root, ref.number or 0) for ref in refs], only_readable=True)
        texts = {VersionRef(*place): version.statement.content for place, version in versions.items()}
        waiting = list(records)
        for _ in range(_ATTEMPTS):
            writes = [self._without(root, each, texts) for each in waiting]
            self.table.write_batch([each for each in writes if isinstance(each, Delete)])
            waiting = [each for write in writes if isinstance(write, Put) for each in self._moved(root, write)]
            if not waiting:
                return
        raise TableThrottled

    def _moved(self, root: RootId, write: Put) -> list[Item]:
        """Write it; the record anew when another belief was taken out of it meanwhile and it still names this one."""
        try:
            self.table.write(write)
        except ConditionFailed:
            place = Key(str(write.item["pk"]), str(write.item["sk"]))
            return [each for each in self.table.get([place]).items.values() if _names(each, root)]
        return []

    def _without(self, root: RootId, stored: Item, texts: Mapping[VersionRef, str]) -> Put | Delete:
        refs = _refs(stored)
        kept, own = [ref for ref in refs if ref.root != root], [ref for ref in refs if ref.root == root]
        place = Key(str(stored["pk"]), str(stored["sk"]))
        if not kept or any(ref not in texts for ref in own):
            return Delete(place)
        space = recall_keys.space_of_recall(place)
        gone = {printed for ref in own for printed in self.recalls.fingerprints(space, texts[ref])}
        prints = [each for each in Reader(stored).text("prints").split() if each not in gone]
        without = {**stored, "refs": " ".join(map(str, kept)), "prints": " ".join(prints)}
        return Put(without, Equals("refs", Reader(stored).text("refs")))

    def _keys(self, space: Space) -> Iterator[KeyId]:
        yield OWNER
        before = None
        while True:
            page, before = self.access_keys.page(limit=200, before=before)
            yield from (key.id for key in page if _entered(key, space))
            if before is None:
                return


def _entered(key: AccessKey, space: Space) -> bool:
    return key.caller().may_enter(space.name)


def _names(stored: Item, root: RootId) -> bool:
    return root in Reader(stored).text("refs")


def _refs(stored: Item) -> list[VersionRef]:
    refs = (parse_reference(ref) for ref in Reader(stored).text("refs").split())
    return [ref for ref in refs if ref is not None]
