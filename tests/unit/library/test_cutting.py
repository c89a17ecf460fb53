"""How a text is cut: by the best places that are enough."""

from __future__ import annotations

from palimpsest.domain.library.cutting import CODE, PROSE, Ladder, Measure, cut


def parts(text: str, ladder: Ladder, measure: Measure, limit: int) -> list[str]:
    return [text[part.begin : part.end] for part in cut(text, ladder, measure, limit)]


def test_a_text_that_fits_is_one_part_without_the_space_around_it() -> None:
    assert parts("  a b \n", PROSE, len, 10) == ["a b"]
    assert parts("\n  a b \n", CODE, len, 10) == ["  a b"]
    assert parts(" \n\t", PROSE, len, 10) == []


def test_parts_are_of_about_equal_size() -> None:
    assert parts("One is. Two is. Six is. Ten is. Not so.", PROSE, len, 35) == [
        "One is. Two is. Six is.",
        "Ten is. Not so.",
    ]


def test_what_no_space_parts_is_measured_together() -> None:
    def measure(text: str) -> int:
        return len(text) ** 2 // 4

    found = parts("雨です。晴れる。" * 3, PROSE, measure, 25)

    assert "".join(found) == "雨です。晴れる。" * 3
    assert max(map(measure, found)) <= 25


def test_a_word_without_an_end_is_cut_between_characters() -> None:
    assert parts("x" * 25, PROSE, len, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_only_a_character_that_is_too_large_by_itself_stays_so() -> None:
    assert parts("żab", PROSE, lambda text: len(text.encode()), 1) == ["ż", "a", "b"]


def test_what_is_far_too_long_is_not_measured_as_a_whole() -> None:
    asked: list[int] = []

    def measure(text: str) -> int:
        asked.append(len(text))
        return len(text.split())

    cut("One sentence of some words. " * 1_000, PROSE, measure, 50)

    assert max(asked) < 1_000
    assert len(asked) < 1_010
