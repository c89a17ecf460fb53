"""Documents and chunks in the table: one for each path, moved by one at a time, read back as they were written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.arrival import Original
from palimpsest.domain.document import Chunk, Document, DocumentKind, Fragment
from palimpsest.domain.errors import ConditionFailed, CorruptItem
from palimpsest.domain.ids import ChunkId, DocumentId, KeyId, SpaceId
from palimpsest.domain.source import Source, Trust
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Query
from palimpsest.stores import document_codec, keys
from palimpsest.stores.chunks import Chunks, Place
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.documents import Documents
from tests.support.graph import link_store
from tests.support.installation import SeededIds, TurnedClock

AT = datetime(2026, 3, 1, tzinfo=UTC)
SPACE = SpaceId("s")
BY = KeyId("owner")
MODEL = Model("test", "1", 4)
ORIGINAL = Original("documents/a", "d1", "text/markdown", 12)


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with SqliteTable() as table:
        yield table


@pytest.fixture
def documents(table: SqliteTable) -> Documents:
    return Documents(table, Deployment(table, SeededIds(TurnedClock())))


@pytest.fixture
def chunks(table: SqliteTable) -> Chunks:
    ids = SeededIds(TurnedClock())
    return Chunks(table, ids, link_store(table, ids))


def document(number: int = 1, path: str = "ops/runbook.md") -> Document:
    begun = Document(
        DocumentId(f"doc_{number}"), SPACE, path, "Runbook", DocumentKind.FILE, AT, AT, BY, Source(trust=Trust.A2)
    )
    return begun.sent(ORIGINAL, "Runbook", Source(trust=Trust.A2), AT + timedelta(minutes=number), BY)


def chunk(number: int, **changes: object) -> Chunk:
    made = Chunk(ChunkId(f"chk_{number}"), DocumentId("doc_1"), SPACE, f"text {number}", ("A", "B"), f"h{number}", AT)
    return replace(made, **{"positions": {1: number}} | changes)  # type: ignore[arg-type]


def test_a_document_is_read_as_it_was_written_by_id_and_by_path(documents: Documents) -> None:
    first = document()
    assert documents.begin(first)

    assert documents.find([first.id]) == {first.id: first}
    assert documents.at(SPACE, "ops/runbook.md") == first
    assert documents.at(SPACE, "ops/other.md") is None
    assert documents.at(SpaceId("other"), "ops/runbook.md") is None

    full = replace(
        first.shown(3, AT).sent(ORIGINAL, "New", Source(trust=Trust.A1), AT, BY).failed("encrypted", AT), stale=(1, 2)
    )
    assert documents.move(first, full)
    assert documents.find([first.id]) == {first.id: full}


def test_a_path_has_one_document(documents: Documents) -> None:
    assert documents.begin(document(1))
    assert not documents.begin(document(2))
    assert documents.find([DocumentId("doc_2")]) == {}


def test_of_two_who_move_a_document_one_does(documents: Documents) -> None:
    first = document()
    documents.begin(first)

    assert documents.move(first, first.shown(1, AT))
    assert not documents.move(first, first.failed("damaged", AT))
    assert documents.find([first.id])[first.id].edition == 1


def test_a_path_is_in_no_key(documents: Documents, table: SqliteTable) -> None:
    documents.begin(document())

    stored = [item.get(name, "") for item in table.scan().items for name in ("pk", "sk", "g1pk", "g1sk", "g2sk")]
    assert not any("runbook" in str(value) for value in stored)


def test_documents_are_listed_the_last_changed_first_and_the_forgotten_are_not(documents: Documents) -> None:
    all_of_them = [document(number, f"{number}.md") for number in range(1, 4)]
    for each in all_of_them:
        documents.begin(each)
    documents.move(all_of_them[1], all_of_them[1].forgotten(AT + timedelta(days=1), AT))

    walked = list(documents.walk(SPACE))

    assert [found.id for _, found in walked] == ["doc_3", "doc_1"]
    assert [found.id for _, found in documents.walk(SPACE, walked[0][0])] == ["doc_1"]


def test_what_has_work_is_found_and_what_has_none_is_not(documents: Documents) -> None:
    first, second = document(1, "1.md"), document(2, "2.md")
    for each in (second, first):
        documents.begin(each)

    assert documents.arrived(5) == ["doc_1", "doc_2"]
    assert documents.arrived(1) == ["doc_1"]
    documents.move(first, first.shown(1, AT))
    assert documents.arrived(5) == ["doc_2"]


def test_an_erased_document_leaves_its_path_free_and_nothing_but_its_id_and_numbers(
    documents: Documents, table: SqliteTable
) -> None:
    first = document()
    documents.begin(first)

    with pytest.raises(ConditionFailed):
        documents.erase(first.shown(1, AT), first.shown(1, AT).erased(AT), ())
    documents.erase(first, first.erased(AT), ())

    assert "unbook" not in repr(table.scan().items)
    erased = documents.find([first.id])[first.id]
    assert (erased.erased_at, erased.is_shown, erased.has_work, list(documents.walk(SPACE))) == (AT, False, False, [])
    assert documents.begin(document(2))


def test_a_forgotten_document_is_found_by_when_its_window_ends(documents: Documents) -> None:
    first = document().shown(1, AT)
    documents.begin(first)
    forgotten = first.forgotten(AT + timedelta(days=30), AT)
    documents.move(first, forgotten)

    assert documents.ended(AT + timedelta(days=29), 5) == []
    assert documents.ended(AT + timedelta(days=30), 5) == [first.id]
    documents.move(forgotten, forgotten.restored(AT))
    assert documents.ended(AT + timedelta(days=30), 5) == []


def test_chunks_are_read_as_they_were_written_with_their_vectors(chunks: Chunks) -> None:
    vectors = np.eye(2, 4, dtype=np.float32)
    turn = Fragment(3, "user", "Ola", AT, "Ola: ", (10, 20), (11, 24))
    some = [chunk(0), chunk(1, page=2), chunk(2, fragment=turn, breadcrumb=())]
    chunks.add([(some[0], vectors), (some[1], vectors[:1]), (some[2], vectors[:0])], MODEL)

    assert chunks.find(each.id for each in some) == {each.id: each for each in some}
    found = chunks.vectors([each.id for each in some], MODEL)
    assert {key: value.tolist() for key, value in found.items()} == {
        "chk_0": vectors.tolist(),
        "chk_1": vectors[:1].tolist(),
    }
    assert chunks.vectors([some[0].id], Model("other", "1", 4)) == {}


def test_where_a_chunk_stands_can_change_but_not_of_one_that_is_gone(chunks: Chunks) -> None:
    chunks.add([(chunk(0), np.zeros((0, 4), np.float32))], MODEL)

    chunks.keep([chunk(0, positions={1: 0, 2: 5})])
    assert chunks.find([ChunkId("chk_0")])[ChunkId("chk_0")].positions == {1: 0, 2: 5}
    with pytest.raises(ConditionFailed):
        chunks.keep([chunk(7)])


def test_who_plans_a_part_first_names_its_chunks(chunks: Chunks) -> None:
    first, second = [Place(ChunkId("chk_1"), "h1")], [Place(ChunkId("chk_2"), "h1")]

    assert chunks.plan(DocumentId("doc_1"), 1, 0, first) == first
    assert chunks.plan(DocumentId("doc_1"), 1, 0, second) == first
    assert chunks.part(DocumentId("doc_1"), 1, 0) == first
    assert chunks.part(DocumentId("doc_1"), 1, 1) == []


def test_a_manifest_is_read_in_order_and_of_its_edition_alone(chunks: Chunks) -> None:
    made = document()
    for edition in (1, 11):
        for part in range(30):
            chunks.plan(made.id, edition, part, [Place(ChunkId(f"chk_{edition}_{part}"), "h")])

    assert [part[0].chunk for part in chunks.manifest(made.id, 1)] == [f"chk_1_{part}" for part in range(30)]
    chunks.forget_part(made.id, 1, 0)
    assert [number for (_, number), _ in chunks.parts(made.id, (1, 0), 1)] == list(range(1, 30))
    assert len(list(chunks.manifest(made.id, 11))) == 30


def test_a_removed_chunk_takes_all_with_it(chunks: Chunks, table: SqliteTable) -> None:
    chunks.add([(chunk(0), np.ones((1, 4), np.float32))], MODEL)

    chunks.remove([ChunkId("chk_0")])

    assert table.scan().items == ()


def test_the_log_tells_a_hundred_a_row(chunks: Chunks, table: SqliteTable) -> None:
    ids = [ChunkId(f"chk_{number}") for number in range(250)]

    chunks.log(SPACE, ids, AT)

    rows = table.query(Query(keys.chunk_log(SPACE).pk)).items
    assert [len(row["chunks"]) for row in rows] == [100, 100, 50]  # type: ignore[arg-type]
    assert [each for row in rows for each in row["chunks"]] == ids  # type: ignore[union-attr]


@pytest.mark.parametrize("positions", ["1", "1:2:3", "a:1"])
def test_positions_that_are_none_are_refused(positions: str) -> None:
    with pytest.raises(CorruptItem):
        document_codec.read_chunk({**document_codec.chunk_item(chunk(0)), "positions": positions})
