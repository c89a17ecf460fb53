"""A conversation is one document: its turns are found as they were said, with where they stand, and grow in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palimpsest.domain.document import Chunk
from palimpsest.domain.errors import Invalid
from palimpsest.domain.library.fragments import Turn, converse
from palimpsest.domain.library.transcript import read, written
from palimpsest.ports.work_queue import Job, Work
from palimpsest.usecases.add_conversation import TURNS, Talk
from palimpsest.usecases.add_document import Added, DocumentAdded
from palimpsest.usecases.answers import ContextHit, RecallQuery
from tests.support.installation import OWNER, Installation, install

HELD = datetime(2025, 5, 2, tzinfo=UTC)
TURNS_OF_A_CHAT = [
    Turn("user", "I adopted a greyhound called Pixel yesterday. 🐕", "Jan"),
    Turn("assistant", "Congratulations! How old is Pixel?", "bot"),
    Turn("user", "   "),
    Turn("user", "Three years. She hates thunderstorms.", "Jan", datetime(2025, 5, 3, tzinfo=UTC)),
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def send(memory: Installation, turns: list[Turn], **told: str) -> DocumentAdded:
    talk = replace(Talk(turns, external_id="c1", held_at=HELD), **told)  # type: ignore[arg-type]
    added = memory.wired.service.add_conversation(OWNER, talk)
    memory.wired.worker(Work(Job.INGEST, added.document.id), lambda: 1_000)
    memory.index()
    return added


def chunks(memory: Installation, added: DocumentAdded) -> list[Chunk]:
    listed = memory.wired.service.library.chunks_of(OWNER, added.document.id, limit=200)
    return [shown.chunk for shown in listed.chunks]


def test_each_turn_that_says_something_is_a_fragment_with_its_place_and_date(memory: Installation) -> None:
    added = send(memory, TURNS_OF_A_CHAT, title="chat")

    found = chunks(memory, added)
    told = [each.fragment for each in found if each.fragment is not None]
    assert [each.text for each in found] == [turn.text for turn in TURNS_OF_A_CHAT if turn.text.strip()]
    assert [(each.index, each.role, each.speaker) for each in told] == [
        (0, "user", "Jan"),
        (1, "assistant", "bot"),
        (3, "user", "Jan"),
    ]
    assert [each.at for each in told] == [HELD, HELD, datetime(2025, 5, 3, tzinfo=UTC)]


def test_the_ranges_of_fragments_are_those_of_the_whole_text(memory: Installation) -> None:
    added = send(memory, TURNS_OF_A_CHAT)
    embedder = memory.wired.service.recall.understand.embedder
    kept = read(b"".join(memory.wired.service.library.original(OWNER, added.document.id)[1]))
    whole = converse(kept, lambda text: embedder.tokens([text])[0], embedder.window).text

    for chunk in chunks(memory, added):
        assert chunk.fragment is not None
        assert whole[slice(*chunk.fragment.characters)] == chunk.text
        assert whole.encode()[slice(*chunk.fragment.octets)].decode() == chunk.text


def test_a_turn_is_recalled_as_context(memory: Installation) -> None:
    send(memory, TURNS_OF_A_CHAT)

    hit = memory.wired.service.recall(OWNER, RecallQuery("what does Pixel hate, thunderstorms?")).hits[0]

    assert isinstance(hit, ContextHit)
    assert "thunderstorms" in hit.chunk.text


def test_sent_again_with_more_turns_only_those_are_added(memory: Installation) -> None:
    before = chunks(memory, send(memory, TURNS_OF_A_CHAT))

    again = send(memory, [*TURNS_OF_A_CHAT, Turn("assistant", "Poor Pixel.", "bot")])

    after = chunks(memory, again)
    assert again.outcome is Added.UPDATED
    assert [each.id for each in after[:3]] == [each.id for each in before]
    assert [each.fragment for each in after[:3]] == [each.fragment for each in before]
    assert after[3].text == "Poor Pixel."
    assert send(memory, [*TURNS_OF_A_CHAT, Turn("assistant", "Poor Pixel.", "bot")]).outcome is Added.UNCHANGED


def test_without_an_id_of_its_source_each_one_is_another(memory: Installation) -> None:
    first = memory.wired.service.add_conversation(OWNER, Talk(TURNS_OF_A_CHAT))
    second = memory.wired.service.add_conversation(OWNER, Talk(TURNS_OF_A_CHAT))

    assert first.document.id != second.document.id


def test_what_is_kept_of_a_conversation_is_scrubbed(memory: Installation) -> None:
    added = send(memory, [Turn("user", "Call me: +48 601 234 567", "Jan")])

    kept = b"".join(memory.wired.service.library.original(OWNER, added.document.id)[1])
    assert b"601" not in kept
    assert chunks(memory, added)[0].text == "Call me: [PHONE]"


@pytest.mark.parametrize("turns", [[], [Turn("user", " \n")], [Turn("user", "x")] * (TURNS + 1)])
def test_a_conversation_in_which_nobody_says_anything_or_too_much_is_refused(
    memory: Installation, turns: list[Turn]
) -> None:
    with pytest.raises(Invalid):
        memory.wired.service.add_conversation(OWNER, Talk(turns))


def test_turns_are_read_as_they_were_written() -> None:
    turns = [Turn("user", "żółć 🐕", "Jan", HELD, "t1"), Turn("assistant", "")]

    assert read(written(turns)) == turns
    with pytest.raises(ValueError, match="no turns"):
        read(b'[{"role": "user"}]')
