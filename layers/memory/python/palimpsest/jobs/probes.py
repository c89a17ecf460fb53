"""What an arm is asked for to see whether it gives it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Kind


@dataclass(frozen=True, slots=True)
class Probe:
    """An entry that the index is sure to show.

    Attributes:
        id: Of the memory or the chunk.
        text: What it is found by.
        revision: Of the memory's head; 0 of a chunk.
        vector: One of those that it was stored with, under the model of the index; None when it has none.
        name: Of an entity that it names; None when it names none that a query could.
    """

    key: str
    kind: Kind
    id: str
    text: str
    revision: int = 0
    vector: Vector | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some probes. `is_all`: nothing was left out because the index need not show it yet."""

    probes: tuple[Probe, ...]
    is_all: bool
