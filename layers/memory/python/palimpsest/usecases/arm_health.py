"""What is known of the search arms beside how they fare in one recall: where they are mute, how they fared so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Final

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import NotFound, TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Generation
from palimpsest.stores.mutes import Listed, Mutes
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.answers import ArmReport, ArmState

ARMS: Final = ("tail", "keyword", "vector", "entity", "exact")
"""In the order in which answers have them."""

_COUNTED: Final = 1_000
"""Findings that a status looks at."""
_NAMED: Final = 20
"""Spaces of an arm that it names."""
_LOOKED_UP: Final = 100
"""Spaces whose names are looked up for a key that may not enter every space."""


@dataclass(frozen=True, slots=True)
class ArmStanding:
    """How one arm stands.

    Attributes:
        mute_spaces: In how many of the spaces that the caller may enter it is mute, 1,000 at most.
        spaces: Names of some of them, 20 at most.
        since: When the first of those was found.
        checked_at: When the canary last asked it, in whatever space; None before the first time.
        counts: How often it fared how in this process since its start; None for a key that does not cover every space.
    """

    name: str
    mute_spaces: int
    spaces: tuple[str, ...]
    since: datetime | None
    checked_at: datetime | None
    counts: Mapping[ArmState, int] | None

    @property
    def is_healthy(self) -> bool:
        """It is mute nowhere."""
        return self.mute_spaces == 0


@dataclass(frozen=True, slots=True)
class ArmHealth:
    """Tells which arms are mute, and counts how all fare."""

    mutes: Mutes
    spaces: Spaces
    _counts: Counter[tuple[str, ArmState]] = field(default_factory=Counter, init=False, repr=False, compare=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    def mute_in(self, space: SpaceId, generation: Generation | None) -> frozenset[str]:
        """The arms that are mute there as long as that generation answers; none while the table can't tell."""
        if generation is None:
            return frozenset()
        try:
            found = self.mutes.of(space)
        except TableError:
            return frozenset()
        return frozenset(mute.arm for mute in found if mute.generation == generation.id)

    def count(self, reports: Iterable[ArmReport]) -> None:
        """Of a search of one space."""
        with self._lock:
            self._counts.update((report.name, report.state) for report in reports)

    def standing(self, caller: Caller, generation: Generation | None) -> tuple[ArmStanding, ...]:
        """Of every arm, as far as the caller may know."""
        checked = self.mutes.checked()
        own = {arm: [] if generation is None else self.mutes.listed(generation.id, arm, _COUNTED) for arm in ARMS}
        return tuple(self._of(caller, arm, own[arm], checked.get(arm)) for arm in ARMS)

    def _of(self, caller: Caller, arm: str, own: Sequence[Listed], checked_at: datetime | None) -> ArmStanding:
        sees_all = caller.spaces is None
        named = self._named(own[:_NAMED] if sees_all else own[:_LOOKED_UP])
        mine = {each: name for each, name in named.items() if caller.may_enter(name)}
        counted = own if sees_all else list(mine)
        return ArmStanding(
            arm,
            len(counted),
            tuple(sorted(mine.values()))[:_NAMED],
            min((each.since for each in counted), default=None),
            checked_at,
            self._counted(arm) if sees_all else None,
        )

    def _named(self, found: Iterable[Listed]) -> dict[Listed, str]:
        names = {}
        for each in found:
            try:
                names[each] = self.spaces.by_id(each.space).name
            except NotFound:
                continue  # the index of a table that was restored may list more than there is
        return names

    def _counted(self, arm: str) -> Mapping[ArmState, int]:
        with self._lock:
            return {state: self._counts[arm, state] for state in ArmState}
