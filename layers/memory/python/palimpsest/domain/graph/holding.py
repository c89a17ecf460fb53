"""What of a reading waits for a term of the vocabulary, and what becomes of it once there is that term; pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from palimpsest.domain.graph.links import MENTION, HeldOut, Links, Mention, Relation
from palimpsest.domain.graph.term import TermKind, term_name
from palimpsest.domain.ids import EntityId
from palimpsest.domain.naming.names import name_key
from palimpsest.domain.naming.proposals import Kept, Method
from palimpsest.domain.naming.validating import SURE

MOST: Final = 3
"""Of one source for new types of entities, and for new predicates: who proposes more has not read the rules."""

Digest = Callable[[TermKind, str], str]
"""The keyed hash of a term."""


def held_out(kept: Kept, blocked: Collection[tuple[TermKind, str]], digest: Digest) -> tuple[HeldOut, ...]:
    """The sure ones whose term has a possible name that is not blocked.

    Only a model proposes types: what rules know the type of is an entity whose type was disabled or deleted.
    """

    def proposal(kind: TermKind, text: str) -> tuple[str, str] | None:
        name = term_name(text)
        return None if name is None or (kind, name) in blocked else (name, digest(kind, name))

    types = [
        HeldOut(found[1], TermKind.ENTITY_TYPE, found[0], each.name, each.confidence, span=each.span)
        for each in kept.unknown_types
        if each.method is Method.MODEL and each.confidence >= SURE
        if (found := proposal(TermKind.ENTITY_TYPE, each.type))
    ]
    predicates = [
        HeldOut(
            found[1],
            TermKind.PREDICATE,
            found[0],
            each.source,
            each.confidence,
            each.target,
            each.phrase,
            each.evidence,
        )
        for each in kept.unknown_predicates
        if (found := proposal(TermKind.PREDICATE, each.predicate))
    ]
    return (*types[:MOST], *predicates[:MOST])


def wanted_for(links: Links, proposal: str) -> dict[str, str]:
    """The names, with their type, that entities are wanted for when a type is taken up."""
    return {each.name: each.term for each in links.held if each.proposal == proposal and not each.target}


def taken_up(links: Links, proposal: str, known: Mapping[str, EntityId]) -> Links:
    """The links once the proposal is a term: what is held out for it is an entity, or a relation, of that term.

    Args:
        links: Of one source.
        proposal: Keyed hash of the term.
        known: The entities of `wanted_for`, by name key; a name that leads to none stays out.
    """
    mine = [each for each in links.held if each.proposal == proposal]
    mentions = {mention.entity: mention for mention in links.mentions}
    for each in mine:
        entity = None if each.target else known.get(name_key(each.name))
        if entity is not None:
            mentions.setdefault(entity, Mention(entity, each.name, Method.MODEL, each.confidence, each.span))
    terms = {each.term for each in mine if each.target}
    relations = tuple(_stated(relation, terms) for relation in links.relations)
    rest = tuple(each for each in links.held if each.proposal != proposal)
    return replace(links, mentions=tuple(mentions.values()), relations=relations, held=rest)


def _stated(relation: Relation, terms: Collection[str]) -> Relation:
    """A mention whose predicate was proposed, as a relation of it."""
    name = term_name(relation.proposed or "") or MENTION
    if relation.predicate != MENTION or name not in terms or relation.confidence < SURE:
        return relation
    return replace(relation, predicate=name, proposed=None)
