"""The deployment's own secret: it keys every hash of user text that stands in a key, and seals cursors."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from threading import Lock

from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(slots=True)
class Deployment:
    """Made at first use, kept in the table, never changed."""

    table: Table
    ids: Ids
    _secret: bytes | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def mac(self, *parts: str | bytes) -> str:
        """128 bits, in hex, of HMAC-SHA256 over `parts`; each part is framed, so that no two lists give one text."""
        framed = b""
        for part in parts:
            data = part.encode() if isinstance(part, str) else part
            framed += len(data).to_bytes(8, "big") + data
        return hmac.digest(self._key(), framed, "sha256").hex()[:32]

    def _key(self) -> bytes:
        if self._secret is not None:
            return self._secret
        with self._lock:
            self._secret = self._read() or self._make()
            return self._secret

    def _read(self) -> bytes | None:
        key = keys.deployment()
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else Reader(stored).bytes("secret")

    def _make(self) -> bytes:
        secret = self.ids.secret()
        try:
            self.table.write(Put(item(keys.deployment(), secret=secret), Missing("pk")))
        except ConditionFailed:
            return self._read() or secret
        return secret
