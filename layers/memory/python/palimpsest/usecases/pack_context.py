"""Pack what a space remembers of a question into text for a prompt, within a budget of tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Memory
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId, SpaceId
from palimpsest.domain.packing.deciding import tells_decision
from palimpsest.domain.packing.entry import Entry, Section
from palimpsest.domain.packing.packing import Packed, pack
from palimpsest.domain.version import MemoryType, Version
from palimpsest.ports.ids import Ids
from palimpsest.stores.pins import Pins
from palimpsest.stores.recalls import Answer
from palimpsest.stores.spaces import Space
from palimpsest.usecases.answers import (
    AnyHit,
    ArmReport,
    Confidence,
    ContextHit,
    Hit,
    RecallQuery,
    RerankMode,
)
from palimpsest.usecases.gathering import Gathered
from palimpsest.usecases.profile import Profile, SubjectKind
from palimpsest.usecases.recall import Recall
from palimpsest.usecases.record import Record
from palimpsest.usecases.reports import merged
from palimpsest.usecases.show_now import ShowNow

BUDGET_TOKENS: Final = 2_000
MOST_TOKENS: Final = 32_000

_PINNED: Final = 40
_TOKENS_OF_RELEVANT: Final = 60
_TOKENS_OF_OTHERS: Final = 100
"""Of the budget for each memory that is looked at for a section: more are seldom needed to fill its share."""

_FEWEST: Final = 10
_MOST: Final = 100

_DECISION_TYPES: Final = (MemoryType.PROCEDURE, MemoryType.EPISODE)


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """What to pack. `spaces`: empty means the key's default space; a dry run leaves no recall record."""

    query: str
    budget_tokens: int = BUDGET_TOKENS
    sections: tuple[Section, ...] = tuple(Section)
    spaces: tuple[str, ...] = ()
    is_dry_run: bool = False

    def looked_at(self, tokens: int) -> int:
        """How many memories are looked at for a section, of which one is taken to need so many tokens."""
        return max(_FEWEST, min(_MOST, self.budget_tokens // tokens))


@dataclass(frozen=True, slots=True)
class Context:
    """A context and how it came about.

    Attributes:
        found: What its entries stand for, by their keys.
        disputed: How many memories were left out because a conflict about them is open.
        is_recorded: What was handed out is remembered as recalled.
    """

    id: RecallId
    packed: Packed
    found: Mapping[str, Memory | ContextHit]
    disputed: int
    confidence: Confidence
    arms: tuple[ArmReport, ...]
    is_recorded: bool
    took_ms: float


_Propose = Callable[[Caller, ContextQuery, Sequence[Space], Gathered], list[Entry]]


@dataclass(frozen=True, slots=True)
class PackContext:
    """Packs contexts."""

    recall: Recall
    profile: Profile
    pins: Pins
    show: ShowNow
    record: Record
    ids: Ids

    def __call__(self, caller: Caller, query: ContextQuery) -> Context:
        """The context; empty when nothing is known or nothing fits.

        Raises:
            NotAllowed: The key may not enter one of the spaces.
            Invalid: The query is blank or too long.
            NothingSearched: Every arm of the recall failed.
        """
        begun = time.perf_counter()
        spaces = self._spaces(caller, query)
        gathered = Gathered()
        wanted = [section for section in Section if section in query.sections]
        proposed = {section: self._propose(section)(caller, query, spaces, gathered) for section in wanted}
        pinned = [entry for space in spaces for entry in self._pinned(space, gathered)]
        packed = pack(proposed, query.budget_tokens, pinned=pinned, withheld=len(gathered.disputed))
        recall = next((each.id for each in gathered.recalled), None) or RecallId(f"rcl_{self.ids.ulid()}")
        return Context(
            id=recall,
            packed=packed,
            found=gathered.found,
            disputed=len(gathered.disputed),
            confidence=gathered.recalled[0].confidence if gathered.recalled else Confidence.NONE,
            arms=merged([arm for each in gathered.recalled for arm in each.arms]),
            is_recorded=not query.is_dry_run and self._record(recall, caller, packed, gathered),
            took_ms=round((time.perf_counter() - begun) * 1000, 2),
        )

    def _spaces(self, caller: Caller, query: ContextQuery) -> list[Space]:
        names = dict.fromkeys(caller.require_space(name) for name in query.spaces or (None,))
        return [space for name in names if (space := self.show.steps.spaces.find(name)) is not None]

    def _propose(self, section: Section) -> _Propose:
        proposing: Mapping[Section, _Propose] = {
            Section.PROFILE: self._profile,
            Section.RELEVANT: self._relevant,
            Section.RECENT: self._recent,
            Section.DECISIONS: self._decisions,
        }
        return proposing[section]

    def _pinned(self, space: Space, gathered: Gathered) -> list[Entry]:
        return gathered.memories(self.show.of(space, self.pins.of(space.id, _PINNED)))

    def _profile(self, caller: Caller, query: ContextQuery, spaces: Sequence[Space], gathered: Gathered) -> list[Entry]:
        entries: list[Entry] = []
        for space in spaces:
            profiled = self.profile(space, query.looked_at(_TOKENS_OF_OTHERS))
            gathered.disputed |= profiled.disputed
            for subject in profiled.subjects:
                about = "" if subject.kind is SubjectKind.OWNER else subject.name
                entries += gathered.memories([line.memory for line in subject.lines], about)
        return entries

    def _relevant(
        self, caller: Caller, query: ContextQuery, spaces: Sequence[Space], gathered: Gathered
    ) -> list[Entry]:
        asked = RecallQuery(query.query, query.looked_at(_TOKENS_OF_RELEVANT))
        return gathered.hits(self._hits(caller, query, asked, gathered))

    def _recent(self, caller: Caller, query: ContextQuery, spaces: Sequence[Space], gathered: Gathered) -> list[Entry]:
        """What was said last, of what was recorded last."""
        most = query.looked_at(_TOKENS_OF_OTHERS)
        newest = [each for space in spaces for each in self.show(space, self.show.newest(space, most))]
        newest.sort(key=lambda each: (each.version.statement.asserted_at, each.version.recorded_at), reverse=True)
        return gathered.memories(newest)

    def _decisions(
        self, caller: Caller, query: ContextQuery, spaces: Sequence[Space], gathered: Gathered
    ) -> list[Entry]:
        filters = Filters(memory_types=_DECISION_TYPES)
        most = query.looked_at(_TOKENS_OF_OTHERS)
        asked = RecallQuery(query.query, most, kinds=("memory",), filters=filters)
        hits = self._hits(caller, query, asked, gathered)
        return gathered.hits([hit for hit in hits if isinstance(hit, Hit) and _is_decision(hit.memory)])

    def _hits(self, caller: Caller, query: ContextQuery, asked: RecallQuery, gathered: Gathered) -> tuple[AnyHit, ...]:
        """What a recall gives that leaves no record: what is handed out is known only when it is packed."""
        recalled = self.recall(caller, replace(asked, spaces=query.spaces, is_dry_run=True, rerank=RerankMode.OFF))
        gathered.recalled.append(recalled)
        return recalled.hits

    def _record(self, recall: RecallId, caller: Caller, packed: Packed, gathered: Gathered) -> bool:
        """Remember what is handed out; False when it could not be, which is no reason to hand out nothing."""
        handed = [gathered.found[each.entry.key] for each in packed.placed]
        versions: dict[SpaceId, list[Version]] = {}
        for each in handed:
            if isinstance(each, Memory):
                versions.setdefault(each.head.space, []).append(each.version)
        return self.record(caller, [Answer(recall, space, own, len(own), {}) for space, own in versions.items()])()


def _is_decision(memory: Memory) -> bool:
    said = memory.version.statement
    return said.memory_type is MemoryType.PROCEDURE or tells_decision(said.content)
