"""Windows of pieces to vectors: the pool over the token states of a loaded model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from palimpsest.adapters.models.e5_engine import Engine
from palimpsest.adapters.models.e5_tokenizer import Tokenizer
from palimpsest.adapters.models.e5_weights import Weights
from palimpsest.adapters.models.passages import passages
from palimpsest.ports.embedder import Vector

PASSAGE_PIECES = 128  # texts found by a question, PoQuAD, ten paragraphs a text: 96 .912, 128 .922, 192 .902, 256 .892

_PACK_TOKENS = 512  # tokens run at once: enough for full speed, and it bounds the scratch memory to about 10 MB
_LEAST_WEIGHT = 1e-3  # so that a text of nothing but unknown characters has a vector


class Pool:
    """A loaded model: tokenizer, engine and how much each piece counts.

    A vector is the sum of the last layer's token states, each weighted by -log p of its piece in the tokenizer's
    unigram model, so that rare pieces count more. The special tokens and the prefix count nothing, unless there is
    nothing else.
    """

    def __init__(self, weights: Weights, engine: Engine) -> None:
        self.engine = engine
        scores = weights.scores()
        self._tokenizer = Tokenizer(weights.pieces(), scores, weights.tokens.unknown, weights.character_map())
        self._rarity = np.maximum(-np.frombuffer(scores, np.float32), np.float32(_LEAST_WEIGHT))
        self._begin, self._end = weights.tokens.begin, weights.tokens.end
        self._window = weights.shape.window
        self._width = weights.shape.width

    def windows(self, prefix: str, text: str) -> list[list[int]]:
        """The pieces of `text` in windows that are as long as can be; at least one."""
        return self._chop(self._tokenizer.ids(text), self._room(prefix))

    def passages(self, prefix: str, text: str) -> list[list[int]]:
        """The pieces of `text` in one window if they fit, else those of its passages, a window for each."""
        ids = self._tokenizer.ids(text)
        room = self._room(prefix)
        if len(ids) <= room:
            return [ids]
        cut = passages(text, self.size, PASSAGE_PIECES)
        return [window for passage in cut for window in self._chop(self._tokenizer.ids(passage), room)]

    def sums(self, prefix: str, windows: Sequence[list[int]]) -> Vector:
        """The weighted sum of each window's token states: (windows, width)."""
        first = [self._begin, *self._tokenizer.ids(prefix)]
        out = np.empty((len(windows), self._width), np.float32)
        for pack in _packs([len(first) + len(window) + 1 for window in windows]):
            states = self.engine.states([[*first, *windows[i], self._end] for i in pack])
            for i, state in zip(pack, states, strict=True):
                out[i] = self._sum(state, windows[i], len(first))
        return out

    def _sum(self, state: Vector, ids: list[int], skip: int) -> Vector:
        if not ids:
            total: Vector = state.sum(axis=0)
            return total
        weighted: Vector = self._rarity[ids] @ state[skip:-1]
        return weighted

    def size(self, text: str) -> int:
        """How many pieces a text has."""
        return len(self._tokenizer.ids(text))

    def _room(self, prefix: str) -> int:
        return self._window - 2 - self.size(prefix)

    @staticmethod
    def _chop(ids: list[int], room: int) -> list[list[int]]:
        return [ids[at : at + room] for at in range(0, len(ids), room)] or [[]]


def _packs(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of `lengths` in packs to be run at once: like lengths together, at most `_PACK_TOKENS` in all."""
    pack: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if pack and (len(pack) + 1) * lengths[i] > _PACK_TOKENS:
            yield pack
            pack = []
        pack.append(i)
    if pack:
        yield pack
