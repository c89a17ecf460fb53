"""What waits for its vectors gets them, whatever becomes of the texts beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.embedder import Vector
from palimpsest.ports.table import Set, Update
from palimpsest.stores import keys
from palimpsest.usecases.drafts import Revision
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install

TOO_LONG = "word " * 2_000
"""Past what a save embeds at once."""


class Choosy:
    """The hashing embedder, but it fails at texts with a word that it refuses, and gives some too many vectors."""

    def __init__(self) -> None:
        self._inner = HashingEmbedder()
        self.model, self.window, self.tokens = self._inner.model, self._inner.window, self._inner.tokens
        self.refused = "poison"
        self.calls = 0

    def query(self, text: str) -> Vector:
        return self._inner.query(text)

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if any(self.refused in text for text in texts):
            raise EmbedderUnavailable("embedder_refused", "not this one")
        return [self._of(text) for text in texts]

    def _of(self, text: str) -> Vector:
        (vectors,) = self._inner.passages([text])
        return np.repeat(vectors, 600, axis=0) if "crowd" in text else vectors


@pytest.fixture
def embedder() -> Choosy:
    return Choosy()


@pytest.fixture
def memory(tmp_path: Path, embedder: Choosy) -> Iterator[Installation]:
    memory = install(tmp_path, embedder=embedder)
    yield memory
    memory.sqlite.close()


def save_waiting(memory: Installation, *texts: str) -> list[RootId]:
    return [RootId(memory.save(f"{text} {TOO_LONG}")) for text in texts]


def is_embedded(memory: Installation, root: RootId) -> bool:
    return memory.wired.service.read(OWNER, VersionRef(root)).head.embedded == 1


@pytest.mark.parametrize("word", ["poison", "crowd"])
def test_a_text_that_cant_be_embedded_keeps_no_other_waiting(memory: Installation, word: str) -> None:
    bad, *good = save_waiting(memory, word, "a longer one", "the longest of them all")

    assert memory.wired.embed_pending() == 2

    assert all(is_embedded(memory, root) for root in good)
    assert memory.wired.embed_pending.waiting(10) == [bad]


def test_what_fails_alone_waits_behind_the_others(memory: Installation) -> None:
    save_waiting(memory, *(f"poison {n}" for n in range(6)))
    (good,) = save_waiting(memory, "good")

    done = [memory.wired.embed_pending(limit=3) for _ in range(3)]

    assert done == [0, 0, 1]
    assert is_embedded(memory, good)


def test_an_embedder_that_is_down_is_left_alone_after_a_few_texts(memory: Installation, embedder: Choosy) -> None:
    embedder.refused = ""
    for n in range(30):
        memory.save(f"note {n}")
    embedder.calls = 0

    assert memory.wired.embed_pending() == 0
    assert embedder.calls == 4

    embedder.refused = "poison"
    assert memory.wired.embed_pending() == 30


def test_a_text_that_waits_again_and_again_is_no_step_of_its_belief(memory: Installation) -> None:
    (bad,) = save_waiting(memory, "poison")
    before = memory.wired.service.read(OWNER, VersionRef(bad)).head
    memory.doorbells()

    assert [memory.wired.embed_pending() for _ in range(3)] == [0, 0, 0]

    assert memory.wired.service.read(OWNER, VersionRef(bad)).head == before
    assert not [key for key in memory.doorbells() if keys.is_log(key)]


def test_a_belief_that_moved_is_not_put_off(memory: Installation) -> None:
    (bad,) = save_waiting(memory, "poison")
    (waited,) = memory.wired.embed_pending.pending.listed(10)
    memory.wired.service.revise(OWNER, VersionRef(bad), Revision("short and good"))

    memory.wired.embed_pending.pending.put_off(waited, memory.clock.now())

    assert memory.wired.embed_pending.waiting(10) == []


def test_a_belief_that_no_codec_can_read_keeps_no_other_waiting(memory: Installation) -> None:
    bad, good = save_waiting(memory, "torn", "good")
    memory.table.write(Update(keys.version(bad, 1), (Set("content", 7),)))

    assert memory.wired.embed_pending(limit=1) == 0
    assert memory.wired.embed_pending(limit=1) == 1
    assert is_embedded(memory, good)


def test_a_long_text_of_short_paragraphs_is_embedded_indexed_and_recalled(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=HashingEmbedder(window=200))
    paragraphs = [f"Note {n} says that the {n}th crate of apples stands in row {n % 7}." for n in range(1_500)]
    paragraphs[777] = "The zebra finch sleeps in the greenhouse at night, far from every door."
    text = "\n\n".join(paragraphs)
    assert 90_000 < len(text) < 102_400
    root = RootId(memory.save(text))

    assert memory.wired.embed_pending() == 1

    beliefs = memory.wired.embed_pending.beliefs
    assert 250 < len(beliefs.read(root).vectors) <= beliefs.model.most_passages == 320
    memory.index()
    memory.clock.turn(timedelta(minutes=1))
    for n in range(20):
        memory.save(f"The crate {n} of pears")
    memory.index()
    assert memory.recalled("Where does the zebra finch sleep?")[0] == text
    assert memory.recalled("finches asleep in greenhouses")[0] == text
    memory.sqlite.close()
