"""Ids, from outside: the core has no randomness of its own."""

from typing import Protocol


class Ids(Protocol):
    """A source of ids."""

    def ulid(self) -> str:
        """A new ULID; two of one process never come in the wrong order."""
        ...

    def secret(self, size: int = 32) -> bytes:
        """`size` bytes that nobody can guess."""
        ...
