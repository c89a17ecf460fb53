"""An embedder to which every text means the same, so that words alone decide."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.ports.embedder import Vector
from tests.support.hashing_embedder import HashingEmbedder


class ConstantEmbedder(HashingEmbedder):
    """Gives all texts the vector of one."""

    def query(self, text: str) -> Vector:
        return super().query("the same")

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return super().passages(["the same"] * len(texts))
