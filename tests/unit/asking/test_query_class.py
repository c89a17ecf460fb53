"""What kind of question a query is, by whole words of two languages, also without diacritics."""

from __future__ import annotations

import pytest

from palimpsest.domain.asking.query_class import EFFECTS, Order, QueryClass, asked_order, classify

QUERIES = {
    QueryClass.PROFILE: """
        what do you know about me|Who am I?|tell me about Marta|what have you learned about my work|describe me
        co wiesz o mnie|co o mnie pamiętasz|kim jestem|pokaż mój profil|opowiedz mi o Marcie|podsumuj mnie
        """,
    QueryClass.AGGREGATION: """
        how many cats does Ola have|list all restaurants we tried|how often do I run|name every client
        all of my allergies
        ile kotów ma Ola|ilu mamy klientów|wymień restauracje|wypisz klientów|wszystkie alergie|jak często biegam
        """,
    QueryClass.COMPLEX: """
        why did we leave AWS|compare the two offers|what is the difference between them|history of the office
        how has the plan changed since then|summarise the talks with Acme
        dlaczego odeszliśmy z AWS|porównaj oferty|czym się różnią te oferty|historia biura|podsumuj rozmowy z Acme
        jak się zmieniał plan|przeanalizuj umowę
        """,
    QueryClass.TEMPORAL: """
        when did we move|since when do I live here|how long did it take|what day is the review
        what did I say recently
        kiedy się przeprowadziliśmy|odkąd tu mieszkam|jak długo to trwało|którego dnia jest przegląd
        o czym mówiłem ostatnio
        """,
    QueryClass.SIMPLE: """
        what does Marta drink|ERR-4411|where is the office|how much does it cost|Ola's phone
        what happens when it rains
        co pije Marta|gdzie jest biuro|ile kosztuje bilet|telefon Oli|whyte and mackay|smile
        lista_plikow.py|silent mobile
        """,
}
LABELLED = [
    (query.strip(), each)
    for each, lines in QUERIES.items()
    for query in lines.replace("\n", "|").split("|")
    if query.strip()
]


@pytest.mark.parametrize(("query", "expected"), LABELLED)
def test_a_query_is_of_its_class_in_any_spelling(query: str, expected: QueryClass) -> None:
    bare = query.translate(str.maketrans("ąćęłńóśźż", "acelnoszz"))

    assert classify(query) is expected
    assert classify(query.upper()) is expected
    assert classify(bare) is expected


def test_a_query_that_names_a_time_is_temporal_unless_it_asks_for_more() -> None:
    assert classify("the office in March", names_time=True) is QueryClass.TEMPORAL
    assert classify("how many guests in March", names_time=True) is QueryClass.AGGREGATION
    assert classify("why did we move in March", names_time=True) is QueryClass.COMPLEX


def test_a_long_query_is_complex() -> None:
    assert classify(" ".join(["word"] * 15)) is QueryClass.SIMPLE
    assert classify(" ".join(["word"] * 16)) is QueryClass.COMPLEX


def test_a_class_says_how_many_results() -> None:
    limits = {each.value: EFFECTS[each].limit for each in QueryClass}

    assert limits == {"profile": 20, "aggregation": 30, "complex": 20, "temporal": 10, "simple": 10}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("when did we first talk about the office", Order.RELEVANCE),
        ("history of the office", Order.RELEVANCE),
        ("kiedy pierwszy raz rozmawialiśmy o biurze", Order.RELEVANCE),
        ("what happened with the office, in chronological order", Order.OLDEST_FIRST),
        ("timeline of the office", Order.OLDEST_FIRST),
        ("chronologicznie: co się działo z biurem", Order.OLDEST_FIRST),
        ("notatki o biurze od najnowszych", Order.NEWEST_FIRST),
        ("notes about the office, newest first", Order.NEWEST_FIRST),
    ],
)
def test_results_are_by_relevance_unless_the_query_asks_for_an_order(query: str, expected: Order) -> None:
    assert asked_order(query) is expected
