"""Recall: rank what a space remembers against a query, and say how it was found."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.analysis import query_words
from palimpsest.domain.belief import Status
from palimpsest.domain.errors import NothingSearched, TableError
from palimpsest.domain.ids import RecallId
from palimpsest.domain.language import Linguist
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import Search
from palimpsest.stores.recalls import Recalls
from palimpsest.stores.spaces import Space
from palimpsest.usecases.answers import ArmReport, ArmState, Confidence, Hit, Recalled, RecallQuery
from palimpsest.usecases.candidates import Question, Scored
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.search_spaces import Ranked, SearchSpaces, Understood
from palimpsest.usecases.steps import Steps, memory

_POOL = 100
"""Candidates that each arm gives at least; a filter or the table may drop some."""

_EMBEDDING_PART = 2 / 3
"""Of a recall's time the arms wait so much at most for the query's vector, so that they can still do without."""


_NOTHING_THERE = tuple(ArmReport(name, ArmState.EMPTY, None, 0, 0.0) for name in ("tail", "keyword", "vector"))
"""The reports of a recall in a space that was never written to."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Recalls."""

    steps: Steps
    search_spaces: SearchSpaces
    recalls: Recalls
    embedder: Embedder
    linguist: Linguist
    query_executor: Executor
    ids: Ids
    embed_box: timedelta
    box: timedelta

    def __call__(self, caller: Caller, query: RecallQuery) -> Recalled:
        """The best memories for a query, each re-read from the table.

        Raises:
            NotAllowed: The key may not enter one of the spaces.
            Invalid: The query is blank or too long, or the dates are reversed.
            NothingSearched: Every arm failed.
        """
        begun = time.perf_counter()
        query.filters.require_order()
        question = text.accept(query.query, "query", limit_characters=text.QUERY_CHARACTERS)
        names = [caller.require_space(name) for name in query.spaces or (None,)]
        spaces = [space for name in dict.fromkeys(names) if (space := self.steps.spaces.find(name)) is not None]
        understood = self._understand(question, begun)
        searches = {space: self._to_search(space, query, understood) for space in spaces}
        found = self.search_spaces(searches, understood, begun + self.box.total_seconds())
        reports = _merged([report for ranked in found for report in ranked.reports]) or _NOTHING_THERE
        _require_an_arm(reports)
        recall = RecallId(f"rcl_{self.ids.ulid()}")
        hits = [hit for ranked in found for hit in self._answer(query, ranked)]
        hits.sort(key=lambda hit: (-hit.score, hit.memory.version.root, hit.memory.version.number))
        hits = hits[: query.limit]
        total = sum(len(ranked.ranking) for ranked in found)
        return Recalled(
            id=recall,
            confidence=_confidence(hits),
            hits=tuple(hits),
            is_recorded=not query.is_dry_run and self._record(recall, caller, hits),
            languages=tuple(self.linguist.languages(question)),
            arms=reports,
            total_candidates=total,
            duplicates_removed=0,
            took_ms=round((time.perf_counter() - begun) * 1000, 2),
            is_underfilled=len(hits) < query.limit <= total and total >= self._pool(query),
        )

    def _understand(self, question: str, begun: float) -> Understood:
        """The query as far as it is known at once; its vector is on the way."""
        job = self.query_executor.submit(self.embedder.query, question)
        box = min(self.embed_box, self.box * _EMBEDDING_PART)
        return Understood(Question(query_words(question, self.linguist)), QueryVector(job, begun + box.total_seconds()))

    def _to_search(self, space: Space, query: RecallQuery, understood: Understood) -> Search:
        statuses = tuple(s for s in query.filters.statuses if s in (Status.CURRENT, Status.STALE))
        filters = replace(query.filters, statuses=statuses)
        return Search(space.id, understood.question.terms, understood.vector, filters, limit=self._pool(query))

    def _answer(self, query: RecallQuery, ranked: Ranked) -> list[Hit]:
        """The best of one space, as they stand in the table."""
        if "memory" not in query.kinds:
            return []
        hits: list[Hit] = []
        step = query.limit
        for at in range(0, len(ranked.ranking), step):
            hits += self._reread(ranked, query, ranked.ranking.part(at, at + step))
            if len(hits) >= query.limit:
                break
        return hits[: query.limit]

    def _record(self, recall: RecallId, caller: Caller, hits: Sequence[Hit]) -> bool:
        """Remember what is answered; False when it could not be, which is no reason to answer nothing."""
        try:
            for space in dict.fromkeys(hit.memory.head.space for hit in hits):
                versions = [hit.memory.version for hit in hits if hit.memory.head.space == space]
                self.recalls.record(recall, space, caller.key, versions, self.steps.clock.now())
        except TableError:
            return False
        return True

    def _reread(self, ranked: Ranked, query: RecallQuery, proposed: Sequence[Scored]) -> Iterable[Hit]:
        space, now = ranked.space, self.steps.clock.now()
        proposed = [scored for scored in proposed if scored.score >= query.min_score]
        heads, versions = self.steps.beliefs.heads_and_versions([scored.ref for scored in proposed])
        stale = [ref for ref in versions if ref[1] < heads[ref[0]].count]
        if stale:
            later = {(root, number + 1) for root, number in stale} | {(r, heads[r].current) for r, _ in stale}
            versions |= self.steps.beliefs.versions(sorted(later))
        for scored in proposed:
            head = heads.get(scored.root)
            if head is None or head.space != space.id or head.is_expired(now):
                continue
            number = scored.number
            if not query.filters.shows_stale and not ranked.ranking.has(scored.root, head.current):
                number = head.current  # it was updated after the arms had looked
            version = versions.get((scored.root, number))
            if version is not None and query.filters.passes(head, version):
                shown = memory(space, head, version, versions.get((scored.root, number + 1)))
                yield Hit(shown, scored.score, scored.similarity, scored.why, dict(scored.parts))

    @staticmethod
    def _pool(query: RecallQuery) -> int:
        return max(_POOL, 2 * query.limit)


def _merged(reports: Sequence[ArmReport]) -> tuple[ArmReport, ...]:
    """One report an arm when several spaces were searched: the worst state, all candidates, the longest time."""
    severity = (ArmState.EMPTY, ArmState.SKIPPED, ArmState.OK, ArmState.DEGRADED, ArmState.FAILED)
    merged: dict[str, ArmReport] = {}
    for report in reports:
        other = merged.get(report.name, report)
        worse = max(other, report, key=lambda r: severity.index(r.state))
        merged[report.name] = replace(
            worse,
            candidates=report.candidates if other is report else other.candidates + report.candidates,
            took_ms=max(other.took_ms, report.took_ms),
            lag_seconds=max((r.lag_seconds for r in (other, report) if r.lag_seconds is not None), default=None),
        )
    return tuple(merged.values())


def _require_an_arm(reports: Sequence[ArmReport]) -> None:
    """NothingSearched unless an arm has looked."""
    if reports and not any(report.has_searched for report in reports):
        raise NothingSearched({report.name: report.reason or report.state for report in reports})


def _confidence(hits: Sequence[Hit]) -> Confidence:
    """A hint: an answer found by words and by meaning alike is confident, any other weak."""
    if not hits:
        return Confidence.NONE
    both = {"keyword", "vector"} <= set(hits[0].why) or {"tail"} == set(hits[0].why)
    return Confidence.CONFIDENT if both and hits[0].score >= 0.5 else Confidence.WEAK
