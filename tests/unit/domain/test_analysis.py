"""Texts to terms: what is stored and what is asked meet, however they were typed."""

from __future__ import annotations

import pytest

from palimpsest.adapters.models.snowball import Snowball
from palimpsest.domain.analysis import Analysis, analyse, analyse_query, fold, query_words


@pytest.fixture(scope="module")
def linguist() -> Snowball:
    return Snowball()


def test_english_words_become_stems_and_keep_their_own_form(linguist: Snowball) -> None:
    found = analyse("Caroline was running with the dogs in the old park", linguist)

    assert found == Analysis(
        ("carolin", "caroline", "was", "run", "running", "with", "the", "dog", "dogs", "in", "old", "park"), 5
    )


def test_polish_words_are_folded_after_stemming(linguist: Snowball) -> None:
    found = analyse("Żółte łóżko stało w pokoju, a na nim były książki", linguist)

    assert {"lozk", "lozko", "ksiazk", "ksiazki", "zolt", "zolte"} <= set(found.terms)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Kupiłem nowe łóżko do sypialni dla gości", "lozko"),
        ("Kupiłem nowe łóżko do sypialni dla gości", "łóżka"),
        ("kupilem nowe lozko do sypialni dla gosci", "łóżko"),
        ("Anna mieszka teraz w Krakowie i tam pracuje", "gdzie jest kraków"),
        ("Zażółć gęślą jaźń, powiedział nauczyciel do dzieci", "zazolc gesla jazn"),
        ("The dogs were barking all night at the neighbour", "dog barks"),
        ("The naïve café owner moved away from the town", "naive cafe"),
        ("Deployment failed with ERR-4411 on the second node", "err-4411"),
        ("Deployment failed with ERR-4411 on the second node", "4411"),
        ("Write to Anna.Nowak@example.com about the invoice", "anna.nowak@example.com"),
        ("Write to Anna.Nowak@example.com about the invoice", "nowak"),
        ("The bug sits in src/app/main_loop.py near the end", "main_loop.py"),
        ("The bug sits in src/app/main_loop.py near the end", "loop"),
        ("She writes C++ and C# but never touches plain C", "c++"),
        ("Released v2.10.3 on 2026-03-01 at 13:45 to everybody", "v2.10.3"),
        ("Released v2.10.3 on 2026-03-01 at 13:45 to everybody", "13:45"),
        ("Das Straßenfest beginnt am Samstag um zehn Uhr", "STRASSENFEST"),
        ("Καλημέρα σε όλους τους φίλους μου σήμερα", "καλημερα"),
        ("Привет всем моим друзьям в этом городе", "привет"),
        ("今日 は 天気 が いい です", "天気"),
    ],
)
def test_what_is_asked_finds_what_is_stored(linguist: Snowball, stored: str, asked: str) -> None:
    assert set(analyse_query(asked, linguist)) & set(analyse(stored, linguist).terms)


def test_a_name_is_found_whole_before_its_parts(linguist: Snowball) -> None:
    assert query_words("ERR-4411", linguist) == (("err-4411",), ("err",), ("4411",))


def test_words_joined_by_a_hyphen_are_words(linguist: Snowball) -> None:
    assert "well-known" not in analyse("A well-known place by the sea", linguist).terms


def test_the_forms_of_a_word_are_alternatives(linguist: Snowball) -> None:
    words = query_words("Where did Caroline go running with the dogs?", linguist)

    assert words == (("carolin", "caroline"), ("go",), ("run", "running"), ("dog", "dogs"))


def test_a_query_of_few_words_is_stemmed_for_every_language(linguist: Snowball) -> None:
    assert query_words("kotami", linguist) == (("kotami", "kot"),)


def test_stop_words_are_left_out_of_queries(linguist: Snowball) -> None:
    assert analyse_query("What is the name of the dog?", linguist) == ("name", "dog")
    assert "ktory" not in analyse_query("Który pies jest w tym domu?", linguist)


def test_a_query_of_stop_words_alone_still_finds_the_texts_that_have_them(linguist: Snowball) -> None:
    asked = analyse_query("to be or not to be", linguist)

    assert asked == ("to", "be", "or", "not")
    assert set(asked) <= set(analyse("To be or not to be, that is the question", linguist).terms)


def test_stop_words_do_not_count_and_are_kept_once(linguist: Snowball) -> None:
    found = analyse("the dog and the cat and the bird", linguist)

    assert found.length == 3
    assert found.terms.count("the") == 1


def test_repeated_words_are_repeated_terms(linguist: Snowball) -> None:
    found = analyse("dogs chase dogs that chase other dogs", linguist)

    assert found.terms.count("dog") == 3
    assert found.length == 6


@pytest.mark.parametrize("text", ["", " \n", "... !!! ???", "___", "🫠🪨"])
def test_a_text_without_words_has_no_terms(linguist: Snowball, text: str) -> None:
    assert analyse(text, linguist) == Analysis((), 0)
    assert query_words(text, linguist) == ()


def test_both_forms_of_unicode_are_one(linguist: Snowball) -> None:
    composed, decomposed = "caf\u00e9 cr\u00e8me", "cafe\u0301 cre\u0300me"

    assert analyse(composed, linguist) == analyse(decomposed, linguist)


def test_an_endless_word_is_cut_alike_on_both_sides(linguist: Snowball) -> None:
    endless = "x7" * 50_000

    assert analyse(endless, linguist).terms == ("x7" * 32,)
    assert analyse_query(endless, linguist) == ("x7" * 32,)


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("łódź", "lodz"),
        ("naïve", "naive"),
        ("smørrebrød", "smorrebrod"),
        ("œuvre", "oeuvre"),
        ("й", "и"),
        ("한국", "한국"),
    ],
)
def test_folding_takes_diacritics_and_strokes(word: str, folded: str) -> None:
    assert fold(word) == folded
