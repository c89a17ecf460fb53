"""What makes a retry of the same request recognisable."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A caller's Idempotency-Key and the body that came with it.

    Attributes:
        part: Position in a batch, so that each item of it is remembered apart.
    """

    key: str
    body: bytes
    part: int = 0
