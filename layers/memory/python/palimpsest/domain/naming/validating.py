"""What is kept of proposals: the same rules for a model's and for our own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.naming import vocabulary
from palimpsest.domain.naming.names import OWNER, fault_of, name_key, tidy
from palimpsest.domain.naming.proposals import (
    Kept,
    Proposals,
    ProposedAttribute,
    ProposedEntity,
    ProposedRelation,
    Refusal,
)

MOST_ENTITIES: Final = 5
MOST_RELATIONS: Final = 5
SURE: Final = 0.7
"""Confidence from which a relation is stated and not just mentioned (memloom's)."""

DENSE: Final = 0.25
"""Share of math among math and letters from which a text is formulas (memloom's)."""

_DENSE_CHARACTERS: Final = 40
_MATH: Final = re.compile(r"[-+*/=^<>()\[\]{}|\\_0-9±×÷¬\u2190-\u21ff\u2200-\u22ff\u27c0-\u27ef\u2980-\u2aff]")
_OWNER_KEY: Final = name_key(OWNER)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of types and predicates that are active in a space."""

    types: frozenset[str] = frozenset(term.name for term in vocabulary.ENTITY_TYPES)
    predicates: frozenset[str] = frozenset(term.name for term in vocabulary.PREDICATES)


def validate(proposals: Proposals, active: Vocabulary) -> Kept:
    """What is kept of `proposals`, the surest first; among equals the order given."""
    named = [replace(each, name=tidy(each.name)) for each in proposals.entities]
    faults = {each.name: fault_of(each.name) for each in named}
    sound = [each for each in _surest(named) if faults[each.name] is None and name_key(each.name) != _OWNER_KEY]
    entities = _distinct([each for each in sound if each.type in active.types])[:MOST_ENTITIES]
    kept = {name_key(each.name): each.name for each in entities} | {_OWNER_KEY: OWNER}
    joined = _joined(proposals.relations, kept)
    stated = [each for each in joined if each.predicate in active.predicates and each.confidence >= SURE]
    mentions = [each for each in joined if each not in stated]
    return Kept(
        entities=tuple(entities),
        relations=tuple(stated[:MOST_RELATIONS]),
        mentions=tuple(mentions[:MOST_RELATIONS]),
        attributes=_attributes(proposals.attributes, kept),
        unknown_types=tuple(each for each in sound if each.type not in active.types),
        unknown_predicates=tuple(
            each for each in mentions if each.predicate not in active.predicates and each.confidence >= SURE
        ),
        refused=tuple(Refusal(name, fault) for name, fault in faults.items() if fault is not None),
    )


def is_math_dense(text: str) -> bool:
    """`text` is made of formulas rather than words: no model is asked about it, and no rule."""
    letters = sum(map(str.isalpha, text))
    math = len(_MATH.findall(text))
    return sum(map(len, text.split())) >= _DENSE_CHARACTERS and math >= DENSE * (math + letters)


def _surest(entities: Iterable[ProposedEntity]) -> list[ProposedEntity]:
    return sorted(entities, key=lambda each: -each.confidence)


def _distinct(entities: Iterable[ProposedEntity]) -> list[ProposedEntity]:
    first: dict[str, ProposedEntity] = {}
    for each in entities:
        first.setdefault(name_key(each.name), each)
    return list(first.values())


def _joined(relations: Iterable[ProposedRelation], kept: Mapping[str, str]) -> list[ProposedRelation]:
    """Relations whose two ends are kept and differ, by the names that are kept; of equal ones the surest."""
    first: dict[tuple[str, str, str], ProposedRelation] = {}
    for each in sorted(relations, key=lambda relation: -relation.confidence):
        source, target = name_key(each.source), name_key(each.target)
        if source in kept and target in kept and source != target:
            phrase = each.phrase or each.predicate.replace("_", " ")
            named = replace(each, source=kept[source], target=kept[target], phrase=phrase)
            first.setdefault((source, each.predicate, target), named)
    return list(first.values())


def _attributes(attributes: Iterable[ProposedAttribute], kept: Mapping[str, str]) -> tuple[ProposedAttribute, ...]:
    first: dict[tuple[str, str], ProposedAttribute] = {}
    for each in attributes:
        key, said = name_key(each.entity), tidy(each.text)
        if key in kept and said:
            first.setdefault((key, said.casefold()), replace(each, entity=kept[key], text=said))
    return tuple(first.values())
