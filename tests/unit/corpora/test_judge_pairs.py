"""The labelled pairs of the judge are many, hard, and as alike or unlike as their labels say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.support.corpora import JudgePair, judge_pairs

CHANGED = ("number_changed", "name_changed", "date_changed", "negation_changed")
LABELS = {"restated", "updated", "contradicting", "unrelated", "more_specific", *CHANGED}
PAIRS = judge_pairs()


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,:'’-]\w+)*|[<>-]", text.lower())


def _own_words(pair: JudgePair) -> tuple[Counter[str], Counter[str]]:
    """Words that only the existing, and that only the incoming text has."""
    existing, incoming = Counter(_words(pair.existing)), Counter(_words(pair.incoming))
    return existing - incoming, incoming - existing


def _labelled(*labels: str) -> list[JudgePair]:
    return [pair for pair in PAIRS if pair.label in labels]


def _skeleton(words: Sequence[str]) -> str:
    """The two words at each end: what texts of one template share."""
    return " ".join([*words[:2], "…", *words[-2:]])


@pytest.mark.parametrize("language", ["en", "pl"])
def test_each_language_has_enough_pairs_of_each_label(language: str) -> None:
    counts = Counter(pair.label for pair in PAIRS if pair.language == language)

    assert set(counts) == LABELS
    assert counts.total() >= 120
    assert counts["restated"] >= 40
    assert min(counts[label] for label in CHANGED) >= 12
    assert min(counts.values()) >= 8


def test_ids_and_pairs_are_there_once_and_begin_with_their_language() -> None:
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    assert len({(pair.existing, pair.incoming) for pair in PAIRS}) == len(PAIRS)
    assert {(pair.language, pair.id[0]) for pair in PAIRS} == {("en", "e"), ("pl", "p"), ("mixed", "m")}


def test_texts_are_clean_and_never_the_same_on_both_sides() -> None:
    for pair in PAIRS:
        assert pair.existing == pair.existing.strip() != "", pair.id
        assert pair.incoming == pair.incoming.strip() != "", pair.id
        assert pair.existing.lower() != pair.incoming.lower() or pair.label == "restated", pair.id


def test_what_changed_one_thing_shares_nearly_every_word() -> None:
    for pair in _labelled(*CHANGED):
        gone, new = _own_words(pair)

        assert pair.language == "mixed" or max(gone.total(), new.total()) <= 4, pair.id


def test_a_change_is_never_only_one_of_case_or_spacing() -> None:
    same = [pair.id for pair in PAIRS if pair.label != "restated" and _words(pair.existing) == _words(pair.incoming)]

    assert same == []


def test_many_pairs_of_different_meaning_have_the_same_words_in_another_order() -> None:
    moved = [pair for pair in PAIRS if pair.label != "restated" and not any(_own_words(pair))]

    assert len(moved) >= 12


def test_a_more_specific_text_is_longer_and_keeps_the_words() -> None:
    for pair in _labelled("more_specific"):
        gone, new = _own_words(pair)

        assert pair.language == "mixed" or gone.total() == 0 < new.total(), pair.id


def test_unrelated_texts_both_have_words_of_their_own() -> None:
    for pair in _labelled("unrelated"):
        gone, new = _own_words(pair)

        assert min(gone.total(), new.total()) >= 2, pair.id


def test_differences_hide_in_long_texts_as_well_as_in_short_ones() -> None:
    lengths = [len(_words(pair.existing)) for pair in _labelled(*CHANGED)]

    assert sum(length <= 5 for length in lengths) >= 10
    assert sum(length >= 18 for length in lengths) >= 10


def test_no_more_than_five_pairs_of_different_texts_share_a_template() -> None:
    skeletons = Counter(_skeleton(_words(text)) for text in {pair.existing for pair in PAIRS})

    assert skeletons.most_common(1)[0][1] <= 5
