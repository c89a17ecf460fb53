"""Entities, relations and attributes of one text, by rules alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from palimpsest.domain import stop_words
from palimpsest.domain.language import Language
from palimpsest.domain.naming import cues, english, polish
from palimpsest.domain.naming.coding import PRONOUNS, code
from palimpsest.domain.naming.describing import describe
from palimpsest.domain.naming.doubting import is_quoted
from palimpsest.domain.naming.known import Known
from palimpsest.domain.naming.lines import Line
from palimpsest.domain.naming.mentions import CONFIDENCE, Mention
from palimpsest.domain.naming.names import name_key
from palimpsest.domain.naming.proposals import (
    Method,
    Proposals,
    ProposedAttribute,
    ProposedEntity,
    ProposedRelation,
    Span,
)
from palimpsest.domain.naming.relating import Relater, called_for
from palimpsest.domain.naming.spotting import Spotter
from palimpsest.domain.naming.talk import Talk
from palimpsest.domain.naming.tokens import sentences
from palimpsest.domain.naming.validating import is_math_dense

_OF_OTHERS: Final = PRONOUNS | {"am", "'m", "’m", "jestem"}
"""Without a name and one of these a sentence states nothing about anybody."""

_IN_ANY_LANGUAGE: Final = frozenset({Method.KNOWN, Method.DICTIONARY, Method.HANDLE, Method.PACKAGE, Method.LEGAL_FORM})
_NONE: Final = Proposals()

_POLISH_LETTERS: Final = frozenset("ąćęłńśźż")
_POLISH_ALONE: Final = stop_words.POLISH - stop_words.ENGLISH
_ENGLISH_ALONE: Final = stop_words.ENGLISH - stop_words.POLISH
_EITHER: Final = frozenset({"to", "do"})
"""Words of both languages that are more frequent in Polish, where a text has no other."""


def extract(text: str, languages: Sequence[Language], known: Known) -> Proposals:
    """What `text` names and states, in the order of the text.

    Args:
        text: As it is stored; evidence and spans are places in it.
        languages: What it may be written in. One that may be either is read as Polish when it looks so; of one that is
            neither only known names, names that everybody knows, and names of a form of their own are told.
        known: What the space knows.
    """
    if is_math_dense(text):
        return _NONE
    is_polish = Language.POLISH in languages and (len(languages) == 1 or _looks_polish(text))
    found = _Reader(text, is_polish=is_polish, known=known).read()
    return found if languages else Proposals(tuple(each for each in found.entities if each.method in _IN_ANY_LANGUAGE))


def _looks_polish(text: str) -> bool:
    """By its small words: names keep their letters in any language."""
    small = [word.strip('.,;:!?()"') for word in text.split() if word[:1].islower()]
    polish = sum(word in _POLISH_ALONE or not _POLISH_LETTERS.isdisjoint(word) for word in small)
    english = sum(word in _ENGLISH_ALONE for word in small)
    return polish > english or (polish == english and any(word in _EITHER for word in small))


class _Reader:
    """One text while it is read."""

    def __init__(self, text: str, *, is_polish: bool, known: Known) -> None:
        self._text = text
        self._is_polish = is_polish
        self._spotter = Spotter(known, is_inflected=is_polish)
        self._talk = Talk()
        self._relater = Relater((polish if is_polish else english).rules(), self._talk, is_polish)
        self._relations: list[ProposedRelation] = []
        self._attributes: list[ProposedAttribute] = []

    def read(self) -> Proposals:
        for tokens in sentences(self._text):
            words = frozenset([token.lower for token in tokens])
            mentions = [each for each in self._spotter.spot(tokens, words) if not self._is_verb(each)]
            before = len(self._talk.mentions)
            if mentions or not _OF_OTHERS.isdisjoint(words):
                self._read(code(tokens, mentions, self._talk, is_polish=self._is_polish), before)
            self._talk.topic = before if mentions and before < len(self._talk.mentions) else None
        return Proposals(
            entities=tuple(_entities(self._talk.mentions)),
            relations=tuple(_distinct_relations(self._relations)),
            attributes=tuple(self._attributes),
        )

    def _read(self, line: Line, before: int) -> None:
        if "«u" in line.text or "«i" in line.text:
            self._settle(line, before)
            line = self._again(line)
        if "«" in line.text:
            self._relations += self._relater.relate(line)
        self._attributes += describe(line, self._talk, self._text, is_polish=self._is_polish)

    def _is_verb(self, mention: Mention) -> bool:
        """A capitalised first word that rules ask for is no name."""
        return mention.is_weak and mention.method is None and mention.name.casefold() in self._relater.rules

    def _settle(self, line: Line, before: int) -> None:
        """Types by what stands beside the names."""
        for rule in called_for(cues.cues(), line):
            for match in rule.pattern.finditer(line.text):
                number = int(match["x"][2:].partition("»")[0])
                mention = self._talk.mentions[number]
                is_person = rule.predicate != "person" or " " in mention.name or rule.holds_always
                if is_person and not is_quoted(line, match.start()):
                    mention.believe(rule.predicate, Method.CONTEXT)
        for mention in self._talk.mentions[before:]:
            type_ = cues.type_by_end(mention.name)
            if type_:
                mention.believe(type_, Method.CONTEXT)

    def _again(self, line: Line) -> Line:
        """The line with the letters of the types that are known by now."""
        pieces = tuple(
            piece._replace(code=self._talk.marker(int(piece.code[2:-1])))
            if piece.code.startswith("«") and len(piece.code) > 3
            else piece
            for piece in line.pieces
        )
        return Line(" ".join(piece.code for piece in pieces), pieces, line.words)


def _entities(mentions: Iterable[Mention]) -> list[ProposedEntity]:
    """What is believed, each once, where it stands first."""
    found: dict[str, ProposedEntity] = {}
    for each in mentions:
        if each.method is not None and each.type:
            entity = ProposedEntity(
                each.name, each.type, CONFIDENCE[each.method], each.method, Span(each.start, each.end)
            )
            found.setdefault(name_key(each.name), entity)
    return list(found.values())


def _distinct_relations(relations: Iterable[ProposedRelation]) -> list[ProposedRelation]:
    first: dict[tuple[str, str, str], ProposedRelation] = {}
    for each in relations:
        first.setdefault((each.source, each.predicate, each.target), each)
    return list(first.values())
