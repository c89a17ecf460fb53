"""What makes a retry of the same request recognisable."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idempotency:
    """A caller's Idempotency-Key and the body that came with it.

    Attributes:
        part: Of a batch, whose items are remembered apart: from 1; 0 is the request as such.
    """

    key: str
    body: bytes
    part: int = 0
