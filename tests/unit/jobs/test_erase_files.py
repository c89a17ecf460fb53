"""On one machine nothing of an erased memory is left on the disk: neither in the files nor in the logs beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.usecases.drafts import Annotation, Draft, Revision
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_erase import erase

WORDS = ("peregrine", "marmalade", "chutney", "walrus", "peregrin", "marmalad", "chutney")
"""As they are written, and as the index keeps them."""


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[Installation]:
    table = SqliteTable(tmp_path / "table.db")
    yield install(tmp_path / "index", table=table, sqlite=table, wiper=table)
    table.close()


def held(folder: Path) -> dict[str, list[str]]:
    """The words that each file holds, in any case."""
    files = {path.name: path.read_bytes().lower() for path in folder.rglob("*") if path.is_file()}
    found = {name: [word for word in WORDS if word.encode() in data] for name, data in files.items()}
    return {name: words for name, words in found.items() if words}


@pytest.mark.parametrize("others", [0, 120])
def test_no_file_holds_a_word_of_an_erased_memory(on_disk: Installation, tmp_path: Path, others: int) -> None:
    service = on_disk.wired.service
    for number in range(others):
        on_disk.save(f"something else entirely, number {number}, about {number * 7} ships " * (number % 9 + 1))
    draft = Draft("The vault stands behind Peregrine marmalade", tags=("walrus",), metadata='{"walrus":"walrus"}')
    root = RootId(service.remember(OWNER, draft, Idempotency("k", b"peregrine")).memory.head.root)
    service.revise(OWNER, VersionRef(root), Revision("The vault stands behind peregrine chutney. " * 60))
    service.annotate(OWNER, VersionRef(root), Annotation(tags=("walrus", "marmalade")))
    on_disk.index()
    assert on_disk.recalled("peregrine chutney")
    for number in range(others):
        on_disk.save(f"and more, number {number}, about {number * 5} boats")
    vectors = service.remember.steps.beliefs.vectors_of([(root, 1)], service.remember.steps.beliefs.model)[root, 1]
    on_disk.index()
    assert set(held(tmp_path)) & {"table.db", "table.db-wal"}
    assert [name for name in held(tmp_path) if name.startswith("index-")]

    erase(on_disk, root)

    assert held(tmp_path) == {}
    packed = np.asarray(vectors, "<f2").tobytes()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and packed in path.read_bytes()] == []


def test_a_reader_that_holds_the_log_only_delays_the_receipt(on_disk: Installation, tmp_path: Path) -> None:
    root = RootId(on_disk.save("the vault stands behind peregrine marmalade"))
    on_disk.index()
    with on_disk.sqlite._database.reading() as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM items").fetchone()

        waiting = erase(on_disk, root)

        reader.execute("ROLLBACK")
    assert waiting.erasure.state == "pending"
    on_disk.clock.turn(waiting.erasure.resumes_at - on_disk.clock.now())

    done = erase(on_disk, root)

    assert done.erasure.state == "verified"
    assert held(tmp_path) == {}
