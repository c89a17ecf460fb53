"""From the 4-bit weights to the files of an 8-bit model that CTranslate2 opens.

Run as a program it takes the file of weights and the folder to fill, so that the memory it needs (330 MB for a moment)
is never part of a server's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ctranslate2.specs import common_spec, transformer_spec

from palimpsest.adapters.models.e5_weights import Blocks, Weights, expand, verify
from palimpsest.ports.embedder import Vector

Quantised = tuple[npt.NDArray[np.int8], Vector]

_ROWS = 4096  # of a matrix expanded at a time, which keeps the word vectors from being there in float32
_LARGEST = np.float32(127)


def convert(weights: Weights, folder: Path) -> None:
    """Write the model of `weights` into `folder`, which exists and is empty."""
    spec = transformer_spec.TransformerEncoderModelSpec(_encoder(weights))
    spec.config.layer_norm_epsilon = weights.epsilon
    spec.register_vocabulary([str(i) for i in range(weights.shape.words)])
    spec.validate()
    spec.register_vocabulary(["<unk>", "<s>", "</s>"])  # we pass ids; the words alone would take 37 MB and 0.3 s
    spec.save(str(folder))


def quantise(blocks: Blocks) -> Quantised:
    """Rows of 4-bit blocks as 8-bit integers, and by what each row is to be divided."""
    parts = [_quantise_rows(expand(blocks[at : at + _ROWS])) for at in range(0, len(blocks), _ROWS)]
    return np.concatenate([values for values, _ in parts]), np.concatenate([scales for _, scales in parts])


def _quantise_rows(rows: Vector) -> Quantised:
    largest = np.abs(rows).max(axis=1)
    largest[largest == 0] = _LARGEST
    scales = _LARGEST / largest
    rows *= scales[:, None]
    return np.rint(rows, out=rows).astype(np.int8), scales


def _encoder(weights: Weights) -> transformer_spec.TransformerEncoderSpec:
    encoder = transformer_spec.TransformerEncoderSpec(
        weights.shape.layers,
        weights.shape.heads,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
    )
    encoder.scale_embeddings = False
    words = encoder.embeddings[0]
    words.weight, words.weight_scale = quantise(weights.blocks("emb.word", weights.shape.words))
    encoder.position_encodings.encodings = weights.positions()
    _norm(encoder.layernorm_embedding, weights, "emb.ln")
    for i, layer in enumerate(encoder.layer):
        attention = layer.self_attention
        _linear(attention.linear[0], weights, f"l{i}.q", f"l{i}.k", f"l{i}.v")
        _linear(attention.linear[1], weights, f"l{i}.ao")
        _norm(attention.layer_norm, weights, f"l{i}.aln")
        _linear(layer.ffn.linear_0, weights, f"l{i}.fi")
        _linear(layer.ffn.linear_1, weights, f"l{i}.fo")
        _norm(layer.ffn.layer_norm, weights, f"l{i}.oln")
    return encoder


def _linear(linear: common_spec.LinearSpec, weights: Weights, *names: str) -> None:
    """Set one product to the named ones, their outputs side by side."""
    biases = [weights.vector(name + ".b") for name in names]
    parts = [quantise(weights.blocks(name + ".w", len(bias))) for name, bias in zip(names, biases, strict=True)]
    linear.weight = np.concatenate([values for values, _ in parts])
    linear.weight_scale = np.concatenate([scales for _, scales in parts])
    linear.bias = np.concatenate(biases)


def _norm(norm: common_spec.LayerNormSpec, weights: Weights, name: str) -> None:
    norm.gamma, norm.beta = weights.vector(name + ".w"), weights.vector(name + ".b")


def main(path: str, folder: str) -> None:
    """Convert the known weights at `path`; raises ValueError for any others."""
    verify(Path(path))
    convert(Weights(Path(path)), Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
