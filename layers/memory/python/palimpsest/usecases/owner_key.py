"""The owner's key that no item of the table holds: given by setting, or kept as a secret that may be changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from palimpsest.domain import key_text
from palimpsest.domain.errors import SecretUnavailable
from palimpsest.ports.clock import Clock
from palimpsest.ports.secret import Secret

_KEPT = timedelta(minutes=5)
"""So long a key that was replaced is taken at the most."""

_DOUBTED = timedelta(seconds=10)
"""Wrong keys make one reading in so long, and no more."""


@dataclass(frozen=True, slots=True)
class GivenSecret:
    """A `Secret` that a setting gave."""

    text: str

    def read(self) -> str:
        return self.text


@dataclass(slots=True)
class OwnerKey:
    """Compares what callers send with the owner's key; no secret: there is no such key."""

    secret: Secret | None
    clock: Clock
    _hash: str | None = field(default=None, init=False)
    _read_at: datetime | None = field(default=None, init=False)
    _tried_at: datetime | None = field(default=None, init=False)
    _failure: SecretUnavailable | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def is_known(self, token: str) -> bool:
        """It is the owner's key as it was read in the last minutes; reads nothing."""
        read_at = self._read_at
        is_fresh = read_at is not None and self.clock.now() - read_at < _KEPT
        return is_fresh and self._is_same(token)

    def is_now(self, token: str) -> bool:
        """It is the owner's key, which is read again when that was not done just now.

        Raises:
            SecretUnavailable: The key can't be read.
        """
        if self.secret is None:
            return False
        with self._lock:
            now = self.clock.now()
            if self._tried_at is None or now - self._tried_at >= _DOUBTED:
                self._read(self.secret, now)
            if self._failure is not None:
                raise SecretUnavailable(str(self._failure)) from self._failure
        return self._is_same(token)

    def _read(self, secret: Secret, now: datetime) -> None:
        self._tried_at = now
        try:
            self._hash, self._read_at, self._failure = key_text.secret_hash(secret.read()), now, None
        except SecretUnavailable as error:
            self._failure = error

    def _is_same(self, token: str) -> bool:
        return self._hash is not None and key_text.is_same(token, self._hash)
