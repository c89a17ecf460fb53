"""What a recall has just handed out is not learned again as new when an assistant saves it; news always is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import EmbedderUnavailable, PalimpsestError
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.ports.embedder import Vector
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Annotation, Draft, Outcome, Refused, Revision, Saved, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install

ASSISTANT = SourceClaim("assistant_generated")
EDITOR = "The user's favourite editor is Helix since 2024"


def saved(memory: Installation, content: str, caller: Caller = OWNER, **given: object) -> Saved:
    draft = replace(Draft(content, source=ASSISTANT), **given)  # type: ignore[arg-type]
    return memory.wired.service.remember(caller, draft)


def recall(memory: Installation, query: str = "favourite editor", caller: Caller = OWNER, *, dry: bool = False) -> None:
    answer = memory.wired.service.recall(caller, RecallQuery(query, is_dry_run=dry))
    assert answer.hits


def count(memory: Installation) -> int:
    return len(memory.wired.service.list_memories(OWNER, ListQuery()).memories)


@pytest.mark.parametrize(
    "text",
    [
        "The user's favourite editor is Helix, since 2024.",
        "As you told me, the user's favourite editor is Helix since 2024.",
        "Since 2024 the user's favourite editor is Helix!",
        "Your favourite editor is Helix since 2024",
    ],
)
def test_an_echo_of_a_recall_is_not_stored_again(memory: Installation, text: str) -> None:
    root = memory.save(EDITOR)
    recall(memory)

    answer = saved(memory, text)

    assert (answer.outcome, answer.memory.head.root, answer.memory.version.statement.content) == ("echo", root, EDITOR)
    assert count(memory) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The user's favourite editor is Helix since 2025",
        "The user's favourite editor is not Helix since 2024",
        "The user's favourite editor is Kakoune since 2024",
        "The user's favourite editor is Helix since 2024, on a Mac.",
        "The user's favourite editor is Helix since 2024. It replaced Vim.",
    ],
)
def test_a_new_number_name_denial_or_sentence_is_news(memory: Installation, text: str) -> None:
    memory.save(EDITOR)
    recall(memory)

    assert saved(memory, text).outcome is Outcome.ADDED


def test_a_first_hand_save_is_never_swallowed(memory: Installation) -> None:
    memory.save(EDITOR)
    recall(memory)

    agents = ("api", "user_direct", "confirmed_preference")
    answers = [saved(memory, EDITOR + "!" * n, source=SourceClaim(agent)) for n, agent in enumerate(agents, 1)]

    assert outcomes(answers) == ["versioned"] * 3


def test_an_assistant_that_recalled_nothing_is_believed(memory: Installation) -> None:
    memory.save(EDITOR)
    recall(memory, dry=True)

    assert saved(memory, "As you told me, " + EDITOR).outcome is Outcome.ADDED


def test_what_another_key_or_another_space_was_told_is_no_echo(memory: Installation) -> None:
    other = Caller(KeyId("other"), Role.WRITER, spaces=None, max_trust=Trust.A2)
    memory.save(EDITOR)
    memory.save(EDITOR, "team")
    recall(memory)

    assert saved(memory, "As you told me, " + EDITOR, other).outcome is Outcome.ADDED
    assert saved(memory, "As you told me, " + EDITOR, space="team").outcome is Outcome.ADDED


def test_after_a_day_it_is_no_echo(memory: Installation) -> None:
    memory.save(EDITOR)
    recall(memory)
    memory.clock.turn(timedelta(hours=24, minutes=1))

    assert saved(memory, "As you told me, " + EDITOR).outcome is Outcome.ADDED


def test_a_forgotten_memory_can_be_learned_again(memory: Installation) -> None:
    root = memory.save(EDITOR)
    recall(memory)
    memory.wired.service.forget(OWNER, VersionRef(RootId(root)))

    assert saved(memory, "As you told me, " + EDITOR).outcome is Outcome.ADDED


def test_an_expired_memory_can_be_learned_again(memory: Installation) -> None:
    root = memory.save(EDITOR)
    expires = memory.clock.now() + timedelta(hours=1)
    memory.wired.service.annotate(OWNER, VersionRef(RootId(root)), Annotation(expires_at=expires))
    recall(memory)
    memory.clock.turn(timedelta(hours=2))

    assert saved(memory, "As you told me, " + EDITOR).outcome is Outcome.ADDED


def test_what_was_corrected_after_it_was_recalled_is_not_learned_again(memory: Installation) -> None:
    root = memory.save(EDITOR)
    recall(memory)
    memory.wired.service.revise(OWNER, VersionRef(RootId(root)), Revision("The user's favourite editor is Zed"))

    answer = saved(memory, "As you told me, " + EDITOR)

    assert answer.outcome is Outcome.ECHO
    assert answer.memory.version.statement.content == "The user's favourite editor is Zed"


def test_a_time_that_was_not_recalled_is_news(memory: Installation) -> None:
    since = datetime(2024, 3, 1, tzinfo=UTC)
    memory.save(EDITOR)
    recall(memory)

    assert saved(memory, EDITOR + "!", valid_from=since).outcome is Outcome.ADDED
    recall(memory)
    assert saved(memory, EDITOR + "!!", valid_from=since).outcome is Outcome.ECHO


def test_a_sentence_of_a_long_memory_is_an_echo(memory: Installation) -> None:
    memory.save(" ".join(f"Shelf {n} of the user's workshop holds box {n * 7}." for n in range(200)))
    recall(memory, "workshop shelf box")

    assert saved(memory, "shelf 113 of the user's workshop holds box 791").outcome is Outcome.ECHO
    assert saved(memory, "shelf 113 of the user's workshop holds box 792").outcome is Outcome.ADDED


class NoEmbedder(HashingEmbedder):
    """As one that is late or down."""

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        raise EmbedderUnavailable("embedder_unreachable", "down")


def test_an_echo_is_known_while_there_are_no_vectors(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=NoEmbedder())
    memory.save("The user drinks tea at seven.")
    memory.save(EDITOR)
    recall(memory)

    assert saved(memory, "As you told me, " + EDITOR).outcome is Outcome.ECHO
    assert saved(memory, EDITOR + " and Zed since 2025").outcome is Outcome.ADDED
    memory.sqlite.close()


def test_several_memories_in_one_sentence_are_an_echo(memory: Installation) -> None:
    memory.save("The user has a cat named Pixel.")
    memory.save("The user has a parrot named Gordon.")
    recall(memory, "which pets does the user have")

    assert saved(memory, "The user has a cat named Pixel and a parrot named Gordon.").outcome is Outcome.ECHO


def test_an_echo_reinforces_its_memory_once_for_a_recall(memory: Installation) -> None:
    memory.save(EDITOR)
    recall(memory)
    texts = (EDITOR + "!", EDITOR + ".", "Noted: " + EDITOR)

    counts = [saved(memory, text).memory.reinforcement.access_count for text in texts]
    recall(memory)
    again = saved(memory, EDITOR + "!!").memory.reinforcement.access_count

    assert (counts, again) == ([1, 1, 1], 2)


def test_whatever_shows_a_memory_tells_how_often_it_was_made_use_of(memory: Installation) -> None:
    service = memory.wired.service
    ref = VersionRef(RootId(memory.save(EDITOR)))
    recall(memory)
    at = saved(memory, EDITOR + "!").memory.reinforcement

    shown = [
        service.read(OWNER, ref),
        service.list_memories(OWNER, ListQuery()).memories[0],
        service.recall(OWNER, RecallQuery("favourite editor")).memories[0],
        service.annotate(OWNER, ref, Annotation(tags=("tools",))).memory,
        service.revise(OWNER, ref, Revision("The user's favourite editor is Zed")).memory,
        service.read(OWNER, VersionRef(ref.root, 1)),
        service.remember(OWNER, Draft("The user's favourite editor is Zed")).memory,
    ]

    assert at.access_count == 1
    assert [each.reinforcement for each in shown] == [at] * len(shown)


def test_a_retry_of_an_echo_gets_the_same_answer(memory: Installation) -> None:
    root = memory.save(EDITOR)
    recall(memory)
    draft, key = Draft(EDITOR + "!", source=ASSISTANT), Idempotency("k", b"body")

    answers = [memory.wired.service.remember(OWNER, draft, key) for _ in range(2)]

    assert [(answer.outcome, answer.memory.head.root) for answer in answers] == [("echo", root)] * 2


def test_a_batch_goes_through_the_same_guard(memory: Installation) -> None:
    memory.save(EDITOR)
    recall(memory)
    texts = (EDITOR + "!", "The user moved to Gdynia", "As you told me, " + EDITOR)

    answers = memory.wired.service.remember_all(OWNER, [Draft(text, source=ASSISTANT) for text in texts])

    assert outcomes(answers) == ["echo", "added", "echo"]


def test_an_update_with_the_words_of_a_recall_is_an_update(memory: Installation) -> None:
    root = saved(memory, "The user's favourite editor is Zed").memory.head.root
    memory.save(EDITOR)
    recall(memory)

    revised = memory.wired.service.revise(OWNER, VersionRef(root), Revision(EDITOR + "!", source=ASSISTANT))

    assert revised.outcome is Outcome.VERSIONED


def outcomes(answers: Sequence[Saved | Refused]) -> list[str | PalimpsestError]:
    return [answer.error if isinstance(answer, Refused) else answer.outcome for answer in answers]
