"""What was proposed, as it stands in the table (law 3): best first, until there are enough results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.domain.belief import Head, Memory, State
from palimpsest.domain.ids import RootId
from palimpsest.domain.version import Version
from palimpsest.ports.search_index import Kind
from palimpsest.usecases.answers import Hit, RecallQuery
from palimpsest.usecases.candidates import Scored
from palimpsest.usecases.rank_space import Ranked
from palimpsest.usecases.steps import Steps, memory
from palimpsest.usecases.timelines import Rows, Timelines


@dataclass(frozen=True, slots=True)
class Rereading:
    """Reads candidates again."""

    steps: Steps
    timelines: Timelines

    def __call__(self, query: RecallQuery, ranked: Ranked, most: int) -> list[Hit]:
        """The best of one space: as many as are asked for if there are so many, and `most` of them at the most."""
        reading = _Reading(self.steps, self.timelines, query, ranked)
        hits: list[Hit] = []
        proposed = ranked.ranking.of_kind(Kind.MEMORY)
        for at in range(0, len(proposed), most):
            part = proposed.part(at, at + most)
            fair = [scored for scored in part if scored.score >= query.least_score]
            hits += reading.all_versions(fair) if query.filters.shows_stale else reading.answers(fair)
            if len(hits) >= query.limit or len(fair) < len(part):
                break
        return hits[:most]


@dataclass(frozen=True, slots=True)
class _Reading:
    """One recall in one space: what was read so far, and which version of each belief answers."""

    steps: Steps
    timelines: Timelines
    query: RecallQuery
    ranked: Ranked
    heads: dict[RootId, Head] = field(default_factory=dict)
    rows: Rows = field(default_factory=dict)
    found: dict[RootId, Version] = field(default_factory=dict)

    def answers(self, proposed: Sequence[Scored]) -> list[Hit]:
        """Of each belief the version that answers, where that was proposed; it comes at its own rank."""
        now = self.steps.clock.now()
        known = frozenset(self.heads)
        self._read(proposed)
        fresh = [head for root, head in self.heads.items() if root not in known]
        self.found.update(self.timelines(fresh, self.rows, self.query.filters, now))
        chosen = [(scored, version) for scored in proposed if (version := self._chosen(scored)) is not None]
        return list(self._shown(chosen))

    def all_versions(self, proposed: Sequence[Scored]) -> list[Hit]:
        """Every version that was proposed and passes the filters."""
        now = self.steps.clock.now()
        self._read(proposed)
        chosen = [
            (scored, version)
            for scored in proposed
            if (version := self.rows.get(scored.ref)) is not None and self._is_shown(version, now)
        ]
        return list(self._shown(chosen))

    def _read(self, proposed: Sequence[Scored]) -> None:
        """Their heads, as far as they are of this space, and their versions."""
        heads, rows = self.steps.beliefs.heads_and_versions([scored.ref for scored in proposed])
        for root, head in heads.items():
            if head.space == self.ranked.space.id:
                self.heads.setdefault(root, head)
        self.rows.update(rows)

    def _chosen(self, scored: Scored) -> Version | None:
        """The version that a candidate stands for: itself, or the current one when it was updated meanwhile."""
        answer = self.found.get(scored.root)
        if answer is None or not self.query.filters.fits(self.heads[scored.root], answer):
            return None
        is_late = answer.number == self.heads[scored.root].current and not self.query.filters.is_timed
        is_own = scored.number == answer.number
        if not is_own and (self.ranked.ranking.has(scored.root, answer.number) or not is_late):
            return None
        del self.found[scored.root]  # once is enough
        return answer

    def _is_shown(self, version: Version, now: datetime) -> bool:
        head = self.heads.get(version.root)
        if head is None or head.is_expired(now) or head.state is not State.LIVE:
            return False
        return self.query.filters.passes(head, version)

    def _shown(self, chosen: Sequence[tuple[Scored, Version]]) -> Iterator[Hit]:
        later = [(v.root, v.number + 1) for _, v in chosen if v.number < self.heads[v.root].count]
        lacking = [ref for ref in later if ref not in self.rows]
        if lacking:
            self.rows.update(self.steps.beliefs.versions(lacking, only_readable=True))
        hidden = self.steps.sources.hidden(version for _, version in chosen)
        for scored, version in chosen:
            if version.ref in hidden:
                continue
            shown = self._memory(version)
            yield Hit(shown, scored.score, scored.similarity, scored.why, dict(scored.parts))

    def _memory(self, version: Version) -> Memory:
        head = self.heads[version.root]
        return memory(self.ranked.space, head, version, self.rows.get((version.root, version.number + 1)))
