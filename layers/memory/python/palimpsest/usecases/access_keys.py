"""Make, list, rotate and revoke access keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import key_text
from palimpsest.domain.access import SPACE_NAME, AccessKey, Caller, Role
from palimpsest.domain.errors import Invalid
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.cursors import Cursors


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key to be made. `spaces` None: every space; names, or prefixes that end in ``*``."""

    role: Role
    spaces: tuple[str, ...] | None = None
    max_trust: Trust | None = None
    label: str | None = None
    default_space: str = "default"
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key; `secret` is the whole key, shown this once."""

    key: AccessKey
    secret: str


@dataclass(frozen=True, slots=True)
class KeysListed:
    """One page of keys, newest first."""

    keys: tuple[AccessKey, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ManageKeys:
    """For owners alone; each method raises NotAllowed for others and NotFound for an unknown key."""

    access_keys: AccessKeys
    cursors: Cursors
    clock: Clock
    ids: Ids

    def issue(self, caller: Caller, request: KeyRequest) -> Issued:
        """A new key; its text is in the answer and nowhere else."""
        caller.require(Role.OWNER)
        _check(request)
        text = key_text.compose(key := KeyId(self.ids.ulid()), self.ids.secret())
        made = AccessKey(
            id=key,
            secret_hash=key_text.secret_hash(text),
            role=request.role,
            spaces=request.spaces,
            max_trust=request.max_trust or (Trust.A1 if request.role is Role.OWNER else Trust.A2),
            created_at=self.clock.now(),
            label=request.label,
            default_space=request.default_space,
            expires_at=request.expires_at,
        )
        self.access_keys.add(made)
        return Issued(made, text)

    def page(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> KeysListed:
        """Keys, newest first."""
        caller.require(Role.OWNER)
        before = self.cursors.open(cursor, "keys", caller.key) if cursor else None
        keys, more = self.access_keys.page(limit=limit, before=before)
        return KeysListed(keys, self.cursors.seal(more, "keys", caller.key) if more else None)

    def rotate(self, caller: Caller, key: KeyId) -> Issued:
        """The same key with another secret; the old one stops within a minute."""
        caller.require(Role.OWNER)
        text = key_text.compose(key, self.ids.secret())
        return Issued(self.access_keys.replace_secret(key, key_text.secret_hash(text)), text)

    def revoke(self, caller: Caller, key: KeyId) -> AccessKey:
        """The key, invalid for good within a minute."""
        caller.require(Role.OWNER)
        now = self.clock.now()
        return replace(self.access_keys.revoke(key, now), revoked_at=now)


def _check(request: KeyRequest) -> None:
    if request.spaces == ():
        raise Invalid("spaces", "name at least one space, or leave it out for every space")
    for pattern in request.spaces or ():
        if not SPACE_NAME.fullmatch(pattern.removesuffix("*") or "x"):
            raise Invalid("spaces", "a space is 1 to 128 of A-Z a-z 0-9 _ . @ -; a prefix ends in *")
