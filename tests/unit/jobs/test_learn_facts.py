"""Facts are learned from a conversation once it is shown: by a whole save, each once, and with where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.api.wire.memory import MemoryItem
from palimpsest.domain.belief import State
from palimpsest.domain.errors import ModelFailure, ModelUnavailable, NotFound
from palimpsest.domain.extraction import Method
from palimpsest.domain.ids import DocumentId, VersionRef
from palimpsest.domain.library.fragments import Turn
from palimpsest.domain.prices import Price
from palimpsest.domain.source import Trust
from palimpsest.domain.talk import talk_in, talk_of
from palimpsest.domain.version import MemoryType
from palimpsest.ports.language_model import Json, PricedModel
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.stores.derivations import Derivations
from palimpsest.usecases.add_conversation import Talk
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.space_settings import SpaceSettings
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, install
from tests.support.learning import HELD, contents, learn, memories, send, taught
from tests.support.scripted_model import PRICE, ScriptedModel, answer

CHAT = [
    Turn("user", "Hi! I don't eat pork. We moved to Leeds on Saturday. What's open?", "Jan"),
    Turn("assistant", "You love curry, so try the market."),
    Turn("user", "I never said I love curry haha", "Jan"),
]
UNNAMED = [replace(turn, speaker=None) for turn in CHAT]
FOUND = ["I don't eat pork", "We moved to Leeds on Saturday"]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def test_what_a_person_states_becomes_memories_that_say_where_they_come_from(memory: Installation) -> None:
    added = taught(memory, CHAT)

    first, second = (each.version for each in memories(memory))
    chunk = memory.wired.service.library.chunks_of(OWNER, added.document.id, limit=1).chunks[0].chunk
    said = second.statement
    assert [first.statement.content, said.content] == FOUND
    assert (said.memory_type, said.attributed_to, said.asserted_at) == (MemoryType.EPISODE, "Jan", HELD)
    assert said.event_date == datetime(2026, 2, 14, tzinfo=UTC)
    assert (said.source.agent, said.source.session, said.source.trust) == ("conversation", added.document.id, Trust.A2)
    assert said.derived_from == (added.document.id, chunk.id)
    assert said.extraction is not None
    assert (said.extraction.subject, said.extraction.method, said.extraction.model) == ("user", Method.RULES, None)
    assert (said.extraction.date_phrase, said.extraction.confidence) == ("on Saturday", 0.9)
    assert first.content_hash == first.expected_hash()
    begin, end = said.extraction.characters
    assert _text(memory, added.document.id)[begin:end] == FOUND[1]


def _text(memory: Installation, document: DocumentId) -> str:
    """The whole text of a conversation, by the ranges of its chunks."""
    shown = memory.wired.service.library.chunks_of(OWNER, document, limit=200).chunks
    text = [" "] * 1_000
    for each in shown:
        begin, end = each.chunk.fragment.characters if each.chunk.fragment else (0, 0)
        text[begin:end] = each.chunk.text
    return "".join(text)


def test_reading_a_conversation_asks_for_its_facts_and_a_plan_asks_again_when_that_got_lost(
    memory: Installation,
) -> None:
    added = send(memory, CHAT)
    wanted = Work(Job.LEARN, added.document.id)

    asked = _taken(memory)
    memory.clock.turn(timedelta(hours=1))
    memory.wired.plan()

    assert wanted in asked
    assert wanted in _taken(memory)


def _taken(memory: Installation) -> list[Work]:
    """What the queue has, taken and lost."""
    taken = []
    while (delivery := memory.queue.take(0)) is not None:
        taken.append(read(delivery.body))
    return taken


def test_nothing_is_learned_before_the_conversation_is_shown(memory: Installation) -> None:
    added = memory.wired.service.add_conversation(OWNER, Talk(CHAT, external_id="c1", held_at=HELD))

    learn(memory, added.document.id)

    assert contents(memory) == []
    assert memory.wired.plan.learnings.waiting(10) == [added.document.id]


def test_an_hours_later_retry_and_the_same_conversation_again_teach_nothing_twice(memory: Installation) -> None:
    added = taught(memory, CHAT)
    memory.clock.turn(timedelta(days=2))

    taught(memory, CHAT)
    taught(memory, [*CHAT, Turn("user", "We have two cats.", "Jan")])
    learn(memory, added.document.id)

    assert contents(memory) == [*FOUND, "We have two cats"]
    assert all(each.head.count == 1 for each in memories(memory))


def test_what_was_learned_and_forgotten_is_not_learned_again_from_the_same_turn(memory: Installation) -> None:
    taught(memory, CHAT)
    memory.wired.service.forget(OWNER, VersionRef(memories(memory)[0].head.root))

    taught(memory, [*CHAT, Turn("user", "We have two cats.", "Jan")])

    assert contents(memory) == [FOUND[1], "We have two cats"]


def test_a_worker_that_dies_anywhere_is_followed_by_one_that_saves_the_rest_once(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = CrashingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    at = 0
    died = True
    while died:
        space = f"space-{at}"
        added = send(memory, CHAT, space=space)
        table.crash_at(at // 2, is_after=bool(at % 2))
        try:
            learn(memory, added.document.id)
            died = False
        except Crashed:
            table.live_on()
            learn(memory, added.document.id)
        table.live_on()

        assert contents(memory, space) == FOUND, f"after a crash at operation {at / 2}"
        assert all(each.head.count == 1 for each in memories(memory, space))
        at += 1
    assert at > 20


def test_learning_is_switched_by_the_request_and_by_the_space(memory: Installation) -> None:
    spaces = memory.wired.service.spaces
    spaces.make(OWNER, "quiet", SpaceSettings(extract=False))

    taught(memory, CHAT, extract=False)
    taught(memory, CHAT, space="quiet")
    taught(memory, CHAT, space="quiet", extract=True, external_id="c2")

    assert contents(memory) == []
    assert contents(memory, "quiet") == FOUND


def test_nobody_learns_on_from_a_conversation_that_is_sent_again_without(memory: Installation) -> None:
    send(memory, CHAT)

    taught(memory, [*CHAT, Turn("user", "We have two cats.", "Jan")], extract=False)

    assert contents(memory) == []


def test_a_forgotten_conversation_hides_what_was_learned_from_it_until_it_is_restored(memory: Installation) -> None:
    added = taught(memory, CHAT)
    learned = memories(memory)[0].head.root
    service = memory.wired.service

    service.library.forget(OWNER, added.document.id)
    hidden = contents(memory)
    with pytest.raises(NotFound):
        service.read(OWNER, VersionRef(learned))
    recalled = service.recall(OWNER, RecallQuery("pork", spaces=("default",), is_dry_run=True))
    service.library.restore(OWNER, added.document.id)

    assert (hidden, [*recalled.memories]) == ([], [])
    assert contents(memory) == FOUND


def test_what_is_hidden_with_its_conversation_can_be_said_anew(memory: Installation) -> None:
    added = taught(memory, UNNAMED)
    memory.wired.service.library.forget(OWNER, added.document.id)

    memory.save(FOUND[0])

    assert contents(memory) == [FOUND[0]]


def test_the_memories_of_a_conversation_are_found_from_its_end(memory: Installation) -> None:
    added = taught(memory, CHAT)

    found = set(Derivations(memory.table).made_from(added.document.id))

    assert found == {each.head.root for each in memories(memory)}


def test_what_somebody_said_first_hand_is_not_overwritten_by_a_conversation(memory: Installation) -> None:
    root = memory.save("I don't eat pork")

    taught(memory, UNNAMED)

    assert memories(memory)[0].head.root == root
    assert memories(memory)[0].version.statement.source.trust is Trust.A1
    assert contents(memory) == FOUND


def test_secrets_in_a_turn_are_in_no_memory(memory: Installation) -> None:
    taught(memory, [Turn("user", "I always use the password hunter2hunter2, my mail is jan@example.com.")])

    assert not any("jan@example.com" in content for content in contents(memory))


def _fact(**told: Json) -> dict[str, Json]:
    return {
        "turn": 1,
        "text": "The user doesn't eat pork.",
        "memory_type": "fact",
        "subject": "user",
        "evidence": "I don't eat pork",
        "date_phrase": "",
        "event_date": "",
        "confidence": 90,
        **told,
    }


def _with_model(tmp_path: Path, *script: object) -> tuple[Installation, ScriptedModel]:
    model = ScriptedModel(list(script))  # type: ignore[arg-type]
    return install(tmp_path, model=PricedModel(model, PRICE)), model


def test_a_model_finds_facts_that_stand_in_the_turns_and_is_named(tmp_path: Path) -> None:
    moved = _fact(
        text="The user moved to Leeds on 2026-02-14.",
        memory_type="episode",
        evidence="We moved to Leeds on Saturday",
        date_phrase="on Saturday",
        event_date="2026-02-14",
    )
    of_the_bot = _fact(turn=2, text="The user loves curry.", evidence="You love curry")
    made_up = _fact(text="The user is a spy.", evidence="I am a spy")
    memory, model = _with_model(tmp_path, answer({"facts": [_fact(), moved, of_the_bot, made_up]}))
    memory.wired.service.spaces.make(OWNER, "default", SpaceSettings(extraction_topics=("food",)))

    taught(memory, CHAT)

    told = [each.version.statement for each in memories(memory)]
    assert [each.content for each in told] == ["The user doesn't eat pork.", "The user moved to Leeds on 2026-02-14."]
    assert told[1].event_date == datetime(2026, 2, 14, tzinfo=UTC)
    assert told[0].extraction is not None
    assert (told[0].extraction.method, told[0].extraction.model) == (Method.MODEL, "scripted:model")
    assert "topic: food" in model.asked[0].user
    assert CHAT[0].text in model.asked[0].user


@pytest.mark.parametrize(
    "given",
    [
        answer({"facts": "none"}),
        answer({"memories": []}),
        answer({"facts": [_fact()] * 500}),
        ModelUnavailable(ModelFailure.REFUSED, "no", may_cost=False),
    ],
)
def test_a_model_that_answers_something_else_is_replaced_by_rules(tmp_path: Path, given: object) -> None:
    memory, _ = _with_model(tmp_path, given)

    taught(memory, CHAT)

    assert contents(memory) == FOUND
    assert {each.version.statement.extraction.method for each in memories(memory)} == {Method.RULES}  # type: ignore[union-attr]


def test_a_retry_saves_what_the_model_found_first(tmp_path: Path) -> None:
    memory, _ = _with_model(
        tmp_path, answer({"facts": [_fact()]}), answer({"facts": [_fact(text="The user avoids pork.")]})
    )
    added = send(memory, CHAT)
    left = iter([1_000, 1_000, 1])

    memory.wired.worker.slices[Job.LEARN](added.document.id, lambda: next(left))
    learn(memory, added.document.id)

    assert contents(memory) == ["The user doesn't eat pork."]


def test_past_the_budget_rules_find_what_they_can(tmp_path: Path) -> None:
    model = ScriptedModel([answer({"facts": [_fact()]})])
    memory = install(tmp_path, model=PricedModel(model, Price.usd("9000", "9000")))

    taught(memory, CHAT)

    assert contents(memory) == FOUND
    assert model.asked == []


def test_two_people_go_by_their_names(memory: Installation) -> None:
    taught(memory, [Turn("user", "I'm vegan now.", "Priya"), Turn("user", "I don't eat pork.", "Tom")])

    told = [each.version.statement for each in memories(memory)]
    assert [(each.extraction.subject, each.attributed_to) for each in told if each.extraction] == [
        ("Priya", "Priya"),
        ("Tom", "Tom"),
    ]


def test_many_turns_are_learned_from_slice_by_slice(memory: Installation) -> None:
    turns = [Turn("user", f"We have {number + 2} cats in house {number}.") for number in range(120)]
    added = send(memory, turns)
    calls = 0

    def seconds() -> float:
        nonlocal calls
        calls += 1
        return 1_000 if calls % 40 else 1

    slices = 1
    while memory.wired.worker.slices[Job.LEARN](added.document.id, seconds):
        slices += 1

    assert slices > 2
    assert memory.wired.plan.learnings.waiting(10) == []
    assert len(set(contents(memory))) == 100


def test_a_turn_without_a_date_dates_nothing(memory: Installation) -> None:
    taught(memory, [Turn("user", "We moved to Leeds yesterday.")], held_at=None)

    said = memories(memory)[0].version.statement
    assert said.event_date is None
    assert said.extraction is not None
    assert said.extraction.date_phrase == "yesterday"


def test_an_erased_conversation_takes_what_was_learned_from_it_along(memory: Installation) -> None:
    added = taught(memory, CHAT)
    learned = [each.head.root for each in memories(memory)]
    service = memory.wired.service

    service.erase_document(OWNER, added.document.id)
    memory.wired.plan()
    for work in _taken(memory):
        memory.wired.worker(work, lambda: 300.0)

    assert contents(memory) == []
    heads = service.remember.steps.beliefs.heads(learned)
    assert {head.state for head in heads.values()} == {State.FORGOTTEN}


def test_nothing_is_learned_from_a_conversation_that_is_forgotten_or_erased_meanwhile(memory: Installation) -> None:
    for name, end in (("c1", memory.wired.service.library.forget), ("c2", memory.wired.service.erase_document)):
        added = send(memory, CHAT, external_id=name)
        end(OWNER, added.document.id)

        learn(memory, added.document.id)

    assert contents(memory) == []
    assert memory.wired.plan.learnings.waiting(10) == []


def test_a_memory_says_to_its_readers_how_it_was_learned(memory: Installation) -> None:
    added = taught(memory, CHAT)

    told = MemoryItem.of(memories(memory)[1]).model_dump()["extraction"]

    assert (told["document_id"], told["method"], told["date_phrase"]) == (added.document.id, "rules", "on Saturday")
    assert told["chars"][1] - told["chars"][0] == len(FOUND[1])


def test_a_worker_of_a_deployment_has_time_for_a_window(tmp_path: Path) -> None:
    memory, _ = _with_model(tmp_path, answer({"facts": [_fact()]}))
    added = send(memory, CHAT)

    is_more = memory.wired.worker.slices[Job.LEARN](added.document.id, lambda: 100.0)

    assert is_more is False
    assert contents(memory) == ["The user doesn't eat pork."]


def test_what_is_learned_stands_in_a_talk_of_its_own_not_at_turns_of_the_conversation(memory: Installation) -> None:
    added = taught(memory, CHAT)

    places = [each.version.statement.place for each in memories(memory)]

    assert {place.talk for place in places if place is not None} == {talk_of(added.document.id)}
    assert talk_of(added.document.id) != talk_in(added.document.id)
