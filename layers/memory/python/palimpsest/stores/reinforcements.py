"""What recalls and ratings made of beliefs, beside their heads: a reinforcement is no step, and no version's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.belief import Head, Memory, State
from palimpsest.domain.errors import ConditionFailed, CorruptItem, TableThrottled
from palimpsest.domain.ids import RecallId, RootId
from palimpsest.domain.strength import LEADING, Ratings, Reinforcement
from palimpsest.ports.table import All, Check, Condition, Equals, Exists, Item, Key, Missing, Remove, Set, Table, Update
from palimpsest.stores import keys, recall_keys
from palimpsest.stores.codec import Reader, decimal, readable
from palimpsest.stores.kinds import NOW
from palimpsest.stores.recalls import HandedOut
from palimpsest.stores.standing import IS_THERE

_ATTEMPTS: Final = 20
_EARLY: Final = 50
"""Recalls that count before their time, newest kept: an assistant repeats what it was told a few turns ago."""


@dataclass(frozen=True, slots=True)
class Use:
    """A recall that answered with a belief. `is_leading`: among its first results."""

    recall: RecallId
    at: datetime
    is_leading: bool = False


def uses_of(records: Iterable[HandedOut]) -> dict[RootId, list[Use]]:
    """Of each belief the recalls that answered with it, in one version or several."""
    uses: dict[RootId, list[Use]] = {}
    for record in records:
        roots = list(dict.fromkeys(ref.root for ref in record.refs))
        for place, root in enumerate(roots):
            uses.setdefault(root, []).append(Use(record.recall, record.at, is_leading=place < LEADING))
    return uses


@dataclass(frozen=True, slots=True)
class _Kept:
    """A reinforcement as it lies in the table.

    Attributes:
        until: The ids of recalls sort by time; those up to this one are counted, or never will be.
        early: Later ones that are counted already.
    """

    reinforcement: Reinforcement
    until: str | None = None
    early: tuple[str, ...] = ()
    is_there: bool = False

    def fresh(self, uses: Sequence[Use]) -> list[Use]:
        known = {use.recall: use for use in uses if use.recall > (self.until or "") and use.recall not in self.early}
        return [known[recall] for recall in sorted(known)]

    @property
    def is_unmoved(self) -> Condition:
        """Nobody has counted a recall since it was read; ratings may have come."""
        until = Missing("recall") if self.until is None else Equals("recall", self.until)
        early = Equals("early", " ".join(self.early)) if self.early else Missing("early")
        return All((until, early, Exists("pk") if self.is_there else Missing("pk")))


@dataclass(frozen=True, slots=True)
class Reinforcements:
    """Reads them, and counts recalls: each at most once, whoever tells of it and how often."""

    table: Table

    def of(self, roots: Sequence[RootId]) -> dict[RootId, Reinforcement]:
        """What is known of each that was ever reinforced. Eventually read: nothing is decided by it."""
        if not roots:
            return {}
        places = {recall_keys.reinforcement(root): root for root in dict.fromkeys(roots)}
        found = self.table.get(list(places), consistent=False).items
        return {places[place]: known for place, stored in found.items() for known in readable(read, [stored])}

    def shown(self, memories: Sequence[Memory]) -> list[Memory]:
        """The memories, each with what is known of it."""
        found = self.of([memory.head.root for memory in memories])
        return [replace(memory, reinforcement=found.get(memory.head.root, Reinforcement())) for memory in memories]

    def count(self, head: Head, use: Use) -> None:
        """Count one recall at once, before those that came earlier and wait for `count_all`."""
        self._change({head.root: head}, {head.root: [use]}, None)

    def count_all(self, heads: Sequence[Head], uses: dict[RootId, list[Use]], until: RecallId) -> int:
        """Count the recalls of each belief, all up to `until`; how many beliefs were written.

        Nothing is counted of a belief that is erased meanwhile, so that nothing is left beside its tombstone. An item
        that no codec can read is left alone.
        """
        return self._change({head.root: head for head in heads}, uses, until)

    def _change(self, heads: dict[RootId, Head], uses: dict[RootId, list[Use]], until: RecallId | None) -> int:
        written, waiting = 0, [root for root in uses if root in heads and not heads[root].state.is_erased]
        for attempt in range(_ATTEMPTS):
            kept = self._kept(waiting, consistent=attempt > 0)
            lost = []
            for root, seen in kept.items():
                fresh = seen.fresh(uses[root])
                if not fresh:
                    continue
                if self._moved(heads[root], seen, _after(seen, fresh, heads[root], until)):
                    written += 1
                else:
                    lost.append(root)
            waiting = [root for root in lost if self._is_there(root)]
            if not waiting:
                return written
        raise TableThrottled

    def _moved(self, head: Head, seen: _Kept, after: _Kept) -> bool:
        key = recall_keys.reinforcement(head.root)
        write = Update(key, _changes(key, after), seen.is_unmoved)
        try:
            if seen.is_there:
                self.table.write(write)  # an erasure takes the item away, and then there is nothing to change
            else:
                self.table.transact([Check(keys.head(head.root), IS_THERE), write])
        except ConditionFailed:
            return False
        return True

    def _is_there(self, root: RootId) -> bool:
        key = keys.head(root)
        stored = self.table.get([key]).items.get(key)
        return stored is not None and not Reader(stored).choice("state", State).is_erased

    def _kept(self, roots: Sequence[RootId], *, consistent: bool) -> dict[RootId, _Kept]:
        """Of each belief its own, or an empty one; those that this release can't read are left out."""
        places = {recall_keys.reinforcement(root): root for root in roots}
        found = self.table.get(list(places), consistent=consistent).items if places else {}
        kept = {root: _Kept(Reinforcement()) for place, root in places.items() if place not in found}
        for place, stored in found.items():
            with suppress(CorruptItem):
                kept[places[place]] = _read(stored)
        return kept


