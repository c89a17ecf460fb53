"""The labelled saves after a recall are many, and their kinds say what is true of their words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from statistics import median

import pytest

from tests.support.corpora import EchoPair, echo_pairs

ECHOES = {"verbatim", "lead_in", "excerpt", "merged", "paraphrase", "translated"}
HONEST = {"new_fact", "correction", "update", "detail", "same_topic", "quote_with_news"}
PAIRS = echo_pairs()


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text.lower().replace("ł", "l"))
    return re.findall(r"\w+", "".join(sign for sign in folded if not unicodedata.combining(sign)))


def _text(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _of(*kinds: str) -> list[EchoPair]:
    return [pair for pair in PAIRS if pair.kind in kinds]


@pytest.mark.parametrize("language", ["en", "pl"])
def test_each_language_has_as_many_echoes_as_honest_saves_and_all_kinds(language: str) -> None:
    pairs = [pair for pair in PAIRS if pair.language == language]
    echoes = sum(pair.is_echo for pair in pairs)
    kinds = Counter(pair.kind for pair in pairs)

    assert len(pairs) >= 110
    assert 0.45 <= echoes / len(pairs) <= 0.55
    assert set(kinds) == ECHOES | HONEST
    assert all(count >= 8 for kind, count in kinds.items() if kind != "translated")


def test_ids_and_pairs_are_there_once_and_begin_with_their_language() -> None:
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    assert len({(_text(pair.recalled), _text(pair.saved)) for pair in PAIRS}) == len(PAIRS)
    assert {(pair.language, pair.id[0]) for pair in PAIRS} == {("en", "e"), ("pl", "p")}


def test_a_kind_is_either_one_of_echoes_or_one_of_honest_saves() -> None:
    assert [pair.id for pair in PAIRS if pair.is_echo != (pair.kind in ECHOES)] == []


def test_one_to_four_memories_are_recalled_and_no_line_is_empty() -> None:
    for pair in PAIRS:
        lines = pair.recalled.split("\n")

        assert 1 <= len(lines) <= 4, pair.id
        assert all(line == line.strip() != "" for line in [*lines, *pair.saved.split("\n")]), pair.id


def test_a_verbatim_echo_has_the_recalled_words_in_their_order() -> None:
    assert [pair.id for pair in _of("verbatim") if _words(pair.saved) != _words(pair.recalled)] == []


def test_an_excerpt_is_whole_sentences_and_fewer_than_were_recalled() -> None:
    for pair in _of("excerpt"):
        sentences = [_text(sentence) for sentence in re.split(r"(?<=[.!?])\s+", pair.recalled)]
        taken = [sentence for sentence in sentences if sentence in _text(pair.saved)]

        assert 0 < len(taken) < len(sentences), pair.id
        assert sorted(_words("".join(taken))) == sorted(_words(pair.saved)), pair.id


def test_a_lead_in_stands_before_the_words_that_were_recalled() -> None:
    for pair in _of("lead_in"):
        ends = {_words(line)[-1] for line in re.split(r"\n|(?<=\.)\s", pair.recalled)}

        assert _words(pair.saved)[-1] in ends, pair.id
        assert len(_words(pair.saved)) > min(len(_words(line)) for line in pair.recalled.split("\n")), pair.id


def test_a_merged_echo_joins_two_memories_or_more() -> None:
    assert [pair.id for pair in _of("merged") if "\n" not in pair.recalled] == []


def test_no_honest_save_is_part_of_what_was_recalled() -> None:
    assert [pair.id for pair in PAIRS if not pair.is_echo and _text(pair.saved) in _text(pair.recalled)] == []


def test_echoes_say_every_number_as_it_was_recalled_unless_it_is_written_out() -> None:
    written_out = {"1", "6", "7"}

    for pair in PAIRS:
        news = set(re.findall(r"\d+", pair.saved)) - set(re.findall(r"\d+", pair.recalled))
        assert not pair.is_echo or news <= written_out, pair.id


def test_many_honest_saves_share_most_of_their_words_with_the_recall() -> None:
    honest = [pair for pair in PAIRS if not pair.is_echo]
    shared = [pair for pair in honest if len(set(_words(pair.saved)) & set(_words(pair.recalled))) >= 5]

    assert len(shared) >= len(honest) / 2


def test_length_does_not_give_an_echo_away() -> None:
    echoes = median(len(_words(pair.saved)) for pair in PAIRS if pair.is_echo)
    honest = median(len(_words(pair.saved)) for pair in PAIRS if not pair.is_echo)

    assert 0.7 <= echoes / honest <= 1.4
