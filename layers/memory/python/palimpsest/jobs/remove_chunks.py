"""Take chunks away: the one place where that is done, whoever has no use for them any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.ids import ChunkId, SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.stores.chunks import Chunks


@dataclass(frozen=True, slots=True)
class RemoveChunks:
    """Removes chunks with all that lies with them, then has the index look. Done twice it does the same."""

    chunks: Chunks
    clock: Clock

    def __call__(self, space: SpaceId, gone: Sequence[ChunkId], *, is_erasure: bool = False) -> None:
        """Of that space; those that are gone by now are told to the index once more. `is_erasure`: as links have it."""
        self.chunks.remove(gone, is_erasure=is_erasure)
        self.chunks.log(space, gone, self.clock.now())
