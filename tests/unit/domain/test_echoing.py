"""How the echo guard reads a text: lead-ins, sentences, clauses, and what each word commits to."""

from __future__ import annotations

import pytest

from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.echoing import numerals
from palimpsest.domain.echoing.deciding import echoed
from palimpsest.domain.echoing.reading import Kind, read
from palimpsest.domain.echoing.sentences import clauses, sentences, unframed

LINGUIST = Snowball()


def kinds(text: str) -> dict[str, Kind]:
    return {token.form: token.kind for sentence in read(text, LINGUIST) for token in sentence.words}


@pytest.mark.parametrize(
    ("framed", "text"),
    [
        ("As you told me, the door is green", " the door is green"),
        ("I remember that the door is green", " the door is green"),
        ("Just to recap what we talked about before: the door is green", " the door is green"),
        ("According to your saved memories the door is green", " the door is green"),
        ("Jak wspomniałeś wcześniej, drzwi są zielone", " drzwi są zielone"),
        ("Z tego, co pamiętam, drzwi są zielone", " drzwi są zielone"),
        ("Według zapisanych wspomnień drzwi są zielone", " drzwi są zielone"),
    ],
)
def test_a_lead_in_is_taken_off(framed: str, text: str) -> None:
    assert unframed(framed) == text


@pytest.mark.parametrize(
    "text",
    [
        "The door is green",
        "According to Nora, the door is green",
        "Remember the milk",
        "No, the door is green",
        "The user told Nora about Leeds",
    ],
)
def test_what_is_no_lead_in_stays(text: str) -> None:
    assert unframed(text) == text


def test_sentences_end_at_points_lines_and_semicolons_but_not_at_abbreviations() -> None:
    text = "Mr. Lund called. The fee is 4.5 euros; pay it\nNie przed 20. dnia!"

    assert [part.strip() for part in sentences(text)] == [
        "Mr. Lund called", "The fee is 4.5 euros", "pay it", "Nie przed 20. dnia",
    ]  # fmt: skip


def test_clauses_end_at_commas_and_at_and_but() -> None:
    assert [part.strip() for part in clauses("Nora leads, Ben codes and Ola tests")] == [
        "Nora leads", "Ben codes", "Ola tests",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "digits"),
    [
        ("sixteen", "16"), ("first", "1"), ("20th", "20"), ("twice", "2"), ("szesnascie", "16"), ("siodmej", "7"),
        ("dwoch", "2"), ("9:15", "9:15"), ("-8", "-8"), ("\u22128", "-8"), ("piatek", None), ("door", None),
    ],
)  # fmt: skip
def test_numbers_in_words_are_digits(word: str, digits: str | None) -> None:
    assert numerals.value(word) == digits


def test_each_word_is_told_for_what_it_is() -> None:
    assert kinds("The user won't meet Nora on Friday, only before 10, and Nie lubi herbaty") == {
        "the": Kind.FREE, "user": Kind.PERSON, "will": Kind.WORD, "not": Kind.DENIAL, "meet": Kind.WORD,
        "nora": Kind.NAME, "on": Kind.FREE, "friday": Kind.DATE, "only": Kind.QUALIFIER, "before": Kind.WORD,
        "10": Kind.NUMBER, "nie": Kind.DENIAL, "lubi": Kind.WORD, "herbaty": Kind.WORD,
    }  # fmt: skip


def test_an_hour_and_its_half_of_the_day_are_one_time() -> None:
    evening = read("at 7 PM", LINGUIST)[0].words[-1]

    assert evening.senses == read("o siódmej wieczorem", LINGUIST)[0].words[-1].senses
    assert evening.form == "19:00"


def test_may_is_a_month_only_with_a_capital() -> None:
    assert kinds("It is on 4 May")["may"] is Kind.DATE
    assert kinds("He may go")["may"] is Kind.QUALIFIER


def test_the_memory_that_gave_most_words_is_the_one_that_is_echoed() -> None:
    recalled = ["Ola paints.", "The user has a cat named Pixel who sleeps all day."]
    saved = "Ola paints. The user has a cat named Pixel who sleeps all day."

    assert echoed(read(saved, LINGUIST), [read(memory, LINGUIST) for memory in recalled]) == 1


def test_a_text_of_one_word_is_no_echo() -> None:
    assert echoed(read("Ola", LINGUIST), [read("Ola paints.", LINGUIST)]) is None
    assert echoed(read("?!", LINGUIST), [read("Ola paints.", LINGUIST)]) is None
