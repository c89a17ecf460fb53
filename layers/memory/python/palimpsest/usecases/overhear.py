"""Overhear a talk: say the little that a memory surely knows of it, or say why nothing is said."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Final

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import NothingSearched
from palimpsest.domain.ids import RecallId, SpaceId
from palimpsest.domain.packing.entry import Entry, Section
from palimpsest.domain.packing.listening import Silence, Turn, hear
from palimpsest.domain.packing.packing import Packed, pack
from palimpsest.domain.packing.shortening import beginning
from palimpsest.domain.version import Version
from palimpsest.stores.recalls import Answer, Recalls
from palimpsest.usecases.answers import AnyHit, ArmReport, ArmState, ContextHit, Hit, Recalled, RecallQuery, RerankMode
from palimpsest.usecases.packed_entries import entry_of_hit
from palimpsest.usecases.recall import Recall

SNIPPETS: Final = 5
BUDGET_TOKENS: Final = 400
MOST_TOKENS: Final = 2_000

_ASKED_FOR: Final = 10
"""Results of the recall, of which some were given before or are too weak."""

_SNIPPET_TOKENS: Final = 80

_JUST: Final = timedelta(minutes=30)
"""What was handed out to a key within that time is in its talk still."""

_COVERED: Final = 0.4
_SURELY_COVERED: Final = 0.6
"""The share of what is rare in the query that a memory has to have: meaning alone finds something for everything, and
one everyday word in common is no reason to speak up."""


class Tier(StrEnum):
    """How sure a snippet is to be wanted."""

    CONFIDENT = "confident"
    WEAK = "weak"


@dataclass(frozen=True, slots=True)
class AmbientQuery:
    """The talk. `spaces`: empty means the key's default space; a dry run leaves no recall record."""

    turns: tuple[Turn, ...] = ()
    hint: str | None = None
    spaces: tuple[str, ...] = ()
    budget_tokens: int = BUDGET_TOKENS
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """A result that is said. `is_cut`: only its beginning is."""

    hit: AnyHit
    tier: Tier
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Overheard:
    """What is said, and how it came about.

    Attributes:
        packed: The snippets as text for a prompt, numbered as they stand in `snippets`.
        silence: Why nothing is said; None when something is.
        id: None when nothing was recalled.
    """

    packed: Packed
    snippets: tuple[Snippet, ...]
    silence: Silence | None
    id: RecallId | None
    arms: tuple[ArmReport, ...]
    is_recorded: bool
    took_ms: float


_NOTHING: Final = pack({}, 0)


@dataclass(frozen=True, slots=True)
class Overhear:
    """Listens to talks."""

    recall: Recall
    recalls: Recalls

    def __call__(self, caller: Caller, query: AmbientQuery) -> Overheard:
        """At most 5 snippets, or the reason why there is none; a search that fails is a reason, too.

        Raises:
            NotAllowed: The key may not enter one of the spaces.
        """
        begun = time.perf_counter()
        for space in query.spaces or (None,):
            caller.require_space(space)
        heard = hear(query.turns, query.hint)
        told = _silent(heard.silence) if heard.silence is not None else self._answer(caller, query, heard.query)
        return replace(told, took_ms=round((time.perf_counter() - begun) * 1000, 2))

    def _answer(self, caller: Caller, query: AmbientQuery, question: str) -> Overheard:
        try:
            recalled = self.recall(caller, _asked(question, query))
        except NothingSearched as error:
            arms = tuple(ArmReport(arm, ArmState.FAILED, why, 0, 0.0) for arm, why in error.reasons.items())
            return replace(_silent(Silence.SEARCH_DEGRADED), arms=arms)
        known = replace(_silent(None), id=recalled.id, arms=recalled.arms)
        sure = [hit for hit in recalled.hits if _tier(hit) is not None]
        undisputed = [hit for hit in sure if isinstance(hit, ContextHit) or not hit.memory.head.is_disputed]
        fresh = self._fresh(caller, undisputed)
        packed, snippets = _said(fresh, query.budget_tokens)
        if not snippets:
            return replace(known, silence=_why(recalled, sure, undisputed, fresh))
        is_recorded = not query.is_dry_run and self._record(recalled.id, caller, snippets)
        return replace(known, packed=packed, snippets=snippets, is_recorded=is_recorded)

    def _fresh(self, caller: Caller, hits: Sequence[AnyHit]) -> list[AnyHit]:
        """What was not handed out to this key just now."""
        now = self.recall.steps.clock.now()
        spaces = {hit.memory.head.space for hit in hits if isinstance(hit, Hit)}
        given = {
            ref
            for space in spaces
            for record in self.recalls.recent(space, caller.key, now)
            if record.at >= now - _JUST
            for ref in record.refs
        }
        return [hit for hit in hits if isinstance(hit, ContextHit) or hit.memory.version.ref not in given]

    def _record(self, recall: RecallId, caller: Caller, snippets: Sequence[Snippet]) -> bool:
        """Remember what is handed out; False when it could not be, which is no reason to say nothing."""
        versions: dict[SpaceId, list[Version]] = {}
        for each in snippets:
            if isinstance(each.hit, Hit):
                versions.setdefault(each.hit.memory.head.space, []).append(each.hit.memory.version)
        answers = [Answer(recall, space, own, len(own), {}) for space, own in versions.items()]
        return self.recall.record(caller, answers)()


