"""Stems, and which language a text is in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from palimpsest.adapters.models.language_cues import Cues, cues, is_latin, sample
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.language import Language
from tests.support.sentences import ENGLISH, POLISH

EN, PL = Language.ENGLISH, Language.POLISH


@pytest.fixture(scope="module")
def snowball() -> Snowball:
    return Snowball()


def test_each_english_sentence_is_english(snowball: Snowball) -> None:
    assert {text: snowball.languages(text) for text in ENGLISH} == dict.fromkeys(ENGLISH, (EN,))


def test_each_polish_sentence_is_polish(snowball: Snowball) -> None:
    assert {text: snowball.languages(text) for text in POLISH} == dict.fromkeys(POLISH, (PL,))


def test_polish_without_diacritics_is_never_taken_for_english_alone(snowball: Snowball) -> None:
    bare = [text.translate(str.maketrans("ąćęłńóśźżŁŚŻ", "acelnoszzLSZ")) for text in POLISH]

    guesses = {text: snowball.languages(text) for text in bare}

    assert [text for text, languages in guesses.items() if PL not in languages] == []
    assert sum(languages == (PL,) for languages in guesses.values()) > 30


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "pottery class",
        "ok dzięki",
        "Kraków trip budget",
        "Marcus",
        "The bell rings. Kot śpi na piecu, a pies nie.",
    ],
)
def test_a_text_that_is_short_or_mixed_may_be_either(snowball: Snowball, text: str) -> None:
    assert snowball.languages(text) == (EN, PL)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12:30 → 14:00",
        "明日の会議は午後三時からに変更されました。",
        "Запасной ключ висит на гвозде.",
        "Der Ersatzschlüssel liegt unter der Matte neben dem Blumentopf.",
        "Je préfère le café sans sucre et le pain complet.",
        "El gato de mi vecina se llama Pepino y tiene tres años.",
        "Meine Nachbarin hat im März eine Stelle in Leipzig angetreten.",
    ],
)
def test_a_text_in_another_language_is_in_none(snowball: Snowball, text: str) -> None:
    assert snowball.languages(text) == ()


def test_a_long_text_is_judged_by_its_beginning_middle_and_end(snowball: Snowball) -> None:
    english, polish = " ".join(ENGLISH), " ".join(POLISH)

    assert len(sample(english)) < 1_000
    assert snowball.languages(english * 40) == (EN,)
    assert snowball.languages(polish * 40) == (PL,)
    assert snowball.languages(english * 20 + polish * 20) == (EN, PL)


def test_signs_are_small_words_and_spelling() -> None:
    assert cues("The cat and the fox") == Cues(english=7, polish=0, words=5)  # the, and, the; the x
    assert cues("Kot i się") == Cues(english=0, polish=2, words=3)
    assert cues("to do") == Cues(english=0, polish=0, words=2)


def test_a_third_of_the_letters_makes_a_text_latin() -> None:
    assert is_latin("API 変更")
    assert not is_latin("API の変更について説明します")
    assert not is_latin("...")


def test_stems_keep_order_and_diacritics(snowball: Snowball) -> None:
    assert snowball.stems(["running", "keys", "running", ""], EN) == ["run", "key", "run", ""]
    assert snowball.stems(["kotami", "kotem", "książkami", "łódką"], PL) == ["kot", "kot", "książk", "łódk"]
    assert snowball.stems([], PL) == []


def test_stems_stay_the_same_when_more_words_come_than_are_remembered() -> None:
    snowball = Snowball()
    many = [f"walking{i}ing" for i in range(60_000)]

    first = snowball.stems(many, EN)

    assert snowball.stems(many, EN) == first
    assert snowball.stems(["keys", "x" * 5_000], EN) == ["key", "x" * 5_000]


def test_many_threads_get_the_same_stems() -> None:
    snowball = Snowball()
    words = [word for text in POLISH for word in text.lower().split()]
    expected = Snowball().stems(words, PL)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: snowball.stems(words, PL), range(40)))

    assert all(result == expected for result in results)