def _after(seen: _Kept, fresh: Sequence[Use], head: Head, until: RecallId | None) -> _Kept:
    reinforcement = seen.reinforcement
    for use in fresh:
        importance = head.annotations.importance
        reinforcement = reinforcement.recalled(use.at, importance, is_leading=use.is_leading)
    if until is None:
        early = sorted({*seen.early, *(use.recall for use in fresh)})[-_EARLY:]
        return _Kept(reinforcement, seen.until, tuple(early))
    return _Kept(reinforcement, until, tuple(recall for recall in seen.early if recall > until))


def _changes(key: Key, kept: _Kept) -> tuple[Set | Remove, ...]:
    known = kept.reinforcement
    told = {
        "access_count": known.access_count,
        "last_recalled_at": None if known.last_recalled_at is None else instants.write(known.last_recalled_at),
        "spaced": known.spaced,
        "spaced_at": None if known.spaced_at is None else instants.write(known.spaced_at),
        "raises": known.raises,
        "raised_from": None if known.raised_from is None else decimal(known.raised_from),
        "recall": kept.until,
        "_v": NOW.of(key).writes,
    }
    early = Set("early", " ".join(kept.early)) if kept.early else Remove("early")
    return *(Set(name, value) for name, value in told.items() if value is not None), early


def read(stored: Item) -> Reinforcement:
    """The reinforcement in an item; CorruptItem when it is none."""
    return _read(stored).reinforcement


def _read(stored: Item) -> _Kept:
    r = Reader(stored)

    def counted(name: str) -> int:
        return r.optional(name, r.integer) or 0

    known = Reinforcement(
        access_count=counted("access_count"),
        last_recalled_at=r.optional("last_recalled_at", r.instant),
        spaced=counted("spaced"),
        spaced_at=r.optional("spaced_at", r.instant),
        raises=counted("raises"),
        raised_from=r.optional("raised_from", r.number),
        ratings=Ratings(counted("useful"), counted("harmful"), counted("wrong")),
    )
    early = (r.optional("early", r.text) or "").split()
    return _Kept(known, r.optional("recall", r.text), tuple(early), is_there=True)
