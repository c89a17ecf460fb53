"""Make, list, rotate and revoke access keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain import key_text
from palimpsest.domain.access import SPACE_NAME, AccessKey, Caller, Role, default_space
from palimpsest.domain.errors import ConditionFailed, Invalid, LostRace, NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust, lowest
from palimpsest.ports.clock import Clock
from palimpsest.ports.ids import Ids
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.usecases.issuing import Issued, KeyRequest, KeysListed

_ATTEMPTS = 3
_TRUST = {Role.READER: Trust.A2, Role.WRITER: Trust.A2, Role.OWNER: Trust.A1}


@dataclass(frozen=True, slots=True)
class ManageKeys:
    """For owners alone; each method raises NotAllowed for others.

    An owner whose key is bound to spaces manages the keys of those spaces: others are not found, and none can be made.
    `changed` is told of each key that ends or gets another secret.
    """

    access_keys: AccessKeys
    idempotency: IdempotencyRecords
    cursors: Cursors
    clock: Clock
    ids: Ids
    changed: Callable[[KeyId], None]

    def issue(self, caller: Caller, request: KeyRequest, idempotency: Idempotency | None = None) -> Issued:
        """A new key; its text is in the answer and nowhere else.

        Who repeats a request never got its answer, so the same key comes back with a new secret.
        """
        caller.require(Role.OWNER)
        _check(request, self.clock.now())
        if not caller.covers(request.spaces):
            raise NotAllowed("this key can only make keys for spaces that it may enter itself; name some of those")
        for _ in range(_ATTEMPTS):
            earlier = self._answered(caller, idempotency)
            if earlier is not None:
                return self._with_new_secret(caller, earlier)
            try:
                return self._add(caller, request, idempotency)
            except ConditionFailed:
                continue  # a twin of the request was first, and has left its answer
        raise LostRace(_ATTEMPTS)

    def _find(self, caller: Caller, key: KeyId) -> AccessKey:
        found = self.access_keys.find(key)
        if found is None or not caller.covers(found.spaces):
            raise NotFound("key")
        return found

    def _answered(self, caller: Caller, idempotency: Idempotency | None) -> KeyId | None:
        if idempotency is None:
            return None
        earlier = self.idempotency.answered(caller.key, idempotency, self.clock.now())
        return KeyId(earlier.subject) if earlier else None

    def _add(self, caller: Caller, request: KeyRequest, idempotency: Idempotency | None) -> Issued:
        text = key_text.compose(key := KeyId(self.ids.ulid()), self.ids.secret())
        made = AccessKey(
            id=key,
            secret_hash=key_text.secret_hash(text),
            role=request.role,
            spaces=request.spaces,
            max_trust=lowest(request.max_trust or _TRUST[request.role], caller.max_trust),
            created_at=self.clock.now(),
            label=request.label,
            default_space=default_space(request.spaces, request.default_space),
            expires_at=_earlier(request.expires_at, caller.expires_at),
        )
        answer = None
        if idempotency is not None:
            answered = Answered(key, 0, "issued")
            answer = self.idempotency.record(caller.key, idempotency, answered, made.created_at)
        self.access_keys.add(made, answer)
        return Issued(made, text)

    def _with_new_secret(self, caller: Caller, key: KeyId) -> Issued:
        found = self._find(caller, key)
        if found.revoked_at is not None:
            raise WrongState("revoked", "this key is revoked; make a new one")
        if not _could_make(caller, found):
            raise NotAllowed("that key may do more than this one, or for longer; ask for its secret with a better key")
        text = key_text.compose(key, self.ids.secret())
        replaced = self.access_keys.replace_secret(key, key_text.secret_hash(text))
        self.changed(key)
        return Issued(replaced, text)

    def page(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> KeysListed:
        """Keys, newest first; a page may be short and yet have a cursor."""
        caller.require(Role.OWNER)
        before = self.cursors.open(cursor, "keys", caller.key) if cursor else None
        keys, more = self.access_keys.page(limit=limit, before=before)
        return KeysListed(
            tuple(key for key in keys if caller.covers(key.spaces)),
            self.cursors.seal(more, "keys", caller.key) if more else None,
        )

    def rotate(self, caller: Caller, key: KeyId) -> Issued:
        """The same key with another secret; the old one stops within a minute.

        Raises:
            NotFound: Unknown, or a key of other spaces.
            WrongState: It is revoked.
            NotAllowed: It has more trust or a longer life than the caller could give a key.
        """
        caller.require(Role.OWNER)
        return self._with_new_secret(caller, key)

    def revoke(self, caller: Caller, key: KeyId) -> AccessKey:
        """The key, invalid for good: here at once, in other processes within a minute."""
        caller.require(Role.OWNER)
        self._find(caller, key)
        now = self.clock.now()
        revoked = replace(self.access_keys.revoke(key, now), revoked_at=now)
        self.changed(key)
        return revoked


def _could_make(caller: Caller, key: AccessKey) -> bool:
    """The caller may give a key this role, trust and life."""
    lives_on = _earlier(key.expires_at, caller.expires_at) != key.expires_at
    return caller.may(key.role) and lowest(key.max_trust, caller.max_trust) is key.max_trust and not lives_on


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    """The one that comes first; None is never."""
    return min((instant for instant in (one, other) if instant is not None), default=None)


def _check(request: KeyRequest, now: datetime) -> None:
    if request.expires_at is not None and request.expires_at <= now:
        raise Invalid("expires_at", "expires_at lies in the past; such a key would never work")
    if request.spaces == ():
        raise Invalid("spaces", "name at least one space, or leave it out for every space")
    for pattern in request.spaces or ():
        if not SPACE_NAME.fullmatch(pattern.removesuffix("*") or "x"):
            raise Invalid("spaces", "a space is 1 to 128 of A-Z a-z 0-9 _ . @ -; a prefix ends in *")
