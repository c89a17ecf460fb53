from __future__ import annotations

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
