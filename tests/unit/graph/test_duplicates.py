"""Which names may be those of one thing: only equal letters are sure, and versions, numbers and files never fold."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.graph.duplicates import Named, edit_distance, likeness, likenesses
from palimpsest.domain.ids import EntityId


def named(name: str, type_: str = "tool", id_: str = "a") -> Named:
    return Named(EntityId(id_), name, type_)


@pytest.mark.parametrize(
    ("one", "other", "score", "reason"),
    [
        ("Next.js", "NextJS", 1.0, "same_letters"),
        ("Open Search", "opensearch", 1.0, "same_letters"),
        ("acme/queue", "acme-queue", 1.0, "same_letters"),
        (".NET", "NET", 0.7, "same_letters"),
        ("C-", "C", 0.6, "same_letters"),
        ("Kraków Główny", "Kraków Główny Osobowy", 0.75, "contained"),
        ("Elasticsearch", "Elastcsearch", 0.6 + 0.15 * (1 - 1 / 12), "misspelt"),
    ],
)
def test_names_that_may_be_one(one: str, other: str, score: float, reason: str) -> None:
    found = likeness(named(one), named(other, id_="b"))

    assert found is not None
    assert (round(found.score, 4), found.reason) == (round(score, 4), reason)
    assert found.is_sure == (score == 1.0)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Kasia Nowak", "Katarzyna Nowak", "diminutive"),
        ("Bob Martin", "Robert Martin", "diminutive"),
        ("Marka Lisa", "Marek Lis", "inflected"),
        ("Ola", "Ola Nowak", "contained"),
    ],
)
def test_people_are_known_by_short_and_inflected_names_but_never_for_sure(one: str, other: str, reason: str) -> None:
    found = likeness(named(one, "person"), named(other, "person", "b"))

    assert found is not None
    assert (found.reason, found.is_sure) == (reason, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Python 3.11", "Python 3.12"),
        ("Python", "Python 3"),
        ("report", "report.pdf"),
        ("acme", "acme.com"),
        ("Route 66", "Route 6"),
        ("Java", "JavaScript"),
        ("cat", "bat"),
        ("Ola Nowak", "Piotr Zieliński"),
    ],
)
def test_names_that_are_never_one(one: str, other: str) -> None:
    assert likeness(named(one), named(other, id_="b")) is None


def test_two_types_are_never_one_for_sure() -> None:
    found = likeness(named("Phoenix", "project"), named("phoenix!", "place", "b"))

    assert found is not None
    assert not found.is_sure


def test_each_pair_is_told_once_the_surest_first() -> None:
    some = [named("Next.js", id_="a"), named("NextJS", id_="b"), named("Elasticsearch", id_="c")]
    some += [named("Elastcsearch", id_="d"), named("Tokio", id_="e")]

    found = likenesses(some)

    assert [(each.one.id, each.other.id) for each in found] == [("a", "b"), ("c", "d")]
    assert likenesses(some[::-1]) == found


def test_names_of_the_same_letters_are_found_among_many_that_begin_as_they_do() -> None:
    """A report: where more than 200 names began alike, none of them was compared."""
    many = [named("Next" + "".join(pair), id_="".join(pair)) for pair in product("bcdfghkmpqrtvwxz", repeat=2)]

    found = likenesses([*many, named("Next.js", id_="1"), named("NextJS", id_="2")])

    assert [(each.one.name, each.other.name) for each in found if each.is_sure] == [("Next.js", "NextJS")]


@given(st.text(alphabet="abcdefghij", min_size=5, max_size=12), st.integers(0, 4), st.sampled_from("abcxyz"))
def test_a_name_with_one_other_letter_may_be_the_same(name: str, at: int, letter: str) -> None:
    assert likeness(named(name), named(name[:at] + letter + name[at + 1 :], id_="b")) is not None


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_does_not_depend_on_the_order_and_is_bounded(one: str, other: str) -> None:
    found, again = likeness(named(one), named(other, id_="b")), likeness(named(other, id_="b"), named(one))

    assert (found and found.score) == (again and again.score)
    assert found is None or 0.5 <= found.score <= 1.0


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6), st.integers(0, 3))
def test_edit_distance_is_that_of_levenshtein_up_to_its_bound(one: str, other: str, most: int) -> None:
    exact = _levenshtein(one, other)

    assert edit_distance(one, other, most) == (exact if exact <= most else None)


def _levenshtein(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return _levenshtein(one[1:], other[1:])
    return 1 + min(_levenshtein(one[1:], other), _levenshtein(one, other[1:]), _levenshtein(one[1:], other[1:]))
