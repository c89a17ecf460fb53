"""Lists of words as they are written down, and numbers in words, at their edges."""

from __future__ import annotations

from decimal import Decimal

import pytest

from palimpsest.domain.language import Language
from palimpsest.domain.restating import numbers, wordlists
from palimpsest.domain.restating.lexicon import Lexicon, small_words, unfolded

EN, PL = Language.ENGLISH, Language.POLISH
NO_WORDS = Lexicon(
    dropped=frozenset({"żeby"}),
    joining=frozenset({"oraz"}),
    reasons={"gdyż": "bo"},
    prepositions={"koło": "obok"},
    timeless=frozenset(),
    modifiers={"bardzo": "bardzo"},
    adverbs=frozenset({"często"}),
    auxiliaries={"będzie": frozenset({"will"})},
    phrases={},
    alike={"samochód": "auto"},
    verbs=frozenset({"śpi"}),
)


def test_words_are_split_at_white_space() -> None:
    assert wordlists.words(" a b\n c b ") == {"a", "b", "c"}


def test_groups_are_numbered_in_steps() -> None:
    assert wordlists.numbered("one eins,\ntwo zwei") == {"one": 1, "eins": 1, "two": 2, "zwei": 2}
    assert wordlists.numbered("twenty, thirty zig", 20, 10) == {"twenty": 20, "thirty": 30, "zig": 30}
    assert wordlists.numbered("zero, one", 0) == {"zero": 0, "one": 1}


def test_words_stand_for_the_name_before_them() -> None:
    assert wordlists.named("in: into inside,\n at : by") == {"into": "in", "inside": "in", "by": "at"}


def test_the_first_of_a_group_stands_for_all() -> None:
    assert wordlists.groups("car auto,\nbig large huge") == {
        "car": "car",
        "auto": "car",
        "big": "big",
        "large": "big",
        "huge": "big",
    }


def test_words_have_the_marks_before_them() -> None:
    assert wordlists.marked("be past: was were,\nwill: shall") == {
        "was": {"be", "past"},
        "were": {"be", "past"},
        "shall": {"will"},
    }


def test_phrases_are_found_by_their_first_word_the_longest_first() -> None:
    assert wordlists.phrases("as well = also\nas well as = and; in front of = before it\n") == {
        "as": [(("as", "well", "as"), ("and",)), (("as", "well"), ("also",))],
        "in": [(("in", "front", "of"), ("before", "it"))],
    }


def test_all_that_a_lexicon_knows_are_small_words() -> None:
    known = small_words(NO_WORDS, PL)

    assert {"żeby", "oraz", "gdyż", "koło", "bardzo", "często", "będzie", "samochód", "śpi"} <= known
    assert {"styczeń", "dwa", "tysiąc", "pierwszy"} <= known
    assert "january" not in known
    assert {"january", "two", "first"} <= small_words(NO_WORDS, EN)


def test_a_word_without_diacritics_is_the_one_with_them_where_it_is_no_other() -> None:
    known = unfolded(NO_WORDS)

    assert (known["zeby"], known["gdyz"], known["spi"], known["piec"]) == ("żeby", "gdyż", "śpi", "pięć")
    assert "oraz" not in known
    assert "godzine" in known


@pytest.mark.parametrize(
    ("words", "language", "number"),
    [
        ("seven", EN, (7, 1)),
        ("zero apples", EN, (0, 1)),
        ("nineteen twenty", EN, (19, 1)),
        ("twenty two", EN, (22, 2)),
        ("twenty-two", EN, (22, 1)),
        ("two twenty", EN, (2, 1)),
        ("twenty ten", EN, (20, 1)),
        ("ten two", EN, (10, 1)),
        ("two hundred", EN, (200, 2)),
        ("two hundred five", EN, (205, 3)),
        ("two hundred fifty-six", EN, (256, 3)),
        ("two hundred thousand", EN, (200_000, 3)),
        ("one million two hundred", EN, (1_000_200, 4)),
        ("hundred", EN, None),
        ("twenty-apples", EN, None),
        ("apples two", EN, None),
        ("", EN, None),
        ("dwa", PL, (2, 1)),
        ("dwadzieścia dwa", PL, (22, 2)),
        ("sto dwadzieścia pięć", PL, (125, 3)),
        ("sto dwieście", PL, (100, 1)),
        ("dwa tysiące trzysta", PL, (2_300, 3)),
        ("two", PL, None),
    ],
)
def test_a_number_in_words_takes_the_words_that_belong_to_it(
    words: str, language: Language, number: tuple[int, int] | None
) -> None:
    assert numbers.in_words(words.split(), language) == number


def test_units_are_known_by_all_their_forms() -> None:
    assert numbers.UNITS["minutach"] == ("s", Decimal(60))
    assert numbers.UNITS["quarter"] == ("month", Decimal(3))
    assert numbers.UNITS["gb"] == ("gb", Decimal(1))
    assert numbers.UNITS["€"] == ("eur", Decimal(1))
    assert numbers.UNITS["razy"] == ("times", Decimal(1))


def test_ordinals_and_multipliers_of_both_languages() -> None:
    assert (numbers.ORDINALS[EN]["third"], numbers.ORDINALS[PL]["trzeciego"], numbers.ORDINALS[PL]["trzecia"]) == (
        3,
        3,
        3,
    )
    assert (numbers.multiplier("million", EN), numbers.multiplier("tys", PL), numbers.multiplier("kg", EN)) == (
        1_000_000,
        1_000,
        None,
    )
    assert {"seven", "thousand", "seventh"} <= numbers.words(EN)
    assert {"siedem", "tysiąc", "siódmy"} <= numbers.words(PL)
    assert "seven" not in numbers.words(PL)
