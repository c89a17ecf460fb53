"""The features of an entry, packed for the index to keep and unpacked for scores of our own.

A term is a number that a space and the term make, so that no posting list and no word is shared between spaces.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from palimpsest.domain.ids import SpaceId
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Entry

Integers = npt.NDArray[np.int64]

_HEADER: Final = np.dtype([("form", "u1"), ("passages", "<u2"), ("length", "<u4"), ("terms", "<u4")])
_TERM: Final = np.dtype([("number", "<u8"), ("count", "<u2")])
_FORM: Final = 1
_MOST: Final = 65_535
_DIGEST_BYTES: Final = 8
_TINY: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Features:
    """What an entry is scored by; `vectors` end to end as float16."""

    passages: int
    length: int
    terms: npt.NDArray[np.void]
    vectors: bytes


def term_number(space: SpaceId, term: str) -> bytes:
    """The term in that space, in eight bytes."""
    return hashlib.blake2b(f"{space}\0{term}".encode(), digest_size=_DIGEST_BYTES).digest()


def token(number: bytes) -> str:
    """A term's number as one word of letters, digits, - and _."""
    return base64.urlsafe_b64encode(number).decode().rstrip("=")


def packed(entry: Entry, counts: Counter[bytes]) -> str:
    """The features of an entry with these counts of its terms."""
    terms = np.empty(len(counts), _TERM)
    terms["number"] = np.frombuffer(b"".join(counts), "<u8") if counts else []
    terms["count"] = np.minimum(list(counts.values()), _MOST)
    terms.sort(order="number")
    header = np.array([(_FORM, len(entry.vectors), entry.length, len(terms))], _HEADER)
    return base64.b64encode(header.tobytes() + terms.tobytes() + np.asarray(entry.vectors, "<f2").tobytes()).decode()


def unpacked(text: str) -> Features | None:
    """What `packed` gave; None for another release's form, or none at all."""
    data = base64.b64decode(text)
    if len(data) < _HEADER.itemsize or data[0] != _FORM:
        return None
    header = np.frombuffer(data, _HEADER, 1)[0]
    terms = np.frombuffer(data, _TERM, int(header["terms"]), _HEADER.itemsize)
    vectors = data[_HEADER.itemsize + terms.nbytes :]
    return Features(int(header["passages"]), int(header["length"]), terms, vectors)


def counts(features: Sequence[Features], numbers: Sequence[bytes]) -> Integers:
    """How often each of the terms occurs, shape (entries, terms)."""
    found = np.zeros((len(features), len(numbers)), np.int64)
    if not features or not numbers:
        return found
    asked = np.frombuffer(b"".join(numbers), "<u8")
    order = np.argsort(asked)
    held = np.concatenate([each.terms for each in features])
    owners = np.repeat(np.arange(len(features)), [len(each.terms) for each in features])
    at = np.minimum(np.searchsorted(asked[order], held["number"]), len(asked) - 1)
    hits = asked[order][at] == held["number"]
    found[owners[hits], order[at[hits]]] = held["count"][hits]
    return found


def similarities(features: Sequence[Features], query: Vector | None) -> list[float | None]:
    """The cosine of each entry's best passage with the query; None without either."""
    blobs = [each.vectors for each in features if each.vectors]
    if query is None or not blobs:
        return [None] * len(features)
    vectors = np.frombuffer(b"".join(blobs), "<f2").reshape(-1, len(query)).astype(np.float32)
    # Sums along a row, not a matrix product: the result must not depend on which other rows stand beside it.
    dots = (vectors * query).sum(axis=1)
    cosines = dots / np.maximum(np.sqrt((vectors * vectors).sum(axis=1)) * np.linalg.norm(query), _TINY)
    ends = np.cumsum([len(blob) // (2 * len(query)) for blob in blobs])
    best = iter(np.clip(np.maximum.reduceat(cosines, np.append(0, ends[:-1])), -1.0, 1.0).tolist())
    return [next(best) if each.vectors else None for each in features]
