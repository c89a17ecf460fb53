"""The labelled texts of the graph are many, half of them traps, and what is labelled stands in the text."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter

import pytest

from tests.support.graph_texts import FILE, GraphText, graph_texts

FROZEN = "9f2abe35ab5d6a00982f3a1b14316b8ccdb7da0ff56a23de76bedf05c94dd112"
TYPES = {"person", "organization", "project", "tool", "technology", "place", "event", "agent", "animal", "concept"}
PREDICATES = {
    "uses", "depends_on", "part_of", "created_by", "works_on", "works_at",
    "located_in", "attended", "has", "family_of", "knows", "prefers",
}  # fmt: skip
TARGETS = {
    "works_on": {"project"},
    "works_at": {"organization"},
    "located_in": {"place"},
    "attended": {"event"},
    "family_of": {"person"},
    "knows": {"person"},
    "created_by": {"person", "organization", "You"},
    "part_of": {"organization", "project"},
}
TEXTS = graph_texts()


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().removeprefix("@").split())


def _types(text: GraphText) -> dict[str, str]:
    return {"You": "You"} | {entity.name: entity.type for entity in text.entities}


def _says_nothing(text: GraphText) -> bool:
    return not (text.entities or text.relations or text.attributes)


def _of(language: str) -> list[GraphText]:
    return [text for text in TEXTS if text.language == language]


def test_the_labels_are_those_that_were_frozen() -> None:
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == FROZEN


@pytest.mark.parametrize("language", ["en", "pl"])
def test_each_language_has_enough_texts_and_a_third_of_them_say_nothing(language: str) -> None:
    texts = _of(language)

    assert len(texts) >= 170
    assert 0.3 <= sum(map(_says_nothing, texts)) / len(texts) <= 0.4
    assert sum(bool(text.known) for text in texts) >= len(texts) / 3
    assert sum(bool(text.seen) for text in texts) >= 7
    assert sum(len(re.findall(r"[.!?](?:\s|$)", text.text)) > 1 for text in texts) >= 20


@pytest.mark.parametrize("language", ["en", "pl"])
def test_each_language_has_all_types_and_predicates(language: str) -> None:
    types = Counter(entity.type for text in _of(language) for entity in text.entities)
    predicates = Counter(relation.predicate for text in _of(language) for relation in text.relations)

    assert set(types) == TYPES
    assert set(predicates) == PREDICATES
    assert min(types.values()) >= 3
    assert min(predicates.values()) >= 5
    assert sum(len(text.attributes) for text in _of(language)) >= 12


@pytest.mark.parametrize("language", ["en", "pl"])
def test_many_texts_name_things_and_relate_nothing(language: str) -> None:
    unrelated = [text for text in _of(language) if text.entities and not text.relations]

    assert len(unrelated) >= 30
    assert sum(bool(text.why) for text in unrelated) >= 25


def test_ids_and_texts_are_there_once_and_begin_with_their_language() -> None:
    assert len({text.id for text in TEXTS}) == len(TEXTS)
    assert len({_key(text.text) for text in TEXTS}) == len(TEXTS)
    assert {(text.language, text.id[0]) for text in TEXTS} == {("en", "e"), ("pl", "p")}


def test_what_says_nothing_tells_what_it_tempts_a_rule_to_do() -> None:
    assert [text.id for text in TEXTS if _says_nothing(text) and not text.why] == []


def test_surfaces_evidence_and_attributes_stand_in_the_text() -> None:
    for text in TEXTS:
        for entity in text.entities:
            whole = rf"(?<!\w){re.escape(entity.surface)}(?!\w)(?!['’-](?!s\b)\w)"
            assert re.search(whole, text.text), (text.id, entity.name)
        for relation in text.relations:
            assert "" != relation.evidence in text.text, (text.id, relation)
        for attribute in text.attributes:
            assert "" != attribute.text in text.text, (text.id, attribute)


def test_both_ends_of_a_relation_are_entities_of_the_text_or_the_owner() -> None:
    for text in TEXTS:
        names = set(_types(text))
        ends = {end for relation in text.relations for end in (relation.source, relation.target)}

        assert ends | {attribute.entity for attribute in text.attributes} <= names, text.id
        assert all(relation.source != relation.target for relation in text.relations), text.id


def test_nothing_is_labelled_twice_in_a_text() -> None:
    for text in TEXTS:
        said = [(relation.source, relation.predicate, relation.target) for relation in text.relations]

        assert len({_key(entity.name) for entity in text.entities}) == len(text.entities), text.id
        assert len(set(said)) == len(said), text.id
        assert "You" not in {entity.name for entity in text.entities}, text.id


def test_a_relation_leads_to_a_thing_of_the_right_type() -> None:
    for text in TEXTS:
        for relation in text.relations:
            wanted = TARGETS.get(relation.predicate, TYPES)
            assert _types(text)[relation.target] in wanted, (text.id, relation)


def test_kin_always_and_nothing_but_kin_and_acquaintances_has_a_phrase() -> None:
    for text in TEXTS:
        for relation in text.relations:
            assert relation.phrase or relation.predicate != "family_of", (text.id, relation)
            assert not relation.phrase or relation.predicate in {"family_of", "knows"}, (text.id, relation)


def test_a_name_keeps_its_type_in_all_texts() -> None:
    labelled = {(_key(entity.name), entity.type) for text in TEXTS for entity in text.entities}
    known = {(_key(name.name), name.type) for text in TEXTS for name in text.known}

    assert [name for name, count in Counter(name for name, _ in labelled | known).items() if count > 1] == []


def test_what_a_known_alias_names_is_filed_under_the_known_name() -> None:
    for text in TEXTS:
        aliases = {_key(alias) for name in text.known for alias in name.aliases}

        assert [entity for entity in text.entities if _key(entity.name) in aliases] == [], text.id


def test_an_english_name_in_small_letters_or_another_spelling_is_known() -> None:
    for text in _of("en"):
        known = {_key(spelling) for name in text.known for spelling in (name.name, *name.aliases)}
        for entity in text.entities:
            as_filed = _key(entity.surface) == _key(entity.name)
            assert as_filed or _key(entity.surface) in known, (text.id, entity)
            assert not entity.name[0].islower() or _key(entity.name) in known, (text.id, entity)


def test_what_another_source_has_seen_is_a_name_of_the_text_or_a_heading_in_it() -> None:
    heading = re.compile(r"\b[A-ZŁŻ]\w+ (?:and )?[A-ZŁŻ]\w+")

    for text in TEXTS:
        names = {entity.name for entity in text.entities} or set(heading.findall(text.text))
        assert not text.seen or any(name in text.seen for name in names), text.id


def test_the_owner_of_an_english_relation_speaks_or_is_named() -> None:
    for text in _of("en"):
        ends = {end for relation in text.relations for end in (relation.source, relation.target)}

        assert "You" not in ends or re.search(r"\b(i|my|we|our|the user)\b", text.text, re.IGNORECASE), text.id
