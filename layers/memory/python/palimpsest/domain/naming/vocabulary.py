"""Types of entities and predicates that every space begins with: the description is the rule, for all who read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Tier(StrEnum):
    """Who a term is from."""

    SYSTEM = "system"
    USER = "user"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class Term:
    """One type of entities or one predicate."""

    name: str
    description: str
    tier: Tier = Tier.SYSTEM


@dataclass(frozen=True, slots=True)
class Translation:
    """What another memory's relation is here. Without a predicate it becomes a mention that keeps its phrase."""

    predicate: str | None
    is_reversed: bool = False


ENTITY_TYPES: Final = (
    Term("person", "A human being with a name or a handle of their own; no role, no group."),
    Term("organization", "A company, authority, school, club, band or team that has a name."),
    Term(
        "project", "Something with a name that somebody builds or runs: a programme, a system or service of one's own."
    ),
    Term("tool", "Something with a name that one works with: an application, a hosted service, a device."),
    Term("technology", "What things are built from: a programming language, a database, a framework, a package."),
    Term("place", "A spot on the map with a name: a country, city, district, street, building, river, mountain."),
    Term("event", "Something with a name that people attend: a conference, festival, race, fair; no unnamed meeting."),
    Term("agent", "A program with a name that acts by itself: an assistant, a bot."),
    Term("animal", "A pet or another animal with a name of its own; no species, no breed."),
    Term("concept", "Last resort: a method, a work or an idea with a proper name; never a word of everyday speech."),
)

PREDICATES: Final = (
    Term("uses", "The source works with, runs on, is written in, reads from or writes to the target, now."),
    Term("depends_on", "The source needs the target, or can't work without it."),
    Term("part_of", "The source is a part of the target, or a member of it; no pupils and no customers."),
    Term("created_by", "The target made, wrote or founded the source."),
    Term("works_on", "The source, a person or an agent, builds, leads or maintains the target, a project, now."),
    Term("works_at", "The source is employed by the target, an organization, now."),
    Term("located_in", "The source lives in, is based in or stands in the target, a place; no travel, no origin."),
    Term("attended", "The source took part in the target, an event that has happened."),
    Term("has", "The target, an animal, a device or a project, is the source's own; no people, no ailments."),
    Term("family_of", "Source and target are kin, by blood or marriage; the phrase says how."),
    Term("knows", "Source and target are friends, neighbours or colleagues, or one is said to know the other."),
    Term("prefers", "The source would rather have the target than something else, or calls it a favourite."),
)

LOOMEM_RELATIONS: Final[Mapping[str, Translation]] = MappingProxyType(
    {
        "works_at": Translation("works_at"),
        "uses": Translation("uses"),
        "manages": Translation("works_on"),
        "member_of": Translation("part_of"),
        "implements": Translation("uses"),
        "located_in": Translation("located_in"),
        "related_to": Translation(None),
        "created": Translation("created_by", is_reversed=True),
        "logged_in_via": Translation("uses"),
        "pays_for": Translation("uses"),
        "deployed_in": Translation("located_in"),
        "accepted": Translation(None),
        "confirmed_participation": Translation("attended"),
    }
)
"""What Loomem calls its relations. Agreeing to something is no relation between things, so it keeps its words only."""