def _asked(question: str, query: AmbientQuery) -> RecallQuery:
    """Without a second look: nobody has asked, so nobody waits."""
    return RecallQuery(question, _ASKED_FOR, query.spaces, is_dry_run=True, rerank=RerankMode.OFF)


def _tier(hit: AnyHit) -> Tier | None:
    """How sure it is to be of use; None: meaning alone is no reason to speak up."""
    covered = max(hit.scores.get("covered", 0.0), hit.scores.get("entity", 0.0) and _COVERED)
    if covered < _COVERED:
        return None
    is_found_twice = "tail" in hit.why or {"keyword", "vector"} <= set(hit.why)  # the tail looks for both
    is_sure = covered >= _SURELY_COVERED and is_found_twice
    return Tier.CONFIDENT if is_sure else Tier.WEAK


def _said(hits: Sequence[AnyHit], budget: int) -> tuple[Packed, tuple[Snippet, ...]]:
    """The best of the results, the surer ones first."""
    ordered = sorted(hits, key=lambda hit: _tier(hit) is not Tier.CONFIDENT)
    entries: list[Entry] = []
    by_key: dict[str, AnyHit] = {}
    for hit in ordered[:SNIPPETS]:
        whole = entry_of_hit(hit)
        by_key[whole.key] = hit
        entries.append(replace(whole, text=beginning(whole.text, _SNIPPET_TOKENS), is_pinned=False))
    packed = pack({Section.RELEVANT: entries}, budget)
    return packed, tuple(_snippet(by_key, each.entry, is_cut=each.is_cut) for each in packed.placed)


def _snippet(by_key: Mapping[str, AnyHit], entry: Entry, *, is_cut: bool) -> Snippet:
    hit = by_key[entry.key]
    return Snippet(hit, _tier(hit) or Tier.WEAK, is_cut or entry.text != entry_of_hit(hit).text)


def _why(recalled: Recalled, sure: Sequence[AnyHit], undisputed: Sequence[AnyHit], fresh: Sequence[AnyHit]) -> Silence:
    """The last thing that stood in the way of an answer."""
    if fresh:
        return Silence.NO_ROOM
    if undisputed:
        return Silence.RECENTLY_GIVEN
    if sure:
        return Silence.DISPUTED
    is_troubled = any(arm.state in (ArmState.DEGRADED, ArmState.FAILED) for arm in recalled.arms)
    return Silence.SEARCH_DEGRADED if is_troubled else Silence.NOTHING_RELEVANT


def _silent(silence: Silence | None) -> Overheard:
    return Overheard(_NOTHING, (), silence, None, (), is_recorded=False, took_ms=0.0)
