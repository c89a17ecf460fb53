"""Texts that have use for terms which no vocabulary has, and what becomes of the proposals."""

from __future__ import annotations

from palimpsest.domain.access import Caller
from palimpsest.domain.graph.term import TermKind, TermStatus
from palimpsest.domain.ids import TermRef
from palimpsest.ports.language_model import Answer
from palimpsest.usecases.change_vocabulary import ChangeVocabulary
from palimpsest.usecases.vocabulary_shown import TermShown
from tests.support.graph import settle, stores
from tests.support.installation import OWNER, Installation
from tests.support.naming_model import entity, relation
from tests.support.naming_model import named as told

ZUREK, BIGOS = "Ola cooks Zurek on Sundays", "Ewa made Bigos for the party"
ANSWERS: dict[str, Answer] = {
    "Zurek": told(entity("Ola"), entity("Zurek", "recipe"), relations=(relation("Ola", "cooks", "Ola"),)),
    "Bigos": told(entity("Ewa"), entity("Bigos", "recipe")),
    "Rome": told(
        entity("Ola"), entity("Rome", "place"), relations=(relation("Ola", "dreams of", "Rome", "dreams of"),)
    ),
    "Oslo": told(entity("Ewa"), entity("Oslo", "place"), relations=(relation("Ewa", "dreams_of", "Oslo"),)),
    "maybe": told(entity("Ola"), entity("Pho", "recipe", 60)),
}
RECIPE, DREAMS = (TermKind.ENTITY_TYPE, "recipe"), (TermKind.PREDICATE, "dreams_of")


def vocabulary(memory: Installation) -> ChangeVocabulary:
    return memory.wired.service.vocabulary


def proposals(memory: Installation, caller: Caller = OWNER) -> dict[str, TermShown]:
    return {each.term.name: each for each in vocabulary(memory).show(caller, None).proposals}


def waiting(memory: Installation) -> list[str]:
    return [name for name, each in proposals(memory).items() if each.term.status is TermStatus.ACTIVE]


def term(memory: Installation, kind: TermKind, name: str) -> TermShown:
    shown = vocabulary(memory).show(OWNER, None)
    (found,) = [each for each in shown.terms if (each.term.kind, each.term.name) == (kind, name)]
    return found


def ref(memory: Installation, of: tuple[TermKind, str], space: str = "default") -> TermRef:
    return TermRef(stores(memory).vocabularies.mac(*of), space)


def proposed(memory: Installation) -> TermRef:
    """A proposal that two memories have use for."""
    memory.save(ZUREK)
    memory.save(BIGOS)
    settle(memory)
    return proposals(memory)["recipe"].id
