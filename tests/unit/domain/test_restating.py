"""What is another way of saying the same, and what only looks like it; the corpus, and pairs of our own beside it."""

from __future__ import annotations

import pytest

from palimpsest.domain.restating.comparing import restates
from palimpsest.domain.restating.opposing import opposes
from palimpsest.domain.restating.tellings import Telling
from tests.support.corpora import JudgePair, echo_pairs, judge_pairs

RECOGNISED = 0.6
DIFFERENT = [pair for pair in judge_pairs() if pair.label != "restated"]


def _restates(one: str, other: str) -> bool:
    return restates(Telling(one), Telling(other))


def test_no_pair_of_the_corpus_that_differs_is_taken_for_a_restatement() -> None:
    merged = [pair.id for pair in DIFFERENT if _restates(pair.existing, pair.incoming)]

    assert merged == []


def test_nothing_that_is_news_after_a_recall_is_taken_for_a_restatement() -> None:
    """Pairs that nobody had in view when the rules were written: the echo guard's."""
    news = [(memory, pair) for pair in echo_pairs() if not pair.is_echo for memory in pair.recalled.split("\n")]

    merged = [pair.id for memory, pair in news if _restates(memory, pair.saved)]

    assert len(news) >= 138
    assert merged == []


@pytest.mark.parametrize("language", ["en", "pl"])
def test_most_restatements_of_the_corpus_are_recognised(language: str) -> None:
    restated = [pair for pair in judge_pairs() if pair.label == "restated" and pair.language == language]

    recognised = [pair for pair in restated if _restates(pair.existing, pair.incoming)]

    assert len(recognised) >= RECOGNISED * len(restated)


def test_what_is_likely_to_contradict_is_none_of_what_may_be_true_beside_it() -> None:
    harmless = ("restated", "unrelated", "more_specific", "updated")

    doubted = [pair for pair in judge_pairs() if opposes(Telling(pair.existing), Telling(pair.incoming))]

    assert [pair.id for pair in doubted if pair.label in harmless] == []
    assert len(doubted) >= 0.4 * sum(_is_changed(pair) for pair in judge_pairs())


def _is_changed(pair: JudgePair) -> bool:
    return pair.label.endswith("_changed")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 2,100 EUR a month", "The rent is 2100 euros per month"),
        ("Anna wrote the report", "The report was written by Anna"),
        ("The standup is at 9:30 AM every day", "Every day the standup is at 9:30 a.m."),
        ("The user doesn't smoke.", "the user does not smoke"),
        ("The trial takes two weeks.", "The trial takes 14 days."),
        ("Spotkanie jest w poniedziałek o 10:00", "W poniedziałek o 10 jest spotkanie"),
        ("Umowa wygasa 30 czerwca 2026.", "Umowa wygasa 30.06.2026 r."),
        ("Użytkownik ma dwadzieścia dwa koty.", "Użytkownik ma 22 koty."),
    ],
)
def test_other_words_for_the_same_are_a_restatement(one: str, other: str) -> None:
    assert _restates(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna owes Ben 20 EUR", "Ben owes Anna 20 EUR"),
        ("The rent is 2,100 EUR a month", "The rent is 2,300 EUR a month"),
        ("Ola is allergic to nuts", "Ola is not allergic to nuts"),
        ("The meeting with Anna is on Monday", "The meeting with Hanna is on Monday"),
        ("The dog bit the man", "The dog was bitten by the man"),
        ("The user has a dog", "The user has dogs"),
        ("The user has a dog", "The user had a dog"),
        ("The user lives in Paris", "The user will live in Paris"),
        ("My sister lives in Rome", "His sister lives in Rome"),
        ("Robert pays the rent", "Roberts pays the rent"),
        ("The user is bored", "The user is boring"),
        ("Not all users like it", "All users do not like it"),
        ("Only Anna drinks tea", "Anna drinks only tea"),
        ("The user is not only tall", "The user is only not tall"),
        ("Turn on the light", "Turn off the light"),
        ("Is the user vegan?", "The user is vegan."),
        ("Call Anna, then call Ben", "Call Ben, then call Anna"),
        ("The man with the dog met the woman", "The man met the woman with the dog"),
        ("Version 3.10 is required", "Version 3.1 is required"),
        ("There are few errors", "There are a few errors"),
        ("The shop opens at 9", "The shop opens at 9 PM"),
        ("The team meets on Monday", "The team meets on Mondays"),
        ("Backup runs at 2:00 and cleanup at 4:00", "Backup runs at 4:00 and cleanup at 2:00"),
        ("The user's mother is Anna's teacher", "Anna's mother is the user's teacher"),
        ("The parcel weighs ~5 kg", "The parcel weighs 5 kg"),
        ("Lubię kawę z mlekiem", "Nie lubię kawy z mlekiem"),
        ("Lubię kawę", "Lubi kawę"),
        ("Robimy testy w piątki", "Robi testy w piątki"),
        ("Lekarz leczy", "Lekarz jest leczony"),
        ("Autobus wyprzedził samochód", "Samochód wyprzedził autobus"),
        ("Marek zaprosił Jana", "Marka zaprosił Jan"),
        ("Użytkownik lubi sąd", "Użytkownik lubi sad"),
        ("Użytkownik ma psa", "Użytkownik ma psy"),
        ("Nie wszyscy lubią kawę", "Wszyscy nie lubią kawy"),
        ("Użytkownik dał Annie książkę Oli", "Użytkownik dał Oli książkę Annie"),
        ("Maja ma psa", "Ma psa w maju"),
        ("Spotkanie jest o 5", "Spotkanie jest o 5 rano"),
        ("Nowe auto ma stare radio", "Stare auto ma nowe radio"),
    ],
)
def test_a_small_difference_is_no_restatement(one: str, other: str) -> None:
    assert not _restates(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 2,100 EUR a month", "The rent is 2,300 EUR a month"),
        ("The user likes the dark mode", "The user doesn't like the dark mode"),
        ("The orders service stores its data in MySQL.", "The orders service stores its data in MariaDB."),
        ("The municipal pool is open in winter.", "The municipal pool is closed in winter."),
        ("Umowa kończy się 03.04.2026.", "Umowa kończy się 04.03.2026."),
    ],
)
def test_the_same_but_for_what_matters_is_doubted(one: str, other: str) -> None:
    assert opposes(Telling(one), Telling(other))
    assert opposes(Telling(other), Telling(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user has a dog.", "The user has a dog named Biscuit."),
        ("The user drinks tea.", "The user drinks tea."),
        ("The user likes tea.", "Anna likes coffee."),
        ("The user lives in Rome.", "Użytkownik mieszka w Mediolanie."),
    ],
)
def test_what_can_be_true_beside_it_is_not_doubted(one: str, other: str) -> None:
    assert not opposes(Telling(one), Telling(other))


def test_a_text_as_long_as_a_document_is_only_its_own_restatement() -> None:
    long = "The user likes tea. " * 300

    assert _restates(long, long)
    assert not _restates(long, long.replace("The user likes tea.", "the user likes tea", 1))
