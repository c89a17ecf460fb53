"""The largest and worst that a request may bring fits the table's items."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from palimpsest.domain import instants
from palimpsest.domain.ids import RootId, SpaceId, VersionRef, ulid
from palimpsest.domain.text import CONTENT_BYTES, METADATA_BYTES, NAME_CHARACTERS, TAG_CHARACTERS, TAGS
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Put
from palimpsest.stores import changes
from palimpsest.stores.changes import Features
from palimpsest.stores.keys import LogPartition
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, START, Installation, install

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
PARTITION = LogPartition(SpaceId("s"), 0)
ROOT = RootId("mem_01J0000000000000000000000A")


def filled(draw: Callable[[random.Random], str], seed: int = 0) -> str:
    """As many words as content may hold, to the byte."""
    source = random.Random(seed)
    text = ""
    words = []
    left = CONTENT_BYTES
    while left > 0:
        word = draw(source) + " "
        words.append(word)
        left -= len(word.encode())
    text = "".join(words).encode()[:CONTENT_BYTES].decode("utf-8", "ignore").rstrip()
    return text + "x" * (CONTENT_BYTES - len(text.encode()))


WORST: dict[str, Callable[[random.Random], str]] = {
    "distinct words": lambda r: "".join(r.choices(LETTERS[:26], k=8)),
    "names of several parts": lambda r: ".".join("".join(r.choices(LETTERS, k=3)) for _ in range(16)),
    "names of ideographs": lambda r: f"{chr(r.randrange(0x4E00, 0x9FFF))}.{chr(r.randrange(0x4E00, 0x9FFF))}",
    "characters of four bytes": lambda r: chr(r.randrange(0x20000, 0x2A6D0)),
    "one word a paragraph": lambda r: "".join(r.choices(LETTERS, k=40)) + "\n\n",
}

TRIED_FIRST = ("names of several parts", "characters of four bytes")
"""The most terms, and the most bytes a character."""
SLOW = pytest.mark.slow  # 6 seconds each, for what lies between those


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path, embedder=HashingEmbedder(window=200))
    yield memory
    memory.sqlite.close()


@pytest.mark.parametrize(
    "draw", [pytest.param(draw, id=name, marks=() if name in TRIED_FIRST else SLOW) for name, draw in WORST.items()]
)
def test_the_largest_draft_of_the_worst_words_is_saved_embedded_and_found(
    memory: Installation, draw: Callable[[random.Random], str]
) -> None:
    content = filled(draw)
    assert len(content.encode()) == CONTENT_BYTES
    name = "\U00020000" * NAME_CHARACTERS
    tags = tuple("\U00020000" * (TAG_CHARACTERS - 1) + chr(0x20001 + n) for n in range(TAGS))
    metadata = '{"a":"' + "x" * (METADATA_BYTES - 8) + '"}'
    draft = Draft(
        content,
        canonical=filled(draw, seed=1),
        tags=tags,
        metadata=metadata,
        source=SourceClaim(name, name, name),
        attributed_to=name,
        asserted_at=START,
        valid_from=START,
        valid_until=START + timedelta(days=1),
        event_date=START,
        expires_at=START + timedelta(days=9),
    )

    root = memory.wired.service.remember(OWNER, draft).memory.head.root
    assert memory.wired.embed_pending() == 1
    content = filled(draw, seed=2)
    revision = Revision(content, canonical=draft.canonical, source=draft.source)
    memory.wired.service.revise(OWNER, VersionRef(root), revision)
    assert memory.wired.embed_pending() == 1
    memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=tags[::-1]))
    memory.wired.service.forget(OWNER, VersionRef(root))
    memory.wired.service.restore(OWNER, VersionRef(root))
    memory.index()

    shown = memory.wired.service.read(OWNER, VersionRef(root))
    assert (shown.head.embedded, shown.head.annotations.tags) == (2, tags[::-1])
    assert memory.recalled(content.split()[1]) == [content]


@pytest.mark.parametrize("count", [0, 320])
def test_no_row_of_the_log_passes_an_item_whatever_the_terms(count: int) -> None:
    terms = tuple(f"{n:x}{random.Random(n).getrandbits(256):x}"[:64] for n in range(40_000))
    row = put(Features(terms, 40_000, np.ones((count, 384), np.float32)))

    read = changes.read_row(row.item).features

    assert size(row) < 310_000
    assert read is not None
    assert len(read.terms) > 4_000
    assert read.terms == terms[: len(read.terms)]
    assert (read.length, len(read.vectors)) == (40_000, 0)


def test_vectors_go_with_the_terms_as_long_as_both_fit() -> None:
    few = tuple(map("".join, itertools.product(LETTERS, repeat=2)))
    many = tuple(f"{random.Random(n).getrandbits(32):x}" for n in range(20_000))
    vectors = np.ones((320, 384), np.float32)

    rows = [put(Features(terms, 1, vectors)) for terms in (few, many)]

    read = [changes.read_row(row.item).features for row in rows]
    assert [each and len(each.vectors) for each in read] == [320, 0]
    assert [each and each.terms for each in read] == [few, many]


@pytest.mark.parametrize("dimensions", [1, 384, 1_024, 1_536, 4_096])
def test_as_many_vectors_as_a_text_may_have_fit_an_item(dimensions: int) -> None:
    assert 2 * dimensions * Model("m", "1", dimensions).most_passages <= 250_000


def put(features: Features) -> Put:
    place = ulid(instants.epoch_seconds(START) * 1_000, bytes(10))
    return changes.row(PARTITION, place, ROOT, 1, 1, START, features)


def size(row: Put) -> int:
    return sum(len(name) + len(value if isinstance(value, bytes) else str(value)) for name, value in row.item.items())
