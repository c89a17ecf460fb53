"""Which entries go into a context: what is pinned first, the rest shared between sections, never over the budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from palimpsest.domain.packing.counting import count_tokens
from palimpsest.domain.packing.entry import PINNED, Entry, Section
from palimpsest.domain.packing.sameness import Said
from palimpsest.domain.packing.shortening import MOST_CHARACTERS, shortened
from palimpsest.domain.packing.writing import Placed, entry_cost, frame_cost, heading_cost, written

SHARES: Final[Mapping[str, int]] = {
    Section.RELEVANT: 5,
    Section.PROFILE: 2,
    Section.RECENT: 2,
    Section.DECISIONS: 2,
}
"""How what is left beside the pinned entries is shared between the sections that have something to say."""

_PINNED_PART: Final = 2
"""Pinned entries take one part in so many at first, and what others leave; the first of them takes what it needs."""

_FEWEST_CUT: Final = 16
"""Tokens of an entry below which a cut one says too little."""

_ORDER: Final = (PINNED, *Section)
_CHOOSING: Final = (Section.DECISIONS, Section.PROFILE, Section.RELEVANT, Section.RECENT)
"""Whose entry it is when several sections propose the same: the first of these."""

_REST: Final = (PINNED, Section.RELEVANT, Section.DECISIONS, Section.PROFILE, Section.RECENT)
"""Who takes first of what the sections have left."""


@dataclass(frozen=True, slots=True)
class Part:
    """What became of one section, or of what is pinned. `left_out`: the entries for which there was no room."""

    name: str
    placed: tuple[Placed, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """A context. `left_out`: memories for which there was no room in any part."""

    text: str
    tokens: int
    parts: tuple[Part, ...]
    left_out: int

    @property
    def placed(self) -> tuple[Placed, ...]:
        """The entries in their order; the first has the number 1."""
        return tuple(each for part in self.parts for each in part.placed)


def pack(
    proposed: Mapping[Section, Sequence[Entry]], budget: int, *, pinned: Sequence[Entry] = (), withheld: int = 0
) -> Packed:
    """A context of at most `budget` tokens by `count_tokens`.

    What is pinned comes first. Nothing comes twice, in other words neither, nor beside what was made from it. Each
    section keeps its order. An entry is cut only when no whole one fits in its place, and at the end of a sentence
    where there is one. A line at the end says how much was left out.

    Args:
        proposed: The sections that are asked for, each with its entries, best first.
        pinned: Pinned entries besides those of the sections.
        withheld: How many memories are disputed and not proposed for that; told in the line at the end.
    """
    filling = _Filling.of(proposed, pinned, budget, withheld)
    filling.fill()
    return filling.packed(budget, withheld)


@dataclass(slots=True)
class _Filling:
    """A context while it is filled. `left`: tokens."""

    entries: Mapping[str, Sequence[Entry]]
    left: int
    said: Said = field(default_factory=Said)
    placed: dict[str, dict[str, Placed]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, proposed: Mapping[Section, Sequence[Entry]], pinned: Sequence[Entry], budget: int, withheld: int
    ) -> _Filling:
        also = [each for section in Section for each in proposed.get(section, ()) if each.is_pinned]
        entries: dict[str, Sequence[Entry]] = {PINNED: _once([*also, *pinned])}
        for name, every in proposed.items():
            entries[name] = _once(each for each in every if not each.is_pinned)
        most = sum(map(len, entries.values()))
        return cls(entries, budget - frame_cost(_note(most, withheld)))

    def fill(self) -> None:
        self._fill_pinned()
        wanting = [name for name in _CHOOSING if self.entries.get(name)]
        shared, parts = self.left, sum(SHARES[name] for name in wanting)
        for name in wanting:
            self._take(name, shared * SHARES[name] // parts)
        for part in _REST:
            self._take(part, self.left)
        self._cut_one(_REST, self.left)

    def packed(self, budget: int, withheld: int) -> Packed:
        parts = [self._part(name) for name in _ORDER if name in self.entries]
        while True:
            packed = _written(parts, withheld)
            if packed.tokens <= budget:
                return packed
            last = max(place for place, part in enumerate(parts) if part.placed)
            *kept, dropped = parts[last].placed
            left_out = (*parts[last].left_out, dropped.entry.key)
            parts[last] = Part(parts[last].name, tuple(kept), left_out)

    def _fill_pinned(self) -> None:
        pinned = self.entries[PINNED]
        most = self.left // _PINNED_PART
        for each in pinned[:1]:
            if not self._place(PINNED, each, self.left):
                self._cut_one((PINNED,), most)
        self._take(PINNED, most - self._spent(PINNED))

    def _take(self, name: str, most: int) -> None:
        """Place what is new and fits whole, in its order, up to so many tokens."""
        for each in self.entries.get(name, ()):
            if most <= _FEWEST_CUT // 2:
                return
            before = self.left
            if self._place(name, each, min(most, self.left)):
                most -= before - self.left

    def _place(self, name: str, entry: Entry, most: int) -> bool:
        if len(entry.text) > most * MOST_CHARACTERS or entry.key in self.placed.get(name, ()):
            return False
        return self._put(Placed(entry, name, entry.text), most)

    def _cut_one(self, names: Sequence[str], most: int) -> None:
        """Of the first entry that is new and was not placed its beginning."""
        for name in names:
            for each in self.entries.get(name, ()):
                if each.key not in self.placed.get(name, ()) and not self.said.has(each):
                    bare = Placed(each, name, "", is_cut=True)
                    room = most - self._cost(bare)
                    text = shortened(each.text, room) if room >= _FEWEST_CUT else None
                    if text is not None:
                        self._put(replace(bare, text=text), most)
                    return

    def _put(self, placed: Placed, most: int) -> bool:
        cost = self._cost(placed)
        if cost > most or self.said.has(placed.entry):
            return False
        self.said.add(placed.entry)
        self.placed.setdefault(placed.part, {})[placed.entry.key] = placed
        self.left -= cost
        return True

    def _cost(self, placed: Placed) -> int:
        return entry_cost(placed) + (0 if self.placed.get(placed.part) else heading_cost(placed.part))

    def _spent(self, name: str) -> int:
        return sum(map(entry_cost, self.placed.get(name, {}).values()))

    def _part(self, name: str) -> Part:
        placed = self.placed.get(name, {})
        entries = self.entries[name]
        left_out = [each.key for each in entries if each.key not in placed and not self.said.has(each)]
        return Part(name, tuple(placed[each.key] for each in entries if each.key in placed), tuple(left_out))


def _once(entries: Iterable[Entry]) -> list[Entry]:
    """Each version once, where it comes first."""
    found: dict[str, Entry] = {}
    for each in entries:
        found.setdefault(each.key, each)
    return list(found.values())


def _written(parts: Sequence[Part], withheld: int) -> Packed:
    placed = [each for part in parts for each in part.placed]
    left_out = len({key for part in parts for key in part.left_out})
    text = written(placed, _note(left_out, withheld))
    return Packed(text, count_tokens(text) if text else 0, tuple(parts), left_out)


def _note(left_out: int, withheld: int) -> str:
    """The line at the end; empty when nothing was left out."""
    told = [f"{left_out} left out to stay in the budget"] if left_out else []
    told += [f"{withheld} left out because they are disputed"] if withheld else []
    return f"({'; '.join(told)})" if told else ""
