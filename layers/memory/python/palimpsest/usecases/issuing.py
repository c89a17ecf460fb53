"""What is asked of, and told about, access keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.source import Trust


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key to be made.

    Attributes:
        spaces: Names, or prefixes that end in ``*``; None: every space.
        default_space: None: the only space that `spaces` names, else ``default``.
    """

    role: Role
    spaces: tuple[str, ...] | None = None
    max_trust: Trust | None = None
    label: str | None = None
    default_space: str | None = None
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
