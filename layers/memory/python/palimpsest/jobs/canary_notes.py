"""What those who follow the change logs and count recalls say for the canary: which space was touched."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.clock import Clock
from palimpsest.stores.canaries import RELIED_ON, Canaries
from palimpsest.stores.recalls import HandedOut
from palimpsest.usecases.answers import ArmState
from palimpsest.usecases.searching import Searching

_REMEMBERED: Final = 10_000
_OF_THE_INDEX: Final = ("keyword", "vector")
_ANSWERED: Final = frozenset({ArmState.OK, ArmState.EMPTY})


@dataclass(frozen=True, slots=True)
class CanaryNotes:
    """Leaves word, at most once in three minutes for a space; a word that is lost is said again by the next touch."""

    canaries: Canaries
    searching: Searching
    clock: Clock
    _noted: dict[SpaceId, datetime] = field(default_factory=dict, init=False, repr=False, compare=False)

    def changed(self, space: SpaceId) -> None:
        """The index took in a change of the space."""
        now = self.clock.now()
        noted_at = self._noted.get(space)
        if self.searching.indexes.is_off or (noted_at is not None and now - noted_at < RELIED_ON):
            return
        with suppress(TableError):
            self.canaries.note(space, now)
            if len(self._noted) >= _REMEMBERED:
                self._noted.clear()
            self._noted[space] = now

    def recalled(self, space: SpaceId, records: Sequence[HandedOut]) -> None:
        """These recalls were answered from the space; what the index answered to them, it was awake for."""
        self.changed(space)
        answered = [each.at for each in records if {each.arms.get(arm) for arm in _OF_THE_INDEX} & _ANSWERED]
        if answered and self.searching.indexes.is_remote:
            with suppress(TableError):
                self.searching.found_answering(max(answered))
