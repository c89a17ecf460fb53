"""One entity in full: what names it, and in which documents it is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from palimpsest.domain.access import Caller
from palimpsest.domain.document import Document
from palimpsest.domain.ids import EntityId
from palimpsest.stores.link_entries import Named
from palimpsest.usecases.show_entities import ShowEntities, ShownEntity

SOURCES: Final = 20
DOCUMENTS: Final = 50


@dataclass(frozen=True, slots=True)
class EntityRead:
    """An entity in full.

    Attributes:
        sources: The newest live sources that name it, at most 20.
        documents: Those that name it in most chunks, with how many; at most 50.
    """

    shown: ShownEntity
    sources: tuple[Named, ...]
    documents: tuple[tuple[Document, int], ...]


@dataclass(frozen=True, slots=True)
class ReadEntity:
    """Reads an entity."""

    show: ShowEntities

    def __call__(self, caller: Caller, entity: EntityId) -> EntityRead:
        """The entity, or the one that it counts for; NotAllowed, NotFound as `ShowEntities.one`."""
        _, shown = self.show.one(caller, entity)
        weights = shown.documents
        heaviest = sorted(weights, key=lambda each: (-weights[each], each))[:DOCUMENTS]
        found = self.show.documents.find(heaviest)
        documents = [(found[each], weights[each]) for each in heaviest if each in found]
        return EntityRead(shown, tuple(self.show.sources(shown.entity, SOURCES)), tuple(documents))
