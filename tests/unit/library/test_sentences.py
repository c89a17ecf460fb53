"""Where sentences end and where they don't."""

from __future__ import annotations

from itertools import pairwise

import pytest

from palimpsest.domain.library.sentences import ends


def sentences(text: str) -> list[str]:
    """The text cut where a sentence ends for sure."""
    cuts = [0, *(end.at for end in ends(text) if end.is_sure), len(text)]
    return [text[a:b].strip() for a, b in pairwise(cuts)]


@pytest.mark.parametrize(
    "whole",
    [
        "Dr. Smith met Prof. Jones on St. Mary's Road.",
        "Use a tool, e.g. Docker, i.e. Something that isolates.",
        "It costs 3.14 zł, about 1.5 times more.",
        "J. R. R. Tolkien and C.S. Lewis were friends.",
        "Mieszka na ul. Długiej, tzn. Za rogiem, np. Obok sklepu.",
        "Pan dr hab. Nowak i prof. Kowalska przyjdą.",
        "Zob. art. 5 ust. 2 pkt 3 oraz poz. 12.",
        "W 3. kwartale, tj. od 1. lipca, m.in. Kraków.",
        "See fig. 3, no. 7 and vol. 2.",
        "Spotkanie 15. 12. 2026 w Łodzi.",
        "1. Pierwszy punkt",
        "“Stop!” he said.",
        "Ur. w 1950 r. w Krakowie.",
        "Pisarz (ur. 3 maja 1979, zm. 2000) wydał tom pt. Zima w nakładzie ok. 2 tys. sztuk.",
        "...",
        "",
    ],
)
def test_nothing_ends_a_sentence_in(whole: str) -> None:
    assert sentences(whole) == [whole]


@pytest.mark.parametrize(
    "text",
    ["W 3. kwartale, 15. 12. 2026, było 2 tys. ton.", "Dr. J. R. Smith, e.g. Mr. K.", "Zob. art. 5 i in. oraz ok. 7."],
)
def test_not_even_perhaps_does_a_sentence_end_in(text: str) -> None:
    assert list(ends(text)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It goes at 9 km/h. We stay.", ["It goes at 9 km/h.", "We stay."]),
        ("It rains. We stay.", ["It rains.", "We stay."]),
        ("Pada. Łukasz zostaje w domu!  Ola też?", ["Pada.", "Łukasz zostaje w domu!", "Ola też?"]),
        ("He said “Never.” She left.", ["He said “Never.”", "She left."]),
        ("Wait… What? Yes!", ["Wait…", "What?", "Yes!"]),
        ("It began in 2024. Then it ended.", ["It began in 2024.", "Then it ended."]),
        ("今日は雨です。明日は晴れる。", ["今日は雨です。", "明日は晴れる。"]),
        ("A title\n\nA text", ["A title", "A text"]),
        ("**It rains.** We stay.", ["**It rains.**", "We stay."]),
    ],
)
def test_a_sentence_ends_in(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text", ["Apples, pears etc. Then we left.", "i like tea. you do not.", "W 2024 r. Firma upadła."]
)
def test_a_sentence_may_end_in(text: str) -> None:
    assert [end.is_sure for end in ends(text)] == [False]


@pytest.mark.parametrize("unit", [".", ". ", ".\n", "\n", " ", "np. ", "'.", "*", "1. "])
def test_a_text_of_nothing_but_signs_takes_linear_time(unit: str) -> None:
    text = unit * (50_000 // len(unit)) + "a"

    assert all(0 < end.at < len(text) for end in ends(text))
