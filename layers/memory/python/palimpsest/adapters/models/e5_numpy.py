"""multilingual-e5-small in numpy: the engine that needs nothing else and is always there.

The twelve layers are expanded to float32 once (85 MB); of the 250,037 word vectors only the rows in use are expanded,
each time. Threads may share an engine, also in a child after ``fork``. The process wants ``OPENBLAS_NUM_THREADS=1`` (on
macOS ``VECLIB_MAXIMUM_THREADS=1``): with two threads within each product it was two to five times slower on busy cores.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from palimpsest.adapters.models.e5_weights import Weights, expand
from palimpsest.ports.embedder import Vector

_SCORES = 1 << 18  # attention scores held at once, so that they stay in the cache of one core
_GELU_ROWS = 64  # rows of the inner layer treated at once, for the same reason
_SMALLEST_SUM, _LARGEST_SUM = 1e-30, 1e30  # sums of unshifted exponentials outside of this are not trusted


class NumpyStates:
    """The engine over `weights`, which it keeps open."""

    name = "numpy"

    def __init__(self, weights: Weights) -> None:
        self._width, self._heads = weights.shape.width, weights.shape.heads
        self._inner = weights.shape.inner
        self._epsilon = weights.epsilon
        self._words = weights.blocks("emb.word", weights.shape.words)
        self._positions = weights.positions()
        self._norm = _Norm.read(weights, "emb.ln")
        self._layers = [_Layer.read(weights, f"l{i}.") for i in range(weights.shape.layers)]

    def __call__(self, windows: Sequence[Sequence[int]]) -> list[Vector]:
        """The last layer's state of each token, for each window of tokens: (tokens, width)."""
        lengths = np.array([len(window) for window in windows])
        ends = np.cumsum(lengths)
        x = expand(self._words[np.concatenate(windows)])
        x += self._positions[np.concatenate([np.arange(n) for n in lengths])]
        self._norm.apply(x, self._epsilon)
        self._run(x, [0, *ends.tolist()])
        return np.split(x, ends[:-1])

    def _run(self, x: Vector, bounds: list[int]) -> None:
        """All layers over `x`, in place; windows lie end to end between `bounds`, so nothing is padded."""
        qkv = np.empty((len(x), 3 * self._width), np.float32)
        inner = np.empty((len(x), self._inner), np.float32)
        longest = max(end - start for start, end in pairwise(bounds))
        scores = np.empty(max(_SCORES, longest**2), np.float32)
        context = np.empty_like(x)
        y = np.empty_like(x)
        with np.errstate(over="ignore", invalid="ignore"):  # `_weigh` looks at its sums, `E5` at the result
            for layer in self._layers:
                np.matmul(x, layer.qkv, out=qkv)
                qkv[:, : self._width] += layer.query_bias
                for start, end in pairwise(bounds):
                    attend(qkv[start:end], self._heads, scores, context[start:end])
                np.matmul(context, layer.attended, out=y)
                layer.attended_norm.add(x, y, layer.attended_bias, self._epsilon)
                np.matmul(x, layer.inner, out=inner)
                gelu(inner, layer.inner_bias)
                np.matmul(inner, layer.outer, out=y)
                layer.outer_norm.add(x, y, layer.outer_bias, self._epsilon)


def gelu(x: Vector, bias: Vector) -> None:
    """y * Phi(y) of y = x + bias, in place, within 3e-4: Phi by a logistic function of a cubic."""
    scratch = np.empty((min(len(x), _GELU_ROWS), x.shape[1]), np.float32)
    for at in range(0, len(x), _GELU_ROWS):
        rows = x[at : at + _GELU_ROWS]
        rows += bias
        t = np.multiply(rows, rows, out=scratch[: len(rows)])
        t *= np.float32(-0.0693333)
        t -= np.float32(1.6005)
        t *= rows
        np.exp(t, out=t)  # infinity is right: it makes the quotient zero
        t += np.float32(1)
        rows /= t


