"""What a model answered, read strictly: entries that mean something and that the text bears out, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.domain.graph.term import term_name
from palimpsest.domain.naming.known import KnownName, NameIndex
from palimpsest.domain.naming.names import LONGEST, OWNER, name_key, tidy
from palimpsest.domain.naming.proposals import (
    Proposals,
    ProposedAttribute,
    ProposedEntity,
    ProposedRelation,
    Span,
)
from palimpsest.domain.naming.tokens import sentences

_LOOKED_AT: Final = 20
"""Entries of each list; whoever answers more has not read the rules."""

_PHRASE_CHARACTERS: Final = 100
_ATTRIBUTE_CHARACTERS: Final = 60


def read_answer(content: Mapping[str, object], text: str, known: Iterable[str], *, has_owner: bool) -> Proposals:
    """What of the answer is an entity, a relation or an attribute of `text`.

    An entity has to stand in the text, inflected or not, or to be one of the names that were listed: a name from
    nowhere is left out.

    Args:
        content: The model's object.
        text: What it was shown.
        known: The names that were listed for it.
        has_owner: Whether `OWNER` may be an end of what is stated.

    Raises:
        ModelAnswerUnusable: It has not the form that was asked for.
    """
    rows = {name: _rows(content, name) for name in ("entities", "relations", "attributes")}
    named = list(_entities(rows["entities"]))
    spans = _found(text, [each.name for each in named])
    listed = {name_key(name) for name in known}
    entities = [
        ProposedEntity(each.name, each.type, each.confidence, span=spans.get(name_key(each.name)))
        for each in named
        if name_key(each.name) in spans or name_key(each.name) in listed
    ]
    ends = {name_key(each.name) for each in entities} | ({name_key(OWNER)} if has_owner else set())
    relations = [each for each in _relations(rows["relations"], text) if _ends(each) <= ends]
    attributes = [each for each in _attributes(rows["attributes"], text) if name_key(each.entity) in ends]
    return Proposals(tuple(entities), tuple(relations), tuple(attributes))


def _rows(content: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """The objects of a list; a list that is left out is empty, but for that of the entities."""
    rows = content.get(name, None if name == "entities" else [])
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        raise ModelAnswerUnusable(f"`{name}` has to be a list of objects")
    return [row for row in rows[:_LOOKED_AT] if isinstance(row, Mapping)]


def _entities(rows: Iterable[Mapping[str, object]]) -> Iterator[ProposedEntity]:
    for row in rows:
        name, type_, confidence = _name(row.get("name")), _term(row.get("type")), _confidence(row.get("percent"))
        if name and type_ and confidence is not None:
            yield ProposedEntity(name, type_, confidence)


def _relations(rows: Iterable[Mapping[str, object]], text: str) -> Iterator[ProposedRelation]:
    for row in rows:
        source, target = _name(row.get("source")), _name(row.get("target"))
        predicate, confidence = _term(row.get("predicate")), _confidence(row.get("percent"))
        if source and target and predicate and confidence is not None:
            phrase, span = _quoted(row.get("phrase"), text, _PHRASE_CHARACTERS)
            yield ProposedRelation(source, predicate, target, confidence, phrase, span)


def _attributes(rows: Iterable[Mapping[str, object]], text: str) -> Iterator[ProposedAttribute]:
    for row in rows:
        entity, confidence = _name(row.get("entity")), _confidence(row.get("percent"))
        said, span = _quoted(row.get("text"), text, _ATTRIBUTE_CHARACTERS)
        if entity and said and confidence is not None:
            yield ProposedAttribute(entity, said, confidence, span)


def _name(value: object) -> str:
    """A name as it is shown; empty for what is none, or is too long to be one."""
    return tidy(value) if isinstance(value, str) and len(value) <= LONGEST else ""


def _term(value: object) -> str | None:
    return term_name(value) if isinstance(value, str) else None


def _confidence(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value / 100 if is_number and 0 <= value <= 100 else None  # type: ignore[operator]  # it is a number


def _quoted(value: object, text: str, most: int) -> tuple[str, Span | None]:
    """What the text says in those words, and where; nothing for words that are not in it."""
    said = " ".join(value.split()) if isinstance(value, str) and len(value) <= most else ""
    start = text.casefold().find(said.casefold()) if said else -1
    if start < 0 or len(text.casefold()) != len(text):
        return (said, None) if start >= 0 else ("", None)
    return text[start : start + len(said)], Span(start, start + len(said))


def _found(text: str, names: Sequence[str]) -> dict[str, Span]:
    """Where each name stands first, by name key; also in small letters, and in another case of Polish."""
    index = NameIndex.of(KnownName(name.casefold(), "") for name in names)
    found: dict[str, Span] = {}
    for tokens in sentences(text):
        for place in range(len(tokens)):
            at = index.at(tokens, place, is_inflected=True)
            if at is not None:
                entry, length = at
                span = Span(tokens[place].start, tokens[place + length - 1].end)
                found.setdefault(name_key(entry.name), span)
    return found


def _ends(relation: ProposedRelation) -> set[str]:
    return {name_key(relation.source), name_key(relation.target)}
