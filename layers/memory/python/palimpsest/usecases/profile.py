"""What is known about the owner of a space, by subject: a port, and what stands behind it while there are no cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from palimpsest.domain.belief import Memory
from palimpsest.domain.extraction import USER
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import MemorySource
from palimpsest.domain.ids import RootId
from palimpsest.domain.naming.names import OWNER, name_key
from palimpsest.domain.packing.sameness import Said
from palimpsest.domain.version import MemoryType
from palimpsest.stores.entities import Entities
from palimpsest.stores.links import LinkStore
from palimpsest.stores.pins import Pins
from palimpsest.stores.spaces import Space
from palimpsest.usecases.named_by import NamedBy
from palimpsest.usecases.packed_entries import entry_of
from palimpsest.usecases.show_now import ShowNow

MOST: Final = 100
"""Lines of a profile; what is looked at for it is a few times as much."""


class Why(StrEnum):
    """Why a line is in a profile, the first reason that holds."""

    PINNED = "pinned"
    PREFERENCE = "preference"
    SAID = "said"
    """The owner said it."""
    RELATION = "relation"
    """It states how the owner is related to something."""
    NAMED = "named"
    """It is a fact that names the owner."""


class SubjectKind(StrEnum):
    """What a subject is."""

    OWNER = "owner"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is known, in the words of the memory that says it."""

    memory: Memory
    why: Why


@dataclass(frozen=True, slots=True)
class Subject:
    """What lines are about: the owner, or what the lines themselves name."""

    name: str
    kind: SubjectKind
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Profiled:
    """A profile, the owner first. `disputed`: memories that are left out for that; `is_cut`: there may be more."""

    subjects: tuple[Subject, ...] = ()
    disputed: frozenset[RootId] = frozenset()
    is_cut: bool = False


class Profile(Protocol):
    """Tells what is known about the owner of a space. What is forgotten, disputed or over is never in it."""

    def __call__(self, space: Space, most: int = MOST) -> Profiled:
        """The profile, with at most `most` lines."""
        ...


@dataclass(frozen=True, slots=True)
class StatedProfile:
    """A profile of what was stated: what is pinned, preferred or said by the owner, or names the owner.

    It looks at what is pinned, at what names the owner, and at the newest memories, so many of each as lines are
    wanted; what is older and names nobody is not in it.
    """

    pins: Pins
    entities: Entities
    links: LinkStore
    named_by: NamedBy
    show: ShowNow

    def __call__(self, space: Space, most: int = MOST) -> Profiled:
        owner = self._owner(space)
        about = _About(owner, *self._told_of(owner, most))
        pinned = self.pins.of(space.id, most)
        newest = self.show.newest(space, most)
        shown = self.show.of(space, [*pinned, *sorted(about.stating | about.naming)], newest)
        lines = [Line(each, why) for each in shown if (why := about.why(each)) is not None]
        told = _distinct(line for line in sorted(lines, key=_rank) if not line.memory.head.is_disputed)
        subjects = self._by_subject(about, told[:most])
        disputed = frozenset(line.memory.head.root for line in lines if line.memory.head.is_disputed)
        return Profiled(subjects, disputed, len(told) > most or most in (len(pinned), len(newest), len(about.naming)))

    def _owner(self, space: Space) -> Entity | None:
        """The entity that the owner is; None before anything named it."""
        found = self.entities.named(space.id, [OWNER])
        standing = self.entities.standing(each.id for each in found.values())
        return next(iter(standing.values()), None)

    def _told_of(self, owner: Entity | None, most: int) -> tuple[frozenset[RootId], frozenset[RootId]]:
        """What states a relation of the owner, and what names it, as the index has it."""
        group = [] if owner is None else self.entities.group(owner.id)
        stated = [
            stated.source
            for each in group
            for is_from in (True, False)
            for stated in self.links.stated(each, is_from=is_from, limit=most)
        ]
        named = [named.source for each in group for named in self.links.naming(each, limit=most)]
        stating, naming = (
            frozenset(each.root for each in some if isinstance(each, MemorySource)) for some in (stated, named)
        )
        return stating, naming

    def _by_subject(self, about: _About, lines: Sequence[Line]) -> tuple[Subject, ...]:
        grouped: dict[tuple[SubjectKind, str], list[Line]] = {}
        for line in lines:
            grouped.setdefault(self._subject(about, line), []).append(line)
        subjects = [Subject(name, kind, tuple(some)) for (kind, name), some in grouped.items()]
        return tuple(sorted(subjects, key=lambda each: (each.kind is not SubjectKind.OWNER, -len(each.lines))))

    def _subject(self, about: _About, line: Line) -> tuple[SubjectKind, str]:
        memory = line.memory
        learned = memory.version.statement.extraction
        if learned is not None and learned.subject != USER:
            return SubjectKind.ENTITY, learned.subject
        if line.why is Why.PINNED and not about.is_of_owner(memory):
            source = MemorySource(memory.head.root, memory.version.number)
            named = self.named_by([source]).get(source, ())
            if named:
                return SubjectKind.ENTITY, named[0].name
        return SubjectKind.OWNER, about.name


@dataclass(frozen=True, slots=True)
class _About:
    """Whom a profile is of, and what is known to be about them."""

    owner: Entity | None
    stating: frozenset[RootId]
    naming: frozenset[RootId]

    @property
    def name(self) -> str:
        return OWNER if self.owner is None else self.owner.name

    def why(self, memory: Memory) -> Why | None:
        """Why the memory is in the profile; None when it is not."""
        said = memory.version.statement
        if memory.head.annotations.pinned:
            return Why.PINNED
        if said.memory_type is MemoryType.PREFERENCE:
            return Why.PREFERENCE
        if said.memory_type is not MemoryType.FACT:
            return None
        if self._has_said(memory):
            return Why.SAID
        if memory.head.root in self.stating:
            return Why.RELATION
        return Why.NAMED if memory.head.root in self.naming else None

    def is_of_owner(self, memory: Memory) -> bool:
        """It names the owner, or is what the owner said."""
        return memory.head.root in self.stating | self.naming or self._has_said(memory)

    def _has_said(self, memory: Memory) -> bool:
        said = memory.version.statement
        names = {USER, name_key(OWNER), *map(name_key, (self.name, *(self.owner.aliases if self.owner else ())))}
        return said.attributed_to is not None and name_key(said.attributed_to) in names


def _rank(line: Line) -> tuple[int, float]:
    """By reason, and of one reason what was said last first."""
    return list(Why).index(line.why), -line.memory.version.statement.asserted_at.timestamp()


def _distinct(lines: Iterable[Line]) -> list[Line]:
    said = Said()
    found = []
    for line in lines:
        entry = entry_of(line.memory)
        if not said.has(entry):
            said.add(entry)
            found.append(line)
    return found
