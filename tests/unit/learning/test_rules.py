"""What rules learn of a turn, and what they leave alone."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.learning.extracting import Saying, facts
from palimpsest.domain.learning.fact import Day, Fact, Span
from palimpsest.domain.version import MemoryType

SAID_ON = date(2026, 4, 1)  # a Wednesday


def _facts(text: str, speaker: str | None = None) -> list[Fact]:
    return facts(Saying(text, SAID_ON, speaker))


@pytest.mark.parametrize(
    ("text", "memory_type"),
    [
        ("I prefer tea to coffee.", MemoryType.PREFERENCE),
        ("We're big fans of jazz", MemoryType.PREFERENCE),
        ("Please always answer in Polish", MemoryType.PREFERENCE),
        ("I decided to rent instead of buying", MemoryType.EPISODE),
        ("I was born in 1987", MemoryType.EPISODE),
        ("I work as a nurse in Leeds", MemoryType.FACT),
        ("I don't eat meat", MemoryType.FACT),
        ("we have two cats", MemoryType.FACT),
        ("Wolę herbatę niż kawę", MemoryType.PREFERENCE),
        ("nie znosze emotek", MemoryType.PREFERENCE),
        ("Od teraz pisz bez wstępów", MemoryType.PREFERENCE),
        ("Zdecydowaliśmy, że bierzemy diesla", MemoryType.EPISODE),
        ("Urodziłam się w 1987 w Opolu", MemoryType.EPISODE),
        ("Pracuję jako księgowa od 8 lat", MemoryType.FACT),
        ("Mam alergię na orzechy", MemoryType.FACT),
    ],
)
def test_what_is_said_outright_is_learned(text: str, memory_type: MemoryType) -> None:
    found = _facts(text)

    assert [(fact.memory_type, fact.subject) for fact in found] == [(memory_type, "user")]
    assert found[0].text == text.rstrip(".")


@pytest.mark.parametrize(
    "text",
    [
        "Do I prefer tea?",
        "If I lived in Leeds I'd cycle",
        "Maybe we'll move to Spain in May",
        "I wish I had a garden",
        'He wrote: "I hate coffee"',
        "```\nI work at Acme\n```",
        "> I live in Leeds",
        "Translate this: I live in Leeds and I love it here",
        "Dear Mr Smith,\nI live in Leeds.\nI don't eat meat.",
        "Sam says I'm a terrible cook",
        "I prefer the first version",
        "I love it",
        "I moved on Friday, no wait, on Saturday",
        "I ate a whole cake yesterday",
        "Czy wolę herbatę?",
        "Gdybym mieszkała w Łodzi, jeździłabym rowerem",
        "Chyba kupiliśmy zły model",
        "Mama twierdzi, że jem za mało",
        "Wolę tę drugą wersję",
        "Zjadłam wczoraj całą pizzę",
        "uwielbiam poniedziałki 🙄",
        "w środy mam wolne",
    ],
)
def test_what_is_asked_supposed_quoted_joked_or_trifling_is_not_learned(text: str) -> None:
    assert _facts(text) == []


@pytest.mark.parametrize(
    ("text", "phrase", "day"),
    [
        ("We moved to Leeds yesterday", "yesterday", date(2026, 3, 31)),
        ("We adopted a dog two weeks ago", "two weeks ago", date(2026, 3, 18)),
        ("We're flying to Porto on 12 June", "on 12 June", date(2026, 6, 12)),
        ("We're flying to Porto on June 12th", "on June 12th", date(2026, 6, 12)),
        ("I'm meeting my lawyer on Monday", "on Monday", date(2026, 4, 6)),
        ("I met my lawyer on Monday", "on Monday", date(2026, 3, 30)),
        ("We have to be out by 2026-08-31", "by 2026-08-31", date(2026, 8, 31)),
        ("I start on the 21st", "on the 21st", date(2026, 4, 21)),
        ("I was promoted last year", "last year", None),
        ("We got married in June", "in June", None),
        ("I met her in 2022 in Leeds", "in 2022", None),
        ("Pojutrze lecimy do Rzymu", "Pojutrze", date(2026, 4, 3)),
        ("Za dwa tygodnie biegnę maraton", "Za dwa tygodnie", date(2026, 4, 15)),
        ("w zeszly piatek skrecilem kostke", "w zeszly piatek", date(2026, 3, 27)),
        ("W przyszłym tygodniu w czwartek jadę do Gdańska", "W przyszłym tygodniu w czwartek", date(2026, 4, 9)),
        ("Bronię się 12 lipca", "12 lipca", date(2026, 7, 12)),
        ("Obroniłem się 12 lipca", "12 lipca", date(2025, 7, 12)),
        ("Kupiliśmy dom w marcu", "w marcu", None),
    ],
)
def test_a_day_is_counted_from_the_day_on_which_it_is_said(text: str, phrase: str, day: date | None) -> None:
    assert [fact.day for fact in _facts(text)] == [Day(phrase, day)]


def test_a_day_that_no_month_has_names_none() -> None:
    assert [fact.day for fact in _facts("We're flying to Porto on 31 June")] == [Day("on 31 June", None)]


def test_somebody_named_is_the_subject_of_what_is_told_of_them() -> None:
    found = _facts("My partner Sam can't stand aubergine. Daniel is allergic to shellfish. Marta kocha ceramikę.")

    assert [(fact.subject, fact.text) for fact in found] == [
        ("user", "My partner is called Sam"),
        ("Sam", "My partner Sam can't stand aubergine"),
        ("Daniel", "Daniel is allergic to shellfish"),
        ("Marta", "Marta kocha ceramikę"),
    ]


def test_between_people_the_speaker_is_the_subject() -> None:
    assert [fact.subject for fact in _facts("I don't eat pork", speaker="Priya")] == ["Priya"]


def test_the_evidence_is_where_the_turn_says_it() -> None:
    text = "Hello there! Yeah, I prefer tea 🙂. Bye"

    assert [fact.evidence for fact in _facts(text)] == [Span(text.index("I prefer"), text.index(" 🙂"))]


@given(st.text(alphabet=st.sampled_from("I prefer my mój Sam w on 12 maja,.:;\"'`\n()🙄İ ſ"), max_size=120))
def test_evidence_lies_in_the_text_and_says_what_is_kept(text: str) -> None:
    for fact in _facts(text):
        assert 0 <= fact.evidence.begin < fact.evidence.end <= len(text)
        assert text[fact.evidence.begin : fact.evidence.end] == fact.text or " is called " in fact.text


@pytest.mark.parametrize("piece", ["I ", "my ", " ", "note ", "w 12 ", '"', "Sam, ", "and ", "a\n", "on monday ", ","])
def test_no_text_takes_long(piece: str) -> None:
    began = time.process_time()

    _facts(piece * (50_000 // len(piece)))

    assert time.process_time() - began < 2
