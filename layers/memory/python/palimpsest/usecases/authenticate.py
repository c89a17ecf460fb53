"""Who is it that asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from palimpsest.domain import key_text
from palimpsest.domain.access import AccessKey, Caller, Role
from palimpsest.domain.errors import Unauthenticated
from palimpsest.domain.ids import OWNER, KeyId
from palimpsest.domain.source import Trust
from palimpsest.ports.clock import Clock
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.usecases.owner_key import OwnerKey

_CACHED = timedelta(seconds=60)
_CACHE_SIZE = 1_000
_DOUBTED = timedelta(seconds=1)
"""A wrong secret may be one that the key has had since it was read; guesses must not make a read each time."""

_OWNER = Caller(OWNER, Role.OWNER, spaces=None, max_trust=Trust.A1)


@dataclass(slots=True)
class _Known:
    """A key as it was read. `doubted_at`: when it was last read again because a secret did not fit."""

    key: AccessKey
    read_at: datetime
    doubted_at: datetime | None = None


@dataclass(slots=True)
class Authenticate:
    """Checks keys. `owner_key`: the one that is no item of the table."""

    access_keys: AccessKeys
    clock: Clock
    owner_key: OwnerKey
    _cache: dict[KeyId, _Known] = field(default_factory=dict, init=False)

    def __call__(self, authorization: str | None) -> Caller:
        """The holder of the key in an ``Authorization`` header.

        A key of the table is found without a look at the owner's; the owner's is read again when nothing else fits.

        Raises:
            Unauthenticated: There is no key, or none that is valid now.
            SecretUnavailable: It may be the owner's, but that one can't be read.
        """
        scheme, _, token = (authorization or "").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or not token.isascii():
            raise Unauthenticated
        if self.owner_key.is_known(token):
            return _OWNER
        key = self._find(key_text.parse(token), token)
        if key is not None and key_text.is_same(token, key.secret_hash):
            if key.is_valid(self.clock.now()):
                return key.caller()
            raise Unauthenticated
        if self.owner_key.is_now(token):
            return _OWNER
        raise Unauthenticated

    def is_owners(self, token: str) -> bool:
        """The holder of this key, if it is taken for the owner's key, comes in as an owner."""
        try:
            return self(f"Bearer {token}").role is Role.OWNER
        except Unauthenticated:
            return False

    def forget(self, key: KeyId) -> None:
        """Read the key anew at its next use: this process has changed it."""
        self._cache.pop(key, None)

    def _find(self, key: KeyId | None, token: str) -> AccessKey | None:
        if key is None:
            return None
        now = self.clock.now()
        known = self._cache.get(key)
        if known is None or now - known.read_at >= _CACHED:
            return self._read(key, now, doubted_at=None)
        is_doubtful = known.doubted_at is None or now - known.doubted_at >= _DOUBTED
        if is_doubtful and not key_text.is_same(token, known.key.secret_hash):
            return self._read(key, now, doubted_at=now)
        return known.key

    def _read(self, key: KeyId, now: datetime, *, doubted_at: datetime | None) -> AccessKey | None:
        found = self.access_keys.find(key)
        if found is not None:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._cache[key] = _Known(found, now, doubted_at)
        return found
