"""Which index generation answers, and which one is being built beside it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants
from palimpsest.domain.errors import ConditionFailed, CorruptItem
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import (
    All,
    AnyOf,
    Condition,
    Delete,
    Equals,
    Item,
    Less,
    Missing,
    Put,
    Query,
    Remove,
    Set,
    Table,
    Update,
    Value,
)
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item

WAKES_WITHIN = timedelta(minutes=2)
"""An engine that was said to sleep longer ago is asked again: whoever was to wake it may have been lost."""

_AWAKE_FOR = timedelta(minutes=8)
"""An engine that scales to zero does so after ten idle minutes."""


@dataclass(frozen=True, slots=True)
class Generations:
    """The state of the index. `revision` counts its changes.

    Attributes:
        asleep_since: When the engine was found asleep.
        is_lost: The active generation's index was found to be gone; a plan begins another one.
        answered_at: When the engine last took what background work gave it, where that matters to a sweep.
        off_since: When the installation was first seen to have no index by its settings.
        failed_at: When the last build was given up, if none has begun since.
        failure: Why.
    """

    revision: int = 0
    active: Generation | None = None
    building: Generation | None = None
    asleep_since: datetime | None = None
    is_lost: bool = False
    off_since: datetime | None = None
    failed_at: datetime | None = None
    failure: str | None = None
    answered_at: datetime | None = None

    def is_surely_awake(self, now: datetime) -> bool:
        """A question costs no wake: the engine answered lately."""
        return self.answered_at is not None and now - self.answered_at < _AWAKE_FOR and not self.is_asleep(now)

    def is_asleep(self, now: datetime) -> bool:
        """The engine that answers is being woken, so that asking it would only cost time."""
        return self.asleep_since is not None and now - self.asleep_since < WAKES_WITHIN


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
        return Generations(
            revision=r.integer("revision"),
            active=_generation(r, "active"),
            building=_generation(r, "building"),
            asleep_since=r.optional("asleep_since", r.instant),
            is_lost="lost" in r.item,
            off_since=r.optional("off_since", r.instant),
            failed_at=r.optional("failed_at", r.instant),
            failure=r.optional("failure", r.text),
            answered_at=r.optional("answered_at", r.instant),
        )

    def move(
        self,
        seen: Generations,
        *,
        active: Generation | None,
        building: Generation | None,
        failure: tuple[datetime, str] | None = None,
    ) -> bool:
        """Put a new state in place of the one that was `seen`; False when it has changed meanwhile.

        `failure`: when and why a build was given up.
        """
        condition: Condition = Equals("revision", seen.revision) if seen.revision else Missing("pk")
        stored = item(keys.generations(), revision=seen.revision + 1)
        for name, generation in (("active", active), ("building", building)):
            if generation is not None:
                stored[name] = _packed(generation)
        if failure is not None:
            stored |= {"failed_at": instants.write(failure[0]), "failure": failure[1]}
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return False
        return True

    def lose(self, seen: Generations) -> None:
        """Note that the index of the active generation is gone; nothing when others were made meanwhile."""
        if not seen.is_lost:
            self._note(seen, Set("lost", True))

    def turn_off(self, seen: Generations, now: datetime) -> None:
        """Note that there shall be no index from now on."""
        self._note(seen, Set("off_since", instants.write(now)))

    def turn_on(self, seen: Generations) -> None:
        """Note that there shall be one again."""
        self._note(seen, Remove("off_since"))

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

    def fall_asleep(self, seen: Generations, now: datetime) -> bool:
        """Note that the engine sleeps; True for the first who does so, who is to have it woken."""
        lapsed = Less("asleep_since", instants.write(now - WAKES_WITHIN))
        condition = All((Equals("revision", seen.revision), AnyOf((Missing("asleep_since"), lapsed))))
        try:
            self.table.write(Update(keys.generations(), (Set("asleep_since", instants.write(now)),), condition))
        except ConditionFailed:
            return False
        return True

    def wake_up(self, seen: Generations) -> None:
        """Note that the engine answers; nothing when other generations were made meanwhile."""
        self._note(seen, Remove("asleep_since"))

    def answered(self, seen: Generations, now: datetime) -> None:
        """Note that the engine took what it was given."""
        self._note(seen, Set("answered_at", instants.write(now)))

    def did_not_answer(self, seen: Generations) -> None:
        """Note that it may be asleep."""
        self._note(seen, Remove("answered_at"))

    def _note(self, seen: Generations, change: Set | Remove) -> None:
        with suppress(ConditionFailed):
            self.table.write(Update(keys.generations(), (change,), Equals("revision", seen.revision)))


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
