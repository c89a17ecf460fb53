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

from palimpsest.domain import matching
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Integers, Passages
from palimpsest.domain.talk import Cue, Place, Said
from palimpsest.ports.search_index import Entry

_HEADER: Final = np.dtype(
    [
        *(("form", "u1"), ("passages", "<u2"), ("length", "<u4"), ("terms", "<u4")),
        *(("talk", "<i8"), ("turn", "<i8"), ("cues", "<u2"), ("speaker", "<u2")),
    ]
)
_TERM: Final = np.dtype([("number", "<u8"), ("count", "<u2")])
_FORM: Final = 2
_MOST: Final = 65_535
_DIGEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Features:
    """What an entry is scored by; `vectors` end to end as float16."""

    passages: int
    length: int
    terms: npt.NDArray[np.void]
    vectors: bytes
    said: Said


def term_number(space: SpaceId, term: str) -> bytes:
    """The term in that space, in eight bytes."""
    return hashlib.blake2b(f"{space}\0{term}".encode(), digest_size=_DIGEST_BYTES).digest()


def label_number(space: SpaceId, label: bytes) -> bytes:
    """The label in that space, in eight bytes."""
    return hashlib.blake2b(space.encode() + b"\0" + label, digest_size=_DIGEST_BYTES).digest()


def token(number: bytes) -> str:
    """A term's or a label's number as one word of letters, digits, - and _."""
    return base64.urlsafe_b64encode(number).decode().rstrip("=")


def packed(entry: Entry, counts: Counter[bytes]) -> str:
    """The features of an entry with these counts of its terms."""
    terms = np.empty(len(counts), _TERM)
    terms["number"] = np.frombuffer(b"".join(counts), "<u8") if counts else []
    terms["count"] = np.minimum(list(counts.values()), _MOST)
    terms.sort(order="number")
    said, speaker = entry.said, entry.said.speaker.encode()
    told = *(said.place or Place(0, 0)), int(said.cues), len(speaker)
    header = np.array([(_FORM, len(entry.vectors), entry.length, len(terms), *told)], _HEADER)
    vectors = np.asarray(entry.vectors, "<f2").tobytes()
    return base64.b64encode(header.tobytes() + terms.tobytes() + speaker + vectors).decode()


def unpacked(text: str) -> Features | None:
    """What `packed` gave; None for another release's form, or none at all."""
    data = base64.b64decode(text)
    if len(data) < _HEADER.itemsize or data[0] != _FORM:
        return None
    header = np.frombuffer(data, _HEADER, 1)[0]
    terms = np.frombuffer(data, _TERM, int(header["terms"]), _HEADER.itemsize)
    begin = _HEADER.itemsize + terms.nbytes
    end = begin + int(header["speaker"])
    place = Place(int(header["talk"]), int(header["turn"])) if header["talk"] else None
    said = Said(place, data[begin:end].decode(), Cue(int(header["cues"])))
    return Features(int(header["passages"]), int(header["length"]), terms, data[end:], said)


def counts(features: Sequence[Features], numbers: Sequence[bytes]) -> Integers:
    """How often each of the terms occurs, shape (entries, terms)."""
    if not features or not numbers:
        return np.zeros((len(features), len(numbers)), np.int64)
    held = np.concatenate([each.terms for each in features])
    asked, sizes = np.frombuffer(b"".join(numbers), "<u8"), [len(each.terms) for each in features]
    return matching.occurrences(asked, held["number"], held["count"], sizes)


def passages(features: Sequence[Features], dimensions: int) -> Passages:
    """The entries' passages, ready to be compared."""
    return Passages.of([each.vectors for each in features], dimensions)
