"""Which index generation answers, and which one is being built beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.errors import ConditionFailed, CorruptItem
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Condition, Delete, Equals, Item, Missing, Put, Query, Table, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


@dataclass(frozen=True, slots=True)
class Generations:
    """The state of the index. `revision` counts its changes."""

    revision: int = 0
    active: Generation | None = None
    building: Generation | None = None


@dataclass(frozen=True, slots=True)
class Retired:
    """A generation to be taken away.

    Attributes:
        tried_at: When that was tried last.
        after: Name of the last space whose watermarks of it are gone.
    """

    generation: Generation
    tried_at: datetime | None = None
    after: str = ""


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

    def retire(self, generation: Generation) -> None:
        """Note that it is to be taken away; before it is replaced, so that no crash can leave it behind."""
        self.note(Retired(generation))

    def note(self, retired: Retired) -> None:
        """Keep how far the taking away has come."""
        generation = retired.generation
        stored = item(keys.retired(generation.id), tried_at=retired.tried_at, after=retired.after or None)
        self.table.write(Put(stored | {"generation": _packed(generation)}))

    def retired(self) -> list[Retired]:
        """Those to be taken away, oldest first; at most a page of them."""
        return [_retired(stored) for stored in self.table.query(Query(keys.RETIRED, consistent=True)).items]

    def end(self, generation: Generation) -> None:
        """Nothing of it is left."""
        self.table.write(Delete(keys.retired(generation.id)))


def _retired(stored: Item) -> Retired:
    r = Reader(stored)
    generation = _generation(r, "generation")
    if generation is None:
        raise CorruptItem(r.text("pk"), r.text("sk"), "attribute generation")
    return Retired(generation, r.optional("tried_at", r.instant), r.optional("after", r.text) or "")


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
