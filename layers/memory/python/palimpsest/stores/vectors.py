"""Vectors as items beside their versions, kept as float16: half the size, and cosines change by less than 0.001."""

from __future__ import annotations

import numpy as np

from palimpsest.domain.ids import RootId
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.table import Item, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


def to_item(root: RootId, number: int, model: Model, vectors: Vector) -> dict[str, Value]:
    """The vectors of one version's passages under one model, kept as float16."""
    return item(
        keys.vectors(root, model, number),
        model=model.name,
        model_revision=model.revision,
        dimensions=model.dimensions,
        vectors=pack(vectors),
    )


def read(stored: Item) -> Vector:
    """The vectors in an item, shape (n, dimensions); CorruptItem when it is none."""
    r = Reader(stored)
    return unpack(r.bytes("vectors"), r.integer("dimensions"))


def pack(vectors: Vector) -> bytes:
    """Vectors as little-endian float16, row after row."""
    return vectors.astype("<f2").tobytes()


def unpack(packed: bytes, dimensions: int) -> Vector:
    """What `pack` packed, shape (n, dimensions)."""
    return np.frombuffer(packed, "<f2").astype(np.float32).reshape(-1, dimensions)
