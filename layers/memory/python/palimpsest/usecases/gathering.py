"""What the sections of a context propose, and what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from palimpsest.domain.belief import Memory
from palimpsest.domain.ids import RootId
from palimpsest.domain.packing.entry import Entry
from palimpsest.usecases.answers import AnyHit, ContextHit, Hit, Recalled
from palimpsest.usecases.packed_entries import entry_of, entry_of_hit


@dataclass(slots=True)
class Gathered:
    """What is gathered for one context.

    Attributes:
        found: What entries stand for, by their keys.
        disputed: What is not proposed for that.
        recalled: The recalls that were made for it, in their order.
    """

    found: dict[str, Memory | ContextHit] = field(default_factory=dict)
    disputed: set[RootId] = field(default_factory=set)
    recalled: list[Recalled] = field(default_factory=list)

    def memories(self, memories: Sequence[Memory], about: str = "") -> list[Entry]:
        """As entries, but for those that are disputed."""
        self.disputed |= {each.head.root for each in memories if each.head.is_disputed}
        sure = [each for each in memories if not each.head.is_disputed]
        entries = [entry_of(each, about) for each in sure]
        self.found |= {entry.key: each for entry, each in zip(entries, sure, strict=True)}
        return entries

    def hits(self, hits: Sequence[AnyHit]) -> list[Entry]:
        """The same of results of a recall."""
        self.disputed |= {hit.memory.head.root for hit in hits if isinstance(hit, Hit) and hit.memory.head.is_disputed}
        sure = [hit for hit in hits if isinstance(hit, ContextHit) or not hit.memory.head.is_disputed]
        entries = [entry_of_hit(each) for each in sure]
        found = (hit if isinstance(hit, ContextHit) else hit.memory for hit in sure)
        self.found |= {entry.key: each for entry, each in zip(entries, found, strict=True)}
        return entries
