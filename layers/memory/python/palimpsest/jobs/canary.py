"""Find arms that give nothing of a space although the table says that there is something to give.

A recall can't tell that: an arm without candidates looks like one that was asked for what nobody said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.errors import IndexUnavailable, NewerItem
from palimpsest.domain.ids import SpaceId
from palimpsest.jobs.ask_arms import ARMS, AskArms
from palimpsest.jobs.choose_probes import ChooseProbes
from palimpsest.jobs.probes import Probe
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.ports.search_index import GONE, Generation
from palimpsest.stores.canaries import Canaries, Visit
from palimpsest.stores.mutes import Mute, Mutes
from palimpsest.stores.spaces import Space, Spaces
from palimpsest.usecases.searching import Searching


@dataclass(frozen=True, slots=True)
class Canary:
    """Asks the arms of one space that was changed or recalled, while its index is awake anyway."""

    canaries: Canaries
    mutes: Mutes
    spaces: Spaces
    choose: ChooseProbes
    ask: AskArms
    searching: Searching
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """The whole space, which is five entries; never more at once. Nothing while it is not due, or the index sleeps.

        Raises:
            IndexUnavailable: The engine does not answer. It is left alone until somebody else had an answer.
        """
        del seconds_left
        visit, now = self.canaries.read(SpaceId(subject)), self.clock.now()
        generation = self._awake()
        if visit is None or generation is None or now < visit.due_at:
            return False
        if not visit.is_touched:
            self.canaries.clear(visit)
            return False
        try:
            self._visit(visit, generation, now)
        except IndexUnavailable as error:
            self.canaries.put_off(visit, now)
            if error.reason in GONE:
                self.searching.found_gone(generation)
            self.searching.generations.did_not_answer(self.searching.generations.read())
            self.searching.forget()
            raise
        except NewerItem:
            self.canaries.put_off(visit, now)  # the release that wrote it looks at the space
        return False

    def _awake(self) -> Generation | None:
        """The active generation while asking it wakes nobody and none is being built that will replace it."""
        state = self.searching.generations.read()
        is_awake = self.searching.is_surely_awake(state) and not self.searching.indexes.is_off
        return state.active if is_awake and state.building is None else None

    def _visit(self, visit: Visit, generation: Generation, now: datetime) -> None:
        space = self.spaces.by_id(visit.space)
        chosen = self.choose(space, generation)
        if not chosen.probes and not chosen.is_all:
            self.canaries.put_off(visit, now)
            return
        found: dict[str, Mute | None] = dict.fromkeys(ARMS) if chosen.is_all else {}
        for arm, given in self._given(space, generation, chosen.probes).items():
            if any(is_given is None for _, is_given in given):
                found.pop(arm, None)  # what could look only in part is found neither mute nor well
                continue
            missed = [probe for probe, is_given in given if not is_given]
            gone = len(missed) - len(self.choose.standing(space, generation, missed)) if missed else 0
            asked, lost = len(given) - gone, len(missed) - gone
            is_mute = 2 * lost > asked  # of some entries that are lost an arm is not mute
            found[arm] = Mute(arm, generation.id, now, asked, lost) if is_mute else None
        self.mutes.keep(space.id, found, now)
        self.canaries.end(visit, now)

    def _given(
        self, space: Space, generation: Generation, probes: tuple[Probe, ...]
    ) -> dict[str, list[tuple[Probe, bool | None]]]:
        """By arm what it was asked for, and whether it gave that, None where it could look only in part."""
        given: dict[str, list[tuple[Probe, bool | None]]] = defaultdict(list)
        for probe in probes:
            for arm, gave in self.ask(space, generation, probe).items():
                given[arm].append((probe, gave))
        return given
