"""What was found in a source, by names, and the same by the ids of entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from palimpsest.domain.graph.links import IS, MENTION, HeldOut, Links, Mention, Outcome, ReadBy, Relation, Source
from palimpsest.domain.ids import EntityId, RunId, SpaceId
from palimpsest.domain.naming.names import OWNER, name_key
from palimpsest.domain.naming.proposals import Kept, Method, ProposedRelation

_MOST_ATTRIBUTES: Final = 5


@dataclass(frozen=True, slots=True)
class FoundNames:
    """What was found in a source, by names."""

    outcome: Outcome
    vocabulary: int
    run: RunId | None
    by: ReadBy = ReadBy.RULES
    model: str | None = None
    kept: Kept = field(default_factory=Kept)
    seen: tuple[str, ...] = ()
    held: tuple[HeldOut, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """The type of each name that an entity is wanted for."""
        kept = self.kept
        stated = {end for each in (*kept.relations, *kept.mentions) for end in ends(each)}
        of_owner = OWNER in stated | {each.entity for each in kept.attributes}
        return {each.name: each.type for each in kept.entities} | ({OWNER: "person"} if of_owner else {})

    def links(
        self, source: Source, space: SpaceId, known: dict[str, EntityId], *, said_at: datetime, now: datetime
    ) -> Links:
        """The same by ids; `known`: entities by name key, without what leads to none."""
        return Links(
            source=source,
            space=space,
            said_at=said_at,
            read_at=now,
            outcome=self.outcome,
            read_by=self.by,
            vocabulary=self.vocabulary,
            model=self.model,
            run=self.run,
            mentions=tuple(self._mentions(known)),
            relations=tuple(self._relations(known)),
            seen=tuple(sorted(self.seen)),
            held=self.held,
        )

    def _mentions(self, known: dict[str, EntityId]) -> list[Mention]:
        found: dict[EntityId, Mention] = {}
        for each in self.kept.entities:
            entity = known.get(name_key(each.name))
            if entity is not None:
                found.setdefault(entity, Mention(entity, each.name, each.method, each.confidence, each.span))
        owner = known.get(name_key(OWNER))
        if owner is not None:
            found.setdefault(owner, Mention(owner, OWNER, Method.CONTEXT, 1.0))
        return list(found.values())

    def _relations(self, known: dict[str, EntityId]) -> list[Relation]:
        stated = [_relation(each, known, is_sure=True) for each in self.kept.relations]
        stated += [_relation(each, known, is_sure=False) for each in self.kept.mentions]
        for each in self.kept.attributes[:_MOST_ATTRIBUTES]:
            entity = known.get(name_key(each.entity))
            if entity is not None:
                stated.append(Relation(entity, IS, None, each.confidence, each.text, evidence=each.evidence))
        distinct: dict[tuple[EntityId, str, EntityId | None, str | None], Relation] = {}
        for relation in stated:
            if relation is not None and relation.subject != relation.target:
                text = relation.phrase if relation.target is None else relation.proposed
                distinct.setdefault((relation.subject, relation.predicate, relation.target, text), relation)
        return list(distinct.values())


def _relation(each: ProposedRelation, known: dict[str, EntityId], *, is_sure: bool) -> Relation | None:
    subject, target = (known.get(name_key(end)) for end in ends(each))
    if subject is None or target is None:
        return None
    predicate, proposed = (each.predicate, None) if is_sure else (MENTION, each.predicate)
    return Relation(subject, predicate, target, each.confidence, each.phrase, proposed, each.evidence)


def ends(each: ProposedRelation) -> tuple[str, str]:
    """What it is stated between."""
    return each.source, each.target
