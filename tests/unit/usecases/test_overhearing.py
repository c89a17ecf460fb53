"""What is said unasked, and the reasons for silence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotAllowed
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.packing.counting import count_tokens
from palimpsest.domain.packing.listening import Silence, Turn
from palimpsest.usecases.answers import ContextHit, RecallQuery
from palimpsest.usecases.drafts import Draft
from palimpsest.usecases.overhear import AmbientQuery, Overheard, Tier
from tests.support import conflicting
from tests.support.installation import OWNER, Installation

READER = Caller(KeyId("reader"), Role.READER, spaces=("default",))
QUESTION = "What does Marta drink?"


def overheard(memory: Installation, said: str = QUESTION, *, by: Caller = OWNER, budget: int = 400) -> Overheard:
    query = AmbientQuery((Turn("user", said),), budget_tokens=budget)
    return memory.wired.service.supply.ambient(by, query)


def told(found: Overheard) -> list[str]:
    return [each.entry.text for each in found.packed.placed]


def test_what_is_surely_meant_is_said_with_its_tier(memory: Installation) -> None:
    memory.save("Marta drinks green tea.")
    memory.save("The harbour opens at six.")

    found = overheard(memory)

    assert told(found) == ["Marta drinks green tea."]
    assert (found.silence, [each.tier for each in found.snippets]) == (None, [Tier.CONFIDENT])
    assert found.packed.text.startswith("[memory ")


@pytest.mark.parametrize(
    ("said", "silence"),
    [
        ("Hello there!", Silence.GREETING),
        ("and why?", Silence.TOO_SHORT),
        ("/clear", Silence.COMMAND),
        ("", Silence.NOTHING_SAID),
        ("How do I centre a picture in LaTeX?", Silence.NOTHING_RELEVANT),
    ],
)
def test_silence_has_its_reason(memory: Installation, said: str, silence: Silence) -> None:
    memory.save("Marta drinks green tea.")
    memory.index()

    found = overheard(memory, said)

    assert (found.silence, found.snippets, found.packed.text) == (silence, (), "")
    assert not found.is_recorded


def test_what_was_just_handed_out_to_a_key_is_not_said_again_to_it_for_half_an_hour(memory: Installation) -> None:
    memory.save("Marta drinks green tea.")
    memory.index()

    first, again, to_another = overheard(memory), overheard(memory), overheard(memory, by=READER)
    memory.clock.turn(timedelta(minutes=31))
    later = overheard(memory)

    assert [each.silence for each in (first, again, to_another, later)] == [None, Silence.RECENTLY_GIVEN, None, None]
    assert (first.is_recorded, again.is_recorded) == (True, False)


def test_what_a_recall_answered_is_not_said_again_either(memory: Installation) -> None:
    memory.save("Marta drinks green tea.")
    memory.index()
    memory.wired.service.recall(OWNER, RecallQuery("tea"))

    assert overheard(memory).silence is Silence.RECENTLY_GIVEN


def test_what_is_forgotten_is_never_said_and_what_is_disputed_neither(memory: Installation) -> None:
    gone = memory.wired.service.remember(OWNER, Draft("Marta drinks rum.")).memory.head.root
    rome = conflicting.save(memory, Draft("Ola lives in Rome"))
    conflicting.save(memory, Draft("Ola lives in Oslo"), rome)
    memory.index()
    memory.wired.service.forget(OWNER, VersionRef(gone))

    assert overheard(memory).silence is Silence.NOTHING_RELEVANT
    assert overheard(memory, "Where does Ola live?").silence is Silence.DISPUTED


def test_a_long_memory_is_said_up_to_the_end_of_a_sentence_and_no_budget_is_passed(memory: Installation) -> None:
    memory.save("Marta drinks green tea. " + "She buys it in a small shop near the old harbour. " * 20)
    memory.index()

    found = overheard(memory)
    none = overheard(memory, by=READER, budget=20)

    (text,) = [each.text for each in found.packed.placed]
    assert text.startswith("Marta drinks green tea.")
    assert text.endswith("harbour. […]")
    assert count_tokens(text) <= 80
    assert found.snippets[0].is_cut
    assert none.silence is Silence.NO_ROOM


def test_other_spaces_are_not_overheard(memory: Installation) -> None:
    memory.save("Marta drinks green tea.", "other")

    assert overheard(memory, by=READER).silence is Silence.NOTHING_RELEVANT
    with pytest.raises(NotAllowed):
        memory.wired.service.supply.ambient(READER, AmbientQuery(hint="tea", spaces=("other",)))
    with pytest.raises(NotAllowed):
        memory.wired.service.supply.ambient(READER, AmbientQuery((Turn("user", "hello"),), spaces=("other",)))


def test_only_five_are_said_and_the_same_never_twice(memory: Installation) -> None:
    for number in range(9):
        memory.save(f"Marta drinks tea number {number}.")
    memory.index()

    found = overheard(memory)

    assert len(set(told(found))) == len(found.snippets) == 5
    assert not any(isinstance(each.hit, ContextHit) for each in found.snippets)
