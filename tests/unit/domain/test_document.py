"""A document and its editions: shown when whole, failed beside the one before, forgotten and restored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.domain.arrival import Original
from palimpsest.domain.document import Chunk, Document, DocumentKind, DocumentState
from palimpsest.domain.errors import WrongState
from palimpsest.domain.ids import ChunkId, DocumentId, KeyId, SpaceId
from palimpsest.domain.source import Source, Trust

AT = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
BY = KeyId("owner")


def original(digest: str = "a") -> Original:
    return Original(f"blobs/{digest}", digest, "text/markdown", 10)


def document() -> Document:
    return Document(
        DocumentId("doc_1"), SpaceId("s"), "a.md", "A", DocumentKind.FILE, AT, AT, BY, Source(trust=Trust.A2)
    ).sent(original(), "A", Source(trust=Trust.A2), AT, BY)  # fmt: skip


def test_what_was_sent_is_queued_then_read_then_shown() -> None:
    sent = document()
    reading = sent.read_to(100, AT + DAY)
    shown = reading.shown(100, AT + DAY)

    assert [each.state for each in (sent, reading, shown)] == ["queued", "reading", "ready"]
    assert [each.is_shown for each in (sent, reading, shown)] == [False, False, True]
    assert (shown.edition, shown.chunk_count, shown.original) == (1, 100, original())
    assert not shown.has_work


def test_the_edition_before_is_shown_until_the_next_is_whole_and_then_to_be_cleared_away() -> None:
    first = document().shown(3, AT)
    second = first.sent(original("b"), "B", Source(trust=Trust.A1), AT + DAY, BY)

    assert (second.edition, second.is_shown, second.stale) == (1, True, ())
    assert second.wanted == {1, 2}

    shown = second.shown(4, AT + DAY)
    assert (shown.edition, shown.stale, shown.wanted) == (2, (1,), frozenset({2}))
    assert shown.has_work
    assert not shown.cleared(1, AT + DAY).has_work


def test_what_is_overtaken_on_its_way_is_cleared_away() -> None:
    overtaken = document().read_to(5, AT).sent(original("b"), "B", Source(trust=Trust.A2), AT, BY)

    assert overtaken.arrived.edition == 2
    assert (overtaken.arrived.sections, overtaken.stale, overtaken.wanted) == (0, (1,), frozenset({0, 2}))


def test_what_cant_be_read_leaves_the_edition_before_and_may_be_sent_again() -> None:
    failed = document().shown(3, AT).sent(original("b"), "B", Source(trust=Trust.A2), AT, BY).failed("encrypted", AT)

    assert (failed.state, failed.edition, failed.is_shown, failed.stale) == (DocumentState.FAILED, 1, True, (2,))
    assert failed.wanted == {1}
    assert failed.has(original("a"))
    assert not failed.has(original("b"))
    assert failed.sent(original("b"), "B", Source(trust=Trust.A2), AT, BY).stale == (2,)


def test_a_forgotten_document_is_shown_nowhere_and_can_be_restored_in_time() -> None:
    forgotten = document().shown(3, AT).forgotten(AT + DAY, AT)

    assert (forgotten.state, forgotten.is_shown) == (DocumentState.FORGOTTEN, False)
    assert not forgotten.has(original())
    with pytest.raises(WrongState, match="forgotten already"):
        forgotten.forgotten(AT + DAY, AT)
    with pytest.raises(WrongState, match="is over"):
        forgotten.restored(AT + DAY)

    restored = forgotten.restored(AT)
    assert (restored.state, restored.is_shown) == (DocumentState.READY, True)
    with pytest.raises(WrongState, match="is not forgotten"):
        restored.restored(AT)


def test_a_forgotten_document_that_is_sent_again_is_there_again() -> None:
    again = document().shown(3, AT).forgotten(AT + DAY, AT).sent(original("b"), "B", Source(trust=Trust.A2), AT, BY)

    assert again.is_shown
    assert again.is_arriving


def test_a_chunk_stands_where_the_shown_edition_has_it() -> None:
    shown = document().shown(3, AT)
    chunk = Chunk(ChunkId("chk_1"), shown.id, shown.space, "text", ("A", "B"), "d", AT, {1: 7, 2: 9})

    assert chunk.position_in(shown) == 7
    assert chunk.position_in(shown.sent(original("b"), "B", Source(trust=Trust.A2), AT, BY).shown(9, AT)) == 9
    assert chunk.position_in(shown.forgotten(AT + DAY, AT)) is None
    assert Chunk(chunk.id, shown.id, shown.space, "t", (), "d", AT, {3: 1}).position_in(shown) is None
    assert chunk.searched == "A > B\n\ntext"