def attend(qkv: Vector, heads: int, scratch: Vector, out: Vector) -> None:
    """Attention within one window: `qkv` is (tokens, 3 * width) with scaled queries, `out` is (tokens, width)."""
    n, width = out.shape
    size = width // heads
    queries, keys, values = qkv.reshape(n, 3, heads, size).transpose(1, 2, 0, 3)
    keys = keys.transpose(0, 2, 1)
    with_one = np.ones((heads, n, size + 1), np.float32)  # the column of ones sums the weights in the same product
    with_one[:, :, :size] = values
    result = out.reshape(n, heads, size).transpose(1, 0, 2)
    step = min(heads, len(scratch) // (n * n))
    for at in range(0, heads, step):
        part = slice(at, min(at + step, heads))
        scores = scratch[: (part.stop - at) * n * n].reshape(-1, n, n)
        weighted = _weigh(queries[part], keys[part], with_one[part], scores)
        np.divide(weighted[:, :, :size], weighted[:, :, size:], out=result[part])


def _weigh(queries: Vector, keys: Vector, values: Vector, scores: Vector) -> Vector:
    """exp(queries @ keys) @ values; shifted by the maximum only where the plain sums would leave float32."""
    np.matmul(queries, keys, out=scores)
    np.exp(scores, out=scores)
    weighted: Vector = scores @ values
    sums = weighted[:, :, -1]
    if _SMALLEST_SUM < sums.min() <= sums.max() < _LARGEST_SUM:
        return weighted
    np.matmul(queries, keys, out=scores)
    scores -= scores.max(axis=2, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ values


class _Norm(NamedTuple):
    weight: Vector
    bias: Vector

    @classmethod
    def read(cls, weights: Weights, name: str) -> _Norm:
        return cls(weights.vector(name + ".w"), weights.vector(name + ".b"))

    def apply(self, x: Vector, epsilon: float) -> None:
        """Layer normalisation, in place."""
        x -= x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1])
        x *= (1 / np.sqrt(variance + np.float32(epsilon)))[:, None]
        x *= self.weight
        x += self.bias

    def add(self, x: Vector, y: Vector, bias: Vector, epsilon: float) -> None:
        """x + y + bias, normalised, in x; `y` is used up."""
        y += bias
        x += y
        self.apply(x, epsilon)


class _Layer(NamedTuple):
    """One layer, ready to multiply from the right."""

    qkv: Vector
    query_bias: Vector  # the bias of the keys cancels in softmax; that of the values is part of `attended_bias`
    attended: Vector
    attended_bias: Vector
    attended_norm: _Norm
    inner: Vector
    inner_bias: Vector
    outer: Vector
    outer_bias: Vector
    outer_norm: _Norm

    @classmethod
    def read(cls, weights: Weights, at: str) -> _Layer:
        bias = {name: weights.vector(f"{at}{name}.b") for name in ("q", "v", "ao", "fi", "fo")}
        rows = {**{name: len(values) for name, values in bias.items()}, "k": weights.shape.width}
        matrix = {name: expand(weights.blocks(f"{at}{name}.w", n)) for name, n in rows.items()}
        scale = np.float32((weights.shape.width // weights.shape.heads) ** -0.5)
        return cls(
            qkv=np.ascontiguousarray(np.concatenate([matrix["q"] * scale, matrix["k"], matrix["v"]]).T),
            query_bias=bias["q"] * scale,
            attended=np.ascontiguousarray(matrix["ao"].T),
            attended_bias=bias["ao"] + matrix["ao"] @ bias["v"],
            attended_norm=_Norm.read(weights, at + "aln"),
            inner=np.ascontiguousarray(matrix["fi"].T),
            inner_bias=bias["fi"],
            outer=np.ascontiguousarray(matrix["fo"].T),
            outer_bias=bias["fo"],
            outer_norm=_Norm.read(weights, at + "oln"),
        )
