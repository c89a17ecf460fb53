"""How a stored item is put into the form that this release writes, without undoing what others write meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from palimpsest.ports.table import All, Change, Condition, Equals, Item, Key, Missing, Remove, Set, Update, Value
from palimpsest.stores.kinds import Kind, apply


@dataclass(frozen=True, slots=True)
class _Watched(Mapping[str, Value]):
    """An item that knows which attributes it was asked for, also in vain."""

    item: Item
    asked: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> Value:
        self.asked.add(name)
        return self.item[name]

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self.item)
        return iter(self.item)

    def __len__(self) -> int:
        return len(self.item)


def renewal(stored: Item, kind: Kind, form: int) -> Update:
    """The write that raises the item from `form` to the form that is written now.

    It touches only what the upcasts change, and holds only while all that they looked at is as it was, also what they
    looked for in vain: an attribute that somebody adds meanwhile is neither lost nor overlooked.
    """
    asked = {"_v"}
    risen: Item = stored
    for upcast in kind.upcasts[form - 1 : kind.writes - 1]:
        watched = _Watched(risen)
        risen = apply(upcast, watched)
        asked |= watched.asked
    changes = _changes(stored, {**risen, "_v": kind.writes})
    seen = sorted((asked | {change.attribute for change in changes}) - {"pk", "sk"})
    conditions: list[Condition] = [Equals(n, stored[n]) if n in stored else Missing(n) for n in seen]
    return Update(Key(str(stored["pk"]), str(stored["sk"])), changes, All(tuple(conditions)))


def _changes(before: Item, after: Item) -> tuple[Change, ...]:
    changed: list[Change] = [Set(n, after[n]) for n in sorted(after) if n not in before or before[n] != after[n]]
    return (*changed, *(Remove(n) for n in sorted(before) if n not in after))
