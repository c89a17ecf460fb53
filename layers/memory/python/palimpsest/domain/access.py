"""Who may do what, in which spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.errors import Invalid, NotAllowed
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust

DEFAULT_SPACE = "default"
SPACE_NAME = re.compile(r"[A-Za-z0-9_.@-]{1,128}")


_SPACES_TOLD = 5


class Role(StrEnum):
    """Each may do what the one before may, and more."""

    READER = "reader"
    WRITER = "writer"
    OWNER = "owner"


_RANK = {Role.READER: 0, Role.WRITER: 1, Role.OWNER: 2}


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds a valid key.

    Attributes:
        spaces: Names, or prefixes that end in ``*``; None means every space.
        max_trust: The best grade that this key's writes can have.
        default_space: The space meant when a request names none.
        expires_at: When the key ends, if ever.
    """

    key: KeyId
    role: Role
    spaces: tuple[str, ...] | None = None
    max_trust: Trust = Trust.A2
    default_space: str = DEFAULT_SPACE
    expires_at: datetime | None = None

    def may(self, role: Role) -> bool:
        """Has this role or a higher one."""
        return _RANK[self.role] >= _RANK[role]

    def may_enter(self, space: str) -> bool:
        """The key covers this space."""
        return self.spaces is None or any(_covers(pattern, space) for pattern in self.spaces)

    def covers(self, spaces: tuple[str, ...] | None) -> bool:
        """Each of these names and prefixes lies within the key's own; None, every space, only within None."""
        if self.spaces is None:
            return True
        return spaces is not None and all(any(_covers(own, space) for own in self.spaces) for space in spaces)

    def require(self, role: Role) -> None:
        """Raise NotAllowed without this role or a higher one."""
        if not self.may(role):
            raise NotAllowed(f"this needs a key with the role {role}; this key is a {self.role}")

    def require_space(self, name: str | None) -> str:
        """The space that a request means, which this key may enter; NotAllowed otherwise."""
        space = name or self.default_space
        if self.may_enter(space):
            return space
        if name is not None:
            raise NotAllowed("this key may not enter that space")
        own = ", ".join((self.spaces or ())[:_SPACES_TOLD])
        raise NotAllowed(
            f"where no space is named {space} is meant, which this key may not enter; name a space that it covers "
            f"({own}): `space` in the request, --space on the command line"
        )


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A key as it is kept: never its secret, only the secret's hash."""

    id: KeyId
    secret_hash: str
    role: Role
    spaces: tuple[str, ...] | None
    max_trust: Trust
    created_at: datetime
    label: str | None = None
    default_space: str = DEFAULT_SPACE
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def caller(self) -> Caller:
        return Caller(self.id, self.role, self.spaces, self.max_trust, self.default_space, self.expires_at)


def default_space(spaces: tuple[str, ...] | None, asked: str | None) -> str:
    """The space meant when a request names none: the one asked for, else the only one that the key names.

    Raises:
        Invalid: The one asked for lies outside the key's spaces.
    """
    if asked is None:
        only = spaces[0] if spaces is not None and len(spaces) == 1 else DEFAULT_SPACE
        return DEFAULT_SPACE if only.endswith("*") else only
    if spaces is not None and not any(_covers(pattern, asked) for pattern in spaces):
        raise Invalid("default_space", "default_space lies outside the key's spaces; add it to them, or leave it out")
    return asked


def _covers(pattern: str, space: str) -> bool:
    """`space` is a name, or a prefix that ends in ``*``: no name holds one, so prefixes alone cover a prefix."""
    return space.startswith(pattern[:-1]) if pattern.endswith("*") else space == pattern
