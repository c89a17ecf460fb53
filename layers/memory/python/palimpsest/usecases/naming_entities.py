"""Names and types that people give to entities: what can be one, and whom a name leads to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.errors import Invalid, NameTaken
from palimpsest.domain.ids import EntityId
from palimpsest.domain.naming.names import NameFault, fault_of, tidy
from palimpsest.stores.entities import Entities
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import Vocabularies
from palimpsest.usecases.scrub import Scrub

_REFUSED: Final = {
    NameFault.TOO_LONG: "has at most 40 characters",
    NameFault.TOO_MANY_WORDS: "has at most five words",
    NameFault.FEW_LETTERS: "has at least two letters",
    NameFault.CONTROLS: "has no control characters",
    NameFault.MATH: "is no formula",
    NameFault.NUMBER: "is no number",
    NameFault.DATE: "is no date",
}


@dataclass(frozen=True, slots=True)
class NamingEntities:
    """Accepts names and types."""

    entities: Entities
    vocabularies: Vocabularies
    scrub: Scrub

    def name(self, space: Space | None, name: str, field: str = "name") -> str:
        """The name as it is kept; Invalid when no entity can be called so."""
        shown = self.scrub.of(space).text(tidy(name), field)
        fault = fault_of(shown)
        if fault is not None:
            raise Invalid(field, f"the name of an entity {_REFUSED[fault]}")
        return shown

    def aliases(self, space: Space | None, aliases: Iterable[str]) -> tuple[str, ...]:
        """The aliases as they are kept; Invalid as above."""
        return tuple(self.name(space, alias, "aliases") for alias in aliases)

    def type(self, space: Space, type_: str) -> str:
        """The type; Invalid unless it is active in the space."""
        if type_ not in self.vocabularies.active(space).names.types:
            raise Invalid("entity_type", "this space has no such active type; GET /memory/schema lists them")
        return type_

    def require_free(self, space: Space, names: Iterable[str], own: EntityId | None = None) -> None:
        """Raise NameTaken when one of the names leads to another entity."""
        for other in self.entities.named(space.id, names).values():
            if other.id != own:
                raise NameTaken(other.id)
