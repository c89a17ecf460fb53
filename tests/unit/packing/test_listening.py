"""What turns of a talk ask a memory."""

from __future__ import annotations

import pytest

from palimpsest.domain.packing.listening import Silence, Turn, hear


def user(content: str) -> Turn:
    return Turn("user", content)


def test_the_last_turn_of_the_user_is_what_is_asked() -> None:
    turns = [user("What is the weather?"), Turn("assistant", "Sunny."), user("Which queue do we use?")]

    assert hear([*turns, Turn("assistant", "Let me see.")]).query.startswith("Which queue do we use?")


def test_names_and_rare_words_of_the_turns_before_are_added() -> None:
    turns = [
        user("Yesterday I talked with Marta Nowak about the migration to Postgres 16."),
        Turn("assistant", "How did it go? Was ERR-4411 gone?"),
        user("When does it start?"),
    ]

    assert hear(turns).query == "When does it start? ERR-4411 Marta Nowak Postgres 16 Yesterday migration"


def test_a_given_name_is_a_name_also_where_a_sentence_begins() -> None:
    assert hear([user("Marta is ill. Perhaps."), user("when is she back at work?")]).query.endswith(" Marta Perhaps")


def test_a_turn_that_says_enough_gets_only_names() -> None:
    turns = [
        user("I met Ola in Gdynia about the insurance paperwork and Kacper."),
        user("which harbour restaurant serves pierogi smoked eel cheesecake plum wine herbal tea and mead"),
    ]

    assert hear(turns).query.endswith(" mead Ola Gdynia")


def test_a_hint_is_asked_before_the_turns() -> None:
    assert hear([user("Tell me more about Marta.")], "her favourite drink").query == "her favourite drink Marta"


def test_code_links_and_quotations_are_passed_over() -> None:
    said = "Why does this fail?\n```\nimport numpy\n```\n> an old mail\nSee https://example.com/a `x = 1` in production"

    assert hear([user(said)]).query == "Why does this fail? See in production"


def test_of_a_long_turn_its_end_is_asked() -> None:
    said = "The log says nothing of interest here. " * 40 + "Who restarts the worker?"

    query = hear([user(said)]).query

    assert query.endswith("Who restarts the worker?")
    assert query.startswith("The log")
    assert len(query) < 700


@pytest.mark.parametrize(
    ("said", "silence"),
    [
        ("", Silence.NOTHING_SAID),
        ("  \n", Silence.NOTHING_SAID),
        ("hello!", Silence.GREETING),
        ("Thank you so much", Silence.GREETING),
        ("thanks a lot", Silence.GREETING),
        ("Dzień dobry", Silence.GREETING),
        ("ok, dzięki", Silence.GREETING),
        ("/clear", Silence.COMMAND),
        ("!ls -la", Silence.COMMAND),
        ("why?", Silence.TOO_SHORT),
        ("a co to jest?", Silence.TOO_SHORT),
        ("```\nprint(1)\n```", Silence.TOO_SHORT),
        ("?!", Silence.TOO_SHORT),
    ],
)
def test_what_asks_nothing_has_a_reason(said: str, silence: Silence) -> None:
    assert hear([user("Marta lives in Gdynia."), user(said)]).silence is silence


def test_a_talk_without_the_user_asks_nothing() -> None:
    assert hear([Turn("assistant", "Marta lives in Gdynia.")]).silence is Silence.NOTHING_SAID
    assert hear([]).silence is Silence.NOTHING_SAID


def test_only_the_last_ten_turns_are_listened_to() -> None:
    turns = [user("I met Ola."), *[Turn("assistant", "Go on.")] * 9, user("When does the harbour open?")]

    assert "Ola" not in hear(turns).query
