"""Access keys: the hash of a secret, and what its holder may do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain import instants
from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.errors import ConditionFailed, NotFound
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.ports.table import Exists, Index, Item, Missing, Put, Query, Set, Table, Update
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

_EVERY_SPACE = "*"


@dataclass(frozen=True, slots=True)
class AccessKeys:
    """The keys that were made here."""

    table: Table

    def add(self, key: AccessKey, answer: Put | None = None) -> None:
        """Keep a new key, with the idempotency record of the request; ConditionFailed when that is there already."""
        stored = item(
            keys.access_key(key.id),
            secret_hash=key.secret_hash,
            role=key.role,
            spaces=[_EVERY_SPACE] if key.spaces is None else list(key.spaces),
            max_trust=key.max_trust,
            created_at=key.created_at,
            label=key.label,
            default_space=key.default_space,
            expires_at=key.expires_at,
            g1pk=keys.KEYS,
            g1sk=f"{instants.write(key.created_at)}#{key.id}",
        )
        self.table.transact([Put(stored, Missing("pk")), *([answer] if answer else [])])

    def find(self, key: KeyId) -> AccessKey | None:
        place = keys.access_key(key)
        stored = self.table.get([place]).items.get(place)
        return None if stored is None else _read(stored)

    def replace_secret(self, key: KeyId, secret_hash: str) -> AccessKey:
        """Give the key another secret; NotFound when there is no such key."""
        return self._update(key, Set("secret_hash", secret_hash))

    def revoke(self, key: KeyId, now: datetime) -> AccessKey:
        """Make the key invalid for good; NotFound when there is no such key."""
        return self._update(key, Set("revoked_at", instants.write(now)))

    def page(self, *, limit: int, before: str | None) -> tuple[tuple[AccessKey, ...], str | None]:
        """Keys, newest first, and the place to go on from."""
        entries = self._entries(limit + 1, before)
        places = [keys.access_key(KeyId(Reader(entry).text("g1sk").partition("#")[2])) for entry in entries]
        found = self.table.get(places).items
        page = tuple(_read(found[place]) for place in places[:limit] if place in found)
        more = Reader(entries[limit]).text("g1sk") if len(entries) > limit else None
        return page, more

    def _entries(self, limit: int, before: str | None) -> list[Item]:
        found: list[Item] = []
        cursor = None
        while True:
            query = Query(keys.KEYS, index=Index.ONE, descending=True, limit=limit, high=before, after=cursor)
            page = self.table.query(query)
            found += page.items
            cursor = page.next_cursor
            if cursor is None or len(found) >= limit:
                return found

    def _update(self, key: KeyId, change: Set) -> AccessKey:
        try:
            written = self.table.write(Update(keys.access_key(key), (change,), Exists("pk")))
        except ConditionFailed as error:
            raise NotFound("key") from error
        if written.item is None:
            raise NotFound("key")
        return _read(written.item)


def _read(stored: Item) -> AccessKey:
    r = Reader(stored)
    spaces = r.texts("spaces")
    return AccessKey(
        id=KeyId(r.text("pk").removeprefix("KEY#")),
        secret_hash=r.text("secret_hash"),
        role=r.choice("role", Role),
        spaces=None if spaces == (_EVERY_SPACE,) else spaces,
        max_trust=r.choice("max_trust", Trust),
        created_at=r.instant("created_at"),
        label=r.optional("label", r.text),
        default_space=r.text("default_space"),
        expires_at=r.optional("expires_at", r.instant),
        revoked_at=r.optional("revoked_at", r.instant),
    )
