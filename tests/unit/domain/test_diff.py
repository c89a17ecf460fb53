from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.diff import DiffKind, DiffPart, diff

words = st.lists(st.sampled_from(["ala", "ma", "kota", ",", " ", "\n", "żółw"]), max_size=12).map("".join)


def test_a_changed_word_is_removed_and_added() -> None:
    assert diff("Deploys happen on Tuesdays", "Deploys happen on Thursdays") == (
        DiffPart(DiffKind.SAME, "Deploys happen on "),
        DiffPart(DiffKind.REMOVED, "Tuesdays"),
        DiffPart(DiffKind.ADDED, "Thursdays"),
    )


@given(words, words)
def test_the_parts_give_both_texts_back(older: str, newer: str) -> None:
    parts = diff(older, newer)

    assert "".join(part.text for part in parts if part.kind is not DiffKind.ADDED) == older
    assert "".join(part.text for part in parts if part.kind is not DiffKind.REMOVED) == newer


def test_long_texts_are_compared_by_lines() -> None:
    older = "one two\n" * 3_000
    newer = older + "three\n"

    assert diff(older, newer)[-1] == DiffPart(DiffKind.ADDED, "three\n")


@pytest.mark.parametrize("end", [" ", "\n"])
def test_repetitive_texts_are_compared_in_bounded_time(end: str) -> None:
    chance = random.Random(7)
    older, newer = ("".join(chance.choice(("yes", "no")) + end for _ in range(6_000)) for _ in range(2))
    begun = time.process_time()

    parts = diff(f"same {older} same", f"same {newer} same")

    assert time.process_time() - begun < 3
    assert "".join(part.text for part in parts if part.kind is not DiffKind.ADDED) == f"same {older} same"
    assert "".join(part.text for part in parts if part.kind is not DiffKind.REMOVED) == f"same {newer} same"
    assert any(part.kind is DiffKind.ADDED for part in parts)


def test_prose_with_changes_at_both_ends_is_still_compared_by_words() -> None:
    prose = " ".join(f"word{n} and" for n in range(400))

    parts = diff(f"old {prose} here", f"new {prose} there")

    assert [part.kind for part in parts] == ["removed", "added", "same", "removed", "added"]
