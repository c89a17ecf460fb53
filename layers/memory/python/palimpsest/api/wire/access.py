"""Keys: what is asked for, and what is told of them. A secret is told once, when it is made."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from palimpsest.api.wire.fields import Answer, Instant, Name, Request, Space, SpacePattern, WrittenInstant
from palimpsest.api.wire.memory import written
from palimpsest.domain import instants
from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.source import Trust
from palimpsest.usecases.issuing import Issued, KeyRequest, KeysListed

_SPACES = 100


class NewKeyRequest(Request):
    """A key to be made. `spaces`: names, or prefixes that end in `*`; left out it is every space.

    `default_space` is meant when a request names none; left out it is the only one of `spaces`, else `default`.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "writer", "spaces": ["team-*"], "label": "agent"}]}
    )

    role: Role
    spaces: Annotated[tuple[SpacePattern, ...], Field(min_length=1, max_length=_SPACES)] | None = None
    max_trust: Trust | None = None
    label: Name | None = None
    default_space: Space | None = None
    expires_at: Instant | None = None

    def to_request(self) -> KeyRequest:
        """The same for the core."""
        return KeyRequest(
            role=self.role,
            spaces=self.spaces,
            max_trust=self.max_trust,
            label=self.label,
            default_space=self.default_space,
            expires_at=self.expires_at,
        )


class KeyItem(Answer):
    """A key without its secret."""

    id: str
    role: Role
    spaces: tuple[str, ...] | None
    max_trust: Trust
    default_space: str
    label: str | None
    created_at: WrittenInstant
    expires_at: WrittenInstant | None
    revoked_at: WrittenInstant | None

    @classmethod
    def of(cls, key: AccessKey) -> KeyItem:
        """What is told of a key."""
        return cls(
            id=key.id,
            role=key.role,
            spaces=key.spaces,
            max_trust=key.max_trust,
            default_space=key.default_space,
            label=key.label,
            created_at=instants.write(key.created_at),
            expires_at=written(key.expires_at),
            revoked_at=written(key.revoked_at),
        )


class IssuedAnswer(Answer):
    """A new key. `secret` is what to send as `Authorization: Bearer …`; it is shown this once."""

    key: KeyItem
    secret: str

    @classmethod
    def of(cls, issued: Issued) -> IssuedAnswer:
        """What is told of a new key."""
        return cls(key=KeyItem.of(issued.key), secret=issued.secret)


class KeyAnswer(Answer):
    """The key as it is now."""

    key: KeyItem

    @classmethod
    def of(cls, key: AccessKey) -> KeyAnswer:
        """What is told of a key that was changed."""
        return cls(key=KeyItem.of(key))


class KeysAnswer(Answer):
    """One page of keys, newest first."""

    keys: tuple[KeyItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: KeysListed) -> KeysAnswer:
        """What is told of a page."""
        return cls(keys=tuple(map(KeyItem.of, listed.keys)), next_cursor=listed.next_cursor)
