"""Conversations as text and fragments, by example."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from palimpsest.domain.library.fragments import Turn, converse

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def words(text: str) -> int:
    return len(text.split())


def test_a_conversation_is_one_text_that_people_can_read() -> None:
    turns = [Turn("user", "Lubię herbatę. 🫖", "Ola", AT), Turn("assistant", ""), Turn("assistant", " Noted.\n")]

    conversation = converse(turns, words, 20)

    assert conversation.text == (
        "Ola (user), 2026-03-01T09:30:00.000Z:\nLubię herbatę. 🫖\n\nassistant:\n\n\nassistant:\n Noted.\n\n\n"
    )
    found = [(f.index, f.position, f.headed, f.chars, f.bytes) for f in conversation.fragments]
    assert found == [
        (0, 0, "Ola: Lubię herbatę. 🫖", (38, 54), (38, 59)),
        (2, 1, "assistant: Noted.", (81, 87), (86, 92)),
    ]


def test_a_long_turn_is_cut_at_paragraphs_then_sentences_then_spaces() -> None:
    text = "One short paragraph.\n\nDr. Nowak came at 3. He left at 4 p.m. sharp.\n\na b c d e f g h i j k l"

    fragments = converse([Turn("user", text)], words, 8).fragments

    assert [fragment.text for fragment in fragments] == [
        "One short paragraph.",
        "Dr. Nowak came at 3.",
        "He left at 4 p.m. sharp.",
        "a b c d e f",
        "g h i j k l",
    ]
    assert {fragment.index for fragment in fragments} == {0}


def test_turns_keep_the_order_in_which_they_are_given() -> None:
    turns = [Turn("user", "Later.", at=AT.replace(year=2027)), Turn("user", "Earlier.", at=AT)]

    assert [fragment.text for fragment in converse(turns, words, 20).fragments] == ["Later.", "Earlier."]


def test_a_name_that_would_fill_the_window_is_not_put_before_the_text() -> None:
    (fragment,) = converse([Turn("user", "Hello.", "Sir " * 50)], words, 30).fragments

    assert fragment.headed == "Hello."


def test_the_same_said_again_is_told_apart() -> None:
    turns = [Turn("user", "Yes."), Turn("assistant", "Yes."), Turn("user", "Yes.")]

    fragments = converse(turns, words, 20).fragments

    assert [fragment.ordinal for fragment in fragments] == [0, 0, 1]
    assert fragments[0].digest == fragments[2].digest != fragments[1].digest


@pytest.mark.parametrize("change", [{"speaker": "Ola"}, {"at": AT}, {"role": "assistant"}, {"external_id": "7"}])
def test_who_said_it_and_when_is_part_of_what_a_fragment_is(change: dict[str, object]) -> None:
    plain = {"role": "user", "text": "Yes."}

    digests = {converse([Turn(**said)], words, 20).fragments[0].digest for said in (plain, plain | change)}

    assert len(digests) == 2


def test_an_accent_stays_with_its_letter_and_an_emoji_whole() -> None:
    family = "👩\u200d👩\u200d👧"

    fragments = converse([Turn("user", "e\u0301" * 5 + family * 3 + "🇵🇱" * 9)], len, 9).fragments

    assert all(not fragment.text.startswith(("\u0301", "\u200d", "🇱")) for fragment in fragments)
    assert all(not fragment.text.endswith("\u200d") for fragment in fragments)


def test_bytes_are_counted_past_wide_spaces() -> None:
    conversation = converse([Turn("user", "Żółw\u3000\u3000żółw\u00a0żółw")], len, 5)

    octets = conversation.text.encode()
    assert [octets[slice(*fragment.bytes)].decode() for fragment in conversation.fragments] == ["Żółw", "żółw", "żółw"]


def test_a_conversation_of_fifty_thousand_turns_is_read_turn_by_turn() -> None:
    asked = 0

    def measure(text: str) -> int:
        nonlocal asked
        asked += 1
        return words(text)

    conversation = converse([Turn("user", f"Turn {n} is short.", "Ola") for n in range(50_000)], measure, 50)

    assert len(conversation.fragments) == 50_000
    assert asked == 50_001


def test_a_window_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one token"):
        converse([], words, 0)
