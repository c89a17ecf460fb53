"""The labelled texts of `tests/corpora/graph`, as they are meant: frozen values, never changed by a test."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tests.support.corpora import FOLDER

FILE = FOLDER / "graph" / "texts.jsonl"


@dataclass(frozen=True)
class NamedThing:
    """An entity as somebody would file it, and the words that name it in the text."""

    name: str
    surface: str
    type: str


@dataclass(frozen=True)
class StatedRelation:
    """What a text states between two of its entities, or one and `You`, and the words that state it."""

    source: str
    predicate: str
    target: str
    evidence: str
    phrase: str = ""


@dataclass(frozen=True)
class StatedAttribute:
    """What an entity, or `You`, is said to be."""

    entity: str
    text: str


@dataclass(frozen=True)
class KnownName:
    """A name that the space has before it reads the text."""

    name: str
    type: str
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class GraphText:
    """A text, what is known before it, and all that it says of named things; `why`: what it tempts a rule to do."""

    id: str
    language: str
    text: str
    entities: tuple[NamedThing, ...]
    relations: tuple[StatedRelation, ...]
    attributes: tuple[StatedAttribute, ...]
    known: tuple[KnownName, ...]
    seen: str
    why: str


def graph_texts() -> list[GraphText]:
    """Texts and the entities, relations and attributes in them: English, then Polish."""
    return [
        GraphText(
            id=row["id"],
            language=row["language"],
            text=row["text"],
            entities=tuple(NamedThing(**entity) for entity in row.get("entities", [])),
            relations=tuple(StatedRelation(**relation) for relation in row.get("relations", [])),
            attributes=tuple(StatedAttribute(**attribute) for attribute in row.get("attributes", [])),
            known=tuple(KnownName(name["name"], name["type"], tuple(name["aliases"])) for name in row.get("known", [])),
            seen=row.get("seen", ""),
            why=row.get("why", ""),
        )
        for row in map(json.loads, FILE.read_text("utf-8").splitlines())
    ]
