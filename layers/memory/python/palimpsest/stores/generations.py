"""Which index generation answers, and which one is being built beside it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Condition, Equals, Missing, Put, Table, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Generations:
    """The state of the index. `revision` counts its changes."""

    revision: int = 0
    active: Generation | None = None
    building: Generation | None = None


@dataclass(frozen=True, slots=True)
class GenerationStore:
    """Reads and moves that state; every move is conditional on what its maker read."""

    table: Table

    def read(self) -> Generations:
        key = keys.generations()
        stored = self.table.get([key]).items.get(key)
        if stored is None:
            return Generations()
        r = Reader(stored)
        return Generations(r.integer("revision"), _generation(r, "active"), _generation(r, "building"))

    def move(self, seen: Generations, *, active: Generation | None, building: Generation | None) -> bool:
        """Put a new state in place of the one that was `seen`; False when it has changed meanwhile."""
        condition: Condition = Equals("revision", seen.revision) if seen.revision else Missing("pk")
        stored = item(keys.generations(), revision=seen.revision + 1)
        for name, generation in (("active", active), ("building", building)):
            if generation is not None:
                stored[name] = _packed(generation)
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return False
        return True


def _packed(generation: Generation) -> dict[str, Value]:
    return {
        "id": generation.id,
        "schema": generation.schema,
        "model": generation.model.name,
        "model_revision": generation.model.revision,
        "dimensions": generation.model.dimensions,
        "capabilities": list(generation.capabilities),
    }


def _generation(r: Reader, name: str) -> Generation | None:
    packed = r.item.get(name)
    if not isinstance(packed, dict):
        return None
    g = Reader({"pk": "IX", "sk": name, **packed})
    model = Model(g.text("model"), g.text("model_revision"), g.integer("dimensions"))
    return Generation(g.text("id"), model, g.integer("schema"), g.texts("capabilities"))
