"""What a model answers is read strictly: what means nothing is left out, what has another form is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.domain.naming.answering import read_answer
from palimpsest.domain.naming.names import OWNER
from palimpsest.domain.naming.proposals import (
    Proposals,
    ProposedAttribute,
    ProposedEntity,
    ProposedRelation,
    Span,
)

TEXT = "Ola Nowak works at Acme. Pixel is a greyhound."
OLA = {"name": "Ola Nowak", "type": "person", "percent": 90}
ACME = {"name": "Acme", "type": "organization", "percent": 80}
EMPLOYED = {"source": "Ola Nowak", "predicate": "works_at", "target": "Acme", "phrase": "works at", "percent": 90}


def read(text: str = TEXT, *, known: tuple[str, ...] = (), has_owner: bool = True, **lists: object) -> Proposals:
    return read_answer(lists, text, known, has_owner=has_owner)


def names(found: Proposals) -> list[str]:
    return [each.name for each in found.entities]


def test_names_relations_and_attributes_are_read_with_where_they_stand() -> None:
    pixel = {"name": "Pixel", "type": "animal", "percent": 95}
    greyhound = {"entity": "Pixel", "text": "a greyhound", "percent": 95}

    found = read(entities=[OLA, ACME, pixel], relations=[EMPLOYED], attributes=[greyhound])

    assert found == Proposals(
        (
            ProposedEntity("Ola Nowak", "person", 0.9, span=Span(0, 9)),
            ProposedEntity("Acme", "organization", 0.8, span=Span(19, 23)),
            ProposedEntity("Pixel", "animal", 0.95, span=Span(25, 30)),
        ),
        (ProposedRelation("Ola Nowak", "works_at", "Acme", 0.9, "works at", Span(10, 18)),),
        (ProposedAttribute("Pixel", "a greyhound", 0.95, Span(34, 45)),),
    )


def test_a_name_is_found_in_another_case() -> None:
    krakow = {"name": "Kraków", "type": "place", "percent": 90}

    (found,) = read("Mieszkam w Krakowie od maja.", entities=[krakow]).entities

    assert found.span == Span(11, 19)


def test_a_name_is_found_in_small_letters() -> None:
    github = {"name": "GitHub", "type": "tool", "percent": 90}

    assert read("i keep it on github", entities=[github]).entities[0].span == Span(13, 19)


def test_a_name_that_the_text_lacks_is_left_out_unless_it_was_listed() -> None:
    zofia = {"name": "Zofia", "type": "person", "percent": 99}

    assert names(read(entities=[zofia, OLA])) == ["Ola Nowak"]
    assert names(read(entities=[zofia, OLA], known=("Zofia",))) == ["Zofia", "Ola Nowak"]


def test_new_terms_are_put_in_the_form_of_terms() -> None:
    found = read(entities=[{**OLA, "type": "Team Member"}, ACME], relations=[{**EMPLOYED, "predicate": "Consults for"}])

    assert (found.entities[0].type, found.relations[0].predicate) == ("team_member", "consults_for")


def test_the_owner_is_an_end_in_memories_alone() -> None:
    mine = {**EMPLOYED, "source": OWNER}

    assert [each.source for each in read(entities=[ACME], relations=[mine]).relations] == [OWNER]
    assert read(entities=[ACME], relations=[mine], has_owner=False).relations == ()


def test_words_that_the_text_lacks_are_no_phrase_and_no_attribute() -> None:
    made_up = {"entity": "Acme", "text": "the best company", "percent": 90}

    found = read(entities=[OLA, ACME], relations=[{**EMPLOYED, "phrase": "was fired by"}], attributes=[made_up])

    assert (found.relations[0].phrase, found.relations[0].evidence, found.attributes) == ("", None, ())


@pytest.mark.parametrize(
    "row",
    [
        {**OLA, "name": "x" * 10_000},
        {**OLA, "name": 7},
        {**OLA, "type": ""},
        {**OLA, "type": "y" * 10_000},
        {**OLA, "percent": "very"},
        {**OLA, "percent": True},
        {**OLA, "percent": 900},
        {**OLA, "percent": float("nan")},
        {"name": "Ola Nowak"},
        "Ola Nowak",
        None,
    ],
    ids=lambda row: str(row)[:30],
)
def test_an_entry_that_means_nothing_is_left_out_and_the_others_stay(row: object) -> None:
    assert names(read(entities=[row, ACME])) == ["Acme"]


def test_of_five_hundred_entities_the_first_twenty_are_looked_at() -> None:
    many = [{**OLA, "name": f"Name{n}"} for n in range(500)]
    text = " ".join(str(each["name"]) for each in many)

    assert len(names(read(text, entities=many))) == 20


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"answer": "There are no entities in this text."},
        {"entities": "Ola Nowak"},
        {"entities": {"name": "Ola Nowak"}},
        {"entities": [], "relations": "none"},
        {"entities": None},
    ],
)
def test_another_form_is_no_answer(content: dict[str, object]) -> None:
    with pytest.raises(ModelAnswerUnusable):
        read_answer(content, TEXT, (), has_owner=True)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["Acme", "person"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "type", "percent", "source", "target", "phrase", "text"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["entities", "relations", "attributes", "other"]), _JSON))
def test_whatever_is_answered_is_refused_or_read(content: dict[str, object]) -> None:
    try:
        found = read_answer(content, TEXT, (), has_owner=True)
    except ModelAnswerUnusable:
        return
    assert all(0 <= each.confidence <= 1 and each.span is not None for each in found.entities)
