"""Kinds of items, the forms that each has had, and how an older form becomes the newest.

Each item says its form in `_v`. The rules, which docs/operate/evolution.md gives with their reasons:

- What an older release may pass over (a new attribute that it would not miss) is no new form.
- A release that learns to read a new form still writes the one before; the next one writes it. So the release before
  always reads what this one writes.
- A form from further on is refused (NewerItem), never guessed at.
- What is written once is never rewritten, so its upcasts stay for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from palimpsest.domain.errors import CorruptItem, NewerItem
from palimpsest.ports.table import Item, Key, Value
from palimpsest.stores import keys

Upcast: TypeAlias = Callable[[Item], dict[str, Value]]
"""An item of one form in the next one: the same attributes, but for those that changed. `_v` is not its business."""

_WRITTEN_ONCE: Final = frozenset({"version", "event", "vectors", "change", "recall"})
"""Laws 1 and 2: what these say is never said again otherwise. The rest is state, and is moved on by steps and jobs."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of item.

    Attributes:
        upcasts: The first makes form 2 of form 1, and so on.
        writes: The form that this release writes: the newest one, or the one before while that is rolled out.
    """

    name: str
    is_written_once: bool = False
    upcasts: tuple[Upcast, ...] = ()
    writes: int = 1

    @property
    def reads(self) -> int:
        """The newest form that this release reads."""
        return 1 + len(self.upcasts)


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds by name."""

    by_name: Mapping[str, Kind] = field(default_factory=dict)

    def of(self, key: Key) -> Kind:
        """The kind of what lies under the key; ValueError for one that `keys.KINDS` does not name."""
        name = keys.kind(key)
        if name is None:
            raise ValueError(f"no kind of item lies under {key.pk.partition('#')[0]} / {key.sk.partition('#')[0]}")
        return self.by_name[name]

    def upcast(self, stored: Item) -> Item:
        """The item in the newest form; what has no form (an index's entry, a map in an item) as it is.

        Raises:
            NewerItem: Its form is further on than this release reads.
            CorruptItem: Its form is none.
        """
        form = stored.get("_v")
        if form is None:
            return stored
        key = Key(str(stored.get("pk")), str(stored.get("sk")))
        kind = self.of(key)
        if not isinstance(form, int) or isinstance(form, bool) or form < 1:
            raise CorruptItem(*key, "attribute _v")
        if form > kind.reads:
            raise NewerItem(*key, form=form, readable=kind.reads)
        return raised(stored, kind, form, kind.reads) if form < kind.reads else stored


def raised(stored: Item, kind: Kind, form: int, to: int) -> dict[str, Value]:
    """The item, which has `form`, in the form `to`."""
    risen = stored
    for upcast in kind.upcasts[form - 1 : to - 1]:
        risen = apply(upcast, risen)
    return {**risen, "_v": to}


def apply(upcast: Upcast, stored: Item) -> dict[str, Value]:
    """The item in the next form; CorruptItem when it is not of the form before."""
    try:
        return upcast(stored)
    except (KeyError, TypeError, ValueError) as error:
        # The error's words may quote a value, so its type alone is told.
        reason = f"its form is not what it says ({type(error).__name__})"
        raise CorruptItem(str(stored["pk"]), str(stored["sk"]), reason) from error


_UPCASTS: Final[Mapping[str, tuple[Upcast, ...]]] = {}

NOW: Final = Kinds(
    {
        name: Kind(name, name in _WRITTEN_ONCE, _UPCASTS.get(name, ()), writes=1 + len(_UPCASTS.get(name, ())))
        for name in keys.KINDS.values()
    }
)
"""The kinds as this release knows them. A new form brings its upcast here and its recording to tests/recorded."""
