"""Laws of restatements, over every text of the corpus and over made-up ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.opposing import opposes
from palimpsest.domain.restating.tellings import Telling
from tests.support.corpora import judge_pairs

TEXTS = sorted({text for pair in judge_pairs() for text in (pair.existing, pair.incoming)})
NAMES = re.compile(r"(?<=[a-ząćęłńóśźż,] )[A-ZŁŚŻ][a-ząćęłńóśźż]{2,}")
SMALL = [
    "a",
    "the",
    "is",
    "was",
    "not",
    "no",
    "never",
    "to",
    "of",
    "in",
    "by",
    "with",
    "and",
    "or",
    "but",
    "if",
    "nie",
    "nigdy",
]
SMALL += ["jest", "są", "był", "w", "na", "do", "z", "od", "i", "się"]
SENTENCES = st.lists(
    st.one_of(st.sampled_from(SMALL), st.sampled_from([word for text in TEXTS for word in text.split()])),
    min_size=1,
    max_size=12,
).map(" ".join)


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_restating_is_symmetric(one: str, other: str) -> None:
    assert _restates(one, other) == _restates(other, one)
    assert opposes(Telling(one), Telling(other)) == opposes(Telling(other), Telling(one))


@given(SENTENCES, st.randoms())
def test_whatever_is_written_restates_itself_and_is_judged_alike_from_both_sides(text: str, random: object) -> None:
    words = text.split()
    getattr(random, "shuffle")(words)  # noqa: B009 - hypothesis gives no type for it
    other = " ".join(words)

    assert _restates(text, text)
    assert _restates(text, other) == _restates(other, text)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_at_all_can_be_compared(one: str, other: str) -> None:
    assert _restates(one, one)
    assert _restates(one, other) == _restates(other, one)


def test_every_text_of_the_corpus_restates_itself() -> None:
    assert [text for text in TEXTS if not _restates(text, text)] == []


def test_another_digit_anywhere_is_never_a_restatement() -> None:
    _assert_never_restated(_with_another_digit, at_least=100)


def test_a_denial_put_anywhere_is_never_a_restatement() -> None:
    _assert_never_restated(_denied, at_least=1_000)


def test_another_name_is_never_a_restatement() -> None:
    _assert_never_restated(_renamed, at_least=100)


def test_two_names_that_change_places_are_never_a_restatement() -> None:
    _assert_never_restated(_with_names_swapped, at_least=10)


def _restates(one: str, other: str) -> bool:
    return restates(Telling(one), Telling(other))


def _assert_never_restated(changed: Callable[[str], Iterator[str]], *, at_least: int) -> None:
    texts = [(Telling(text), list(changed(text))) for text in TEXTS]

    restated = [(text.text, other) for text, others in texts for other in others if restates(text, Telling(other))]

    assert sum(len(others) for _, others in texts) > at_least
    assert restated == []


def _renamed(text: str) -> Iterator[str]:
    for match in NAMES.finditer(text):
        yield text[: match.start()] + "Ksawera" + text[match.end() :]


def _with_another_digit(text: str) -> Iterator[str]:
    for match in re.finditer(r"\d", text):
        yield text[: match.start()] + str((int(match.group()) + 1) % 10) + text[match.end() :]


def _denied(text: str) -> Iterator[str]:
    word = "nie" if re.search("[ąćęłńóśźż]", text) else "not"
    for match in list(re.finditer(r" (?=\w)", text))[:: 1 + len(text) // 60]:
        yield f"{text[: match.start()]} {word} {text[match.end() :]}"


def _with_names_swapped(text: str) -> Iterator[str]:
    found = list(NAMES.finditer(text))
    for first, second in pairwise(found):
        if first.group() != second.group():
            between = text[first.end() : second.start()]
            yield text[: first.start()] + second.group() + between + first.group() + text[second.end() :]
