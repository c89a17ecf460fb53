"""What is known of a text as something that was said: who says it, and how."""

from __future__ import annotations

import pytest

from palimpsest.domain.language import Language
from palimpsest.domain.talk import Cue, said

ENGLISH, POLISH = (Language.ENGLISH,), (Language.POLISH,)


@pytest.mark.parametrize(
    ("content", "speaker"),
    [
        ("Anna: I moved.", "anna"),
        ("Anna Maria Nowak: I moved.", "anna maria nowak"),
        ("user: I moved.", "user"),
        ("[8 May, 2023] Anna: I moved.", "anna"),
        ("Things to buy for the boat: a rope", ""),
        ("Zadanie na jutro: kupić linę", ""),
        ("It is ten: late", ""),
    ],
)
def test_a_name_before_a_colon_is_a_speaker(content: str, speaker: str) -> None:
    assert said(content, ENGLISH).speaker == speaker


def test_a_speaker_that_is_known_otherwise_stands_above_what_a_text_begins_with() -> None:
    assert said("Anna: yes", ENGLISH, speaker="Jan").speaker == "jan"


@pytest.mark.parametrize(
    ("content", "languages"),
    [
        ("We met last Friday", ENGLISH),
        ("I moved in May", ENGLISH),
        ("I moved on 7 May", ENGLISH),
        ("She was born in 1987", ENGLISH),
        ("Spotkaliśmy się w środę", POLISH),
        ("Wróciła we wtorek", POLISH),
        ("Wyjechał w marcu", POLISH),
        ("Lutego nie lubię", POLISH),
        ("To było w lipcu", POLISH),
        ("Od maja biegam", POLISH),
        ("W październiku", POLISH),
    ],
)
def test_what_says_when_has_a_time(content: str, languages: tuple[Language, ...]) -> None:
    assert said(content, languages).cues & Cue.TIME


@pytest.mark.parametrize(
    ("content", "languages"),
    [
        ("Marcin likes lip balm", ENGLISH),
        ("She majored in law", ENGLISH),
        ("It may rain", ENGLISH),
        ("Mariola lubi majonez", POLISH),
        ("Środek transportu", POLISH),
        ("Lipa pachnie", POLISH),
        ("Czwarty raz i piąty", POLISH),
        ("Marzenia o lutni", POLISH),
    ],
)
def test_words_that_look_like_months_and_days_are_none(content: str, languages: tuple[Language, ...]) -> None:
    assert not said(content, languages).cues & Cue.TIME


@pytest.mark.parametrize(
    ("content", "languages", "tells"),
    [
        ("I like tea", ENGLISH, True),
        ("They like tea", ENGLISH, False),
        ("Zrobiłem herbatę", POLISH, True),
        ("To jest problem", POLISH, False),
    ],
)
def test_who_tells_of_themselves_is_told_from_who_does_not(
    content: str, languages: tuple[Language, ...], tells: bool
) -> None:
    assert bool(said(content, languages).cues & Cue.FIRST_PERSON) is tells
