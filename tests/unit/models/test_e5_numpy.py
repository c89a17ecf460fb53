"""The numpy engine's formulas against plain ones."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest

from palimpsest.adapters.models.e5_numpy import attend, gelu
from palimpsest.adapters.models.e5_weights import expand
from palimpsest.ports.embedder import Vector


def plain_attention(qkv: Vector, heads: int) -> Vector:
    queries, keys, values = np.split(qkv.astype(np.float64), 3, axis=1)
    size = queries.shape[1] // heads
    out = []
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = queries[:, part] @ keys[:, part].T
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        out.append(weights / weights.sum(axis=1, keepdims=True) @ values[:, part])
    return np.concatenate(out, axis=1).astype(np.float32)


@pytest.mark.parametrize("spread", [1.0, 40.0], ids=["usual", "beyond float32 without a shift"])
@pytest.mark.parametrize("scratch", [1_000, 100], ids=["all heads at once", "one by one"])
def test_attention_is_the_softmax_of_the_products(spread: float, scratch: int) -> None:
    qkv = np.random.default_rng(0).standard_normal((9, 3 * 8)).astype(np.float32) * np.float32(spread)
    out = np.empty((9, 8), np.float32)

    with np.errstate(over="ignore", invalid="ignore"):
        attend(qkv, 2, np.empty(scratch, np.float32), out)

    assert np.allclose(out, plain_attention(qkv, 2), atol=1e-3 * spread, rtol=1e-3)


def test_gelu_is_within_three_ten_thousandths() -> None:
    x = np.linspace(-9, 9, 3_600, dtype=np.float32).reshape(90, 40)
    exact = [v / 2 * (1 + erf(v / 2**0.5)) for v in x.ravel().tolist()]

    gelu(x, np.zeros(40, np.float32))

    assert np.abs(x.ravel() - exact).max() < 3e-4


def test_a_block_of_four_bit_weights_is_a_scale_and_32_halves_of_bytes() -> None:
    block = np.frombuffer(np.float16(0.5).tobytes() + bytes(range(16)), np.uint8)

    values = expand(block.reshape(1, -1))

    low, high = [(i - 8) * 0.5 for i in range(16)], [-4.0] * 16
    assert values.tolist() == [low + high]
