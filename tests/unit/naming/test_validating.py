from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.naming.names import OWNER, NameFault, fault_of, name_key
from palimpsest.domain.naming.proposals import (
    Kept,
    Proposals,
    ProposedAttribute,
    ProposedEntity,
    ProposedRelation,
    Refusal,
)
from palimpsest.domain.naming.validating import MOST_ENTITIES, SURE, Vocabulary, is_math_dense, validate
from palimpsest.domain.naming.vocabulary import ENTITY_TYPES, LOOMEM_RELATIONS, PREDICATES

ACTIVE = Vocabulary()
ANNA = ProposedEntity("Anna", "person", 0.9)
ALLEGRO = ProposedEntity("Allegro", "organization", 0.9)
EMPLOYED = ProposedRelation("Anna", "works_at", "Allegro", 0.9, "works at")


def kept(*entities: ProposedEntity, relations: tuple[ProposedRelation, ...] = ()) -> Kept:
    return validate(Proposals(entities, relations), ACTIVE)


def test_what_is_sound_is_kept_as_it_is() -> None:
    assert kept(ANNA, ALLEGRO, relations=(EMPLOYED,)) == Kept((ANNA, ALLEGRO), (EMPLOYED,))


def test_an_unknown_type_is_held_out_and_told() -> None:
    galaxy = ProposedEntity("Andromeda", "galaxy", 0.9)

    assert kept(galaxy) == Kept(unknown_types=(galaxy,))


def test_a_name_that_cannot_be_one_is_refused_with_its_reason() -> None:
    assert kept(ProposedEntity("f(x)", "concept", 1.0)) == Kept(refused=(Refusal("f(x)", NameFault.MATH),))


def test_a_relation_needs_both_its_ends() -> None:
    assert kept(ANNA, relations=(EMPLOYED,)).relations == ()


def test_the_owner_is_an_end_that_needs_no_entity() -> None:
    owned = ProposedRelation("you", "works_at", "ALLEGRO", 0.9, "work at")

    assert kept(ALLEGRO, relations=(owned,)).relations == (replace(owned, source=OWNER, target="Allegro"),)


def test_nothing_is_related_to_itself() -> None:
    assert kept(ANNA, relations=(replace(EMPLOYED, target="@anna"),)) == Kept((ANNA,))


def test_duplicates_are_one_and_the_surest_counts() -> None:
    sure, again = replace(EMPLOYED, confidence=0.95), replace(EMPLOYED, source="anna")

    assert kept(ANNA, replace(ANNA, name="anna", type="animal"), ALLEGRO, relations=(again, sure)) == Kept(
        (ANNA, ALLEGRO), (sure,)
    )


def test_an_unsure_relation_becomes_a_mention_that_keeps_its_phrase_and_confidence() -> None:
    unsure = replace(EMPLOYED, confidence=0.69)

    assert kept(ANNA, ALLEGRO, relations=(unsure,)) == Kept((ANNA, ALLEGRO), mentions=(unsure,))


def test_an_unknown_predicate_is_a_mention_and_proposed_when_sure() -> None:
    sued = ProposedRelation("Anna", "sued", "Allegro", 0.8)
    filed = replace(sued, phrase="sued")

    assert kept(ANNA, ALLEGRO, relations=(sued,)) == Kept(
        (ANNA, ALLEGRO), mentions=(filed,), unknown_predicates=(filed,)
    )


def test_the_surest_five_are_kept() -> None:
    names = [ProposedEntity(f"Name {letter}", "person", n / 10) for n, letter in enumerate("ABCDEFG")]

    assert [each.name[-1] for each in kept(*names).entities] == ["G", "F", "E", "D", "C"]


def test_attributes_of_what_is_kept_are_kept_once() -> None:
    vet = ProposedAttribute("anna", " vet ", 0.9)

    found = validate(Proposals((ANNA,), (), (vet, vet, replace(vet, entity="Kuba"))), ACTIVE)

    assert found.attributes == (ProposedAttribute("Anna", "vet", 0.9),)


def test_formulas_are_dense_and_sentences_are_not() -> None:
    assert is_math_dense("x^2 + 3x - 4 = 0, (x + 4)(x - 1) = 0, x = 1 or x = -4, D = 25 > 0")
    assert not is_math_dense("The invoice of 14 July is for 1,250 EUR, due in 30 days, and nobody has paid it yet.")
    assert not is_math_dense("2 + 2 = 4")


def test_every_term_has_a_rule_and_every_foreign_relation_a_place() -> None:
    terms = (*ENTITY_TYPES, *PREDICATES)

    assert all(len(term.description) > 20 for term in terms)
    assert len({term.name for term in terms}) == len(terms) == 22
    assert len(LOOMEM_RELATIONS) == 13
    assert {each.predicate for each in LOOMEM_RELATIONS.values()} - {None} <= ACTIVE.predicates


ENTITIES = st.builds(
    ProposedEntity,
    st.sampled_from(
        ["Anna", "anna", "@Anna", "Kuba", "You", "f(x)", "12 May", "x" * 50, "Rex", "Gdynia", "Zed", "Ola"]
    ),
    st.sampled_from(["person", "animal", "galaxy"]),
    st.floats(0, 1),
)
RELATIONS = st.builds(
    ProposedRelation,
    st.sampled_from(["Anna", "kuba", "You", "Nobody", "Rex"]),
    st.sampled_from(["knows", "sued"]),
    st.sampled_from(["Anna", "Kuba", "You", "Zed", "Ola"]),
    st.floats(0, 1),
)


@given(st.lists(ENTITIES), st.lists(RELATIONS))
def test_whatever_is_proposed_what_is_kept_is_sound(
    entities: list[ProposedEntity], relations: list[ProposedRelation]
) -> None:
    found = validate(Proposals(tuple(entities), tuple(relations)), ACTIVE)
    keys = [name_key(each.name) for each in found.entities]
    edges = found.relations + found.mentions

    assert len(keys) == len(set(keys)) <= MOST_ENTITIES
    assert all(fault_of(each.name) is None and each.type in ACTIVE.types for each in found.entities)
    assert {name_key(end) for each in edges for end in (each.source, each.target)} <= {*keys, "you"}
    assert all(name_key(each.source) != name_key(each.target) for each in edges)
    assert all(each.confidence >= SURE and each.predicate in ACTIVE.predicates for each in found.relations)
    assert validate(Proposals(found.entities, found.relations), ACTIVE).relations == found.relations
