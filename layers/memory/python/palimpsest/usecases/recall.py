"""Recall: rank what a space remembers against a query, and say how it was found."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.analysis import analyse_query
from palimpsest.domain.errors import EmbedderUnavailable, IndexUnavailable, NothingSearched
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId
from palimpsest.domain.lineage import Status
from palimpsest.ports.embedder import Embedder, Vector
from palimpsest.ports.ids import Ids
from palimpsest.ports.language import Linguist
from palimpsest.ports.search_index import Search, Statistics
from palimpsest.stores.recalls import Recalls
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases import arms
from palimpsest.usecases.arms import Arm, Degraded, Found, Skip
from palimpsest.usecases.candidates import Pool, Scored, from_tail, tail_statistics
from palimpsest.usecases.requests import ArmReport, ArmState, Confidence, Hit, Recalled, RecallQuery
from palimpsest.usecases.searching import Opened, Searching
from palimpsest.usecases.steps import Steps, memory

_POOL = 200
"""Candidates that each arm gives at least; a filter or the table may drop some."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """How long a recall waits: for the query's vector, and for the arms."""

    embedding: timedelta = timedelta(seconds=1)
    arms: timedelta = timedelta(seconds=1.5)


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as the arms take it. `vector_reason`: why there is no vector."""

    terms: tuple[str, ...]
    vector: Vector | None
    vector_reason: str | None


@dataclass(frozen=True, slots=True)
class Recall:
    """Recalls."""

    steps: Steps
    searching: Searching
    recalls: Recalls
    embedder: Embedder
    linguist: Linguist
    executor: Executor
    ids: Ids
    boxes: Boxes

    def __call__(self, caller: Caller, query: RecallQuery) -> Recalled:
        """The best memories for a query, each re-read from the table.

        Raises:
            NotAllowed: The key may not enter one of the spaces.
            Invalid: The query is blank or too long.
            NothingSearched: Every arm failed.
        """
        begun = time.perf_counter()
        question = text.accept(query.query, "query", limit_characters=text.QUERY_CHARACTERS)
        names = [caller.require_space(name) for name in query.spaces or (None,)]
        spaces = [space for name in dict.fromkeys(names) if (space := self.steps.spaces.find(name)) is not None]
        understood = self._understand(question)
        found = [self._search(space, query, understood) for space in spaces]
        reports = _merged([report for _, reports in found for report in reports])
        _require_an_arm(reports)
        recall = RecallId(f"rcl_{self.ids.ulid()}")
        hits: list[Hit] = []
        for space, (ranked, _) in zip(spaces, found, strict=True):
            hits += self._answer(caller, space, query, ranked, recall)
        hits.sort(key=lambda hit: (-hit.score, hit.memory.version.root, hit.memory.version.number))
        total = sum(len(ranked) for ranked, _ in found)
        return Recalled(
            id=recall,
            confidence=_confidence(hits),
            hits=tuple(hits[: query.limit]),
            languages=tuple(self.linguist.languages(question)),
            arms=reports,
            total_candidates=total,
            duplicates_removed=0,
            took_ms=round((time.perf_counter() - begun) * 1000, 2),
            is_underfilled=len(hits) < query.limit <= total and total >= self._pool(query),
        )

    def _understand(self, question: str) -> Understood:
        job = self.executor.submit(self.embedder.query, question)
        terms = analyse_query(question, self.linguist)
        try:
            vector = job.result(timeout=self.boxes.embedding.total_seconds())
        except FutureTimeout:
            job.cancel()
            return Understood(terms, None, "embedder_late")
        except EmbedderUnavailable as error:
            return Understood(terms, None, error.reason)
        return Understood(terms, vector, None)

    def _search(
        self, space: Space, query: RecallQuery, understood: Understood
    ) -> tuple[list[Scored], tuple[ArmReport, ...]]:
        """The pool of one space, ranked, and how its arms fared."""
        opened, reason = self._open()
        same_model = opened is not None and opened.generation.model == self.embedder.model
        vector = understood.vector if same_model or opened is None else None
        search = Search(
            space.id, understood.terms, vector, _with_stale(query.filters), limit=self._pool(query)
        )
        statistics: list[Statistics] = []
        tails: list[Tail] = []

        def keyword() -> Found:
            if opened is None:
                raise IndexUnavailable(reason, "")
            if not search.terms:
                raise Skip("no_terms")
            candidates = opened.index.keyword(search)
            statistics.append(opened.index.statistics(space.id, search.terms))
            return Found(candidates)

        def near() -> Found:
            if opened is None:
                raise IndexUnavailable(reason, "")
            if not same_model:
                raise Degraded("other_model")
            if search.vector is None:
                raise Degraded(understood.vector_reason or "no_vector")
            return Found(opened.index.vector(search))

        def tail() -> Found:
            read = self.searching.tail(space, opened)
            tails.append(read)
            candidates = from_tail(read.newest, search.terms, search.vector)
            return Found(candidates, "tail_truncated" if read.is_truncated else None)

        deadline = arms.deadline(self.boxes.arms)
        started = [arms.start(self.executor, "keyword", keyword), arms.start(self.executor, "vector", near)]
        started.append(arms.start(self.executor, "tail", tail))
        return self._pooled(started, deadline, search, statistics, tails)

    def _pooled(
        self, started: list[Arm], deadline: float, search: Search, statistics: list[Statistics], tails: list[Tail]
    ) -> tuple[list[Scored], tuple[ArmReport, ...]]:
        pool = Pool()
        reports = []
        for arm in reversed(started):
            candidates, report = arm.finish(deadline)
            pool.add(arm.name, candidates)
            reports.append(report)
        newest = tails[0].newest if tails else {}
        pool.correct(newest)
        figures = statistics[0] if statistics and statistics[0].entries else tail_statistics(newest)
        return pool.ranked(figures, search.terms), tuple(reversed(reports))

    def _open(self) -> tuple[Opened | None, str]:
        try:
            return self.searching.active(), ""
        except IndexUnavailable as error:
            self.searching.forget()
            return None, error.reason

    def _answer(
        self, caller: Caller, space: Space, query: RecallQuery, ranked: Sequence[Scored], recall: RecallId
    ) -> list[Hit]:
        """The best that stand in the table as they were proposed; the answer is recorded unless it is a dry run."""
        if "memory" not in query.kinds:
            return []
        hits: list[Hit] = []
        for at in range(0, len(ranked), query.limit + 10):
            hits += self._reread(space, query, ranked[at : at + query.limit + 10])
            if len(hits) >= query.limit:
                break
        hits = hits[: query.limit]
        if hits and not query.is_dry_run:
            versions = [hit.memory.version for hit in hits]
            self.recalls.record(recall, space.id, caller.key, versions, self.steps.clock.now())
        return hits

    def _reread(self, space: Space, query: RecallQuery, proposed: Sequence[Scored]) -> Iterable[Hit]:
        now = self.steps.clock.now()
        refs = [(scored.root, scored.number) for scored in proposed if scored.score >= query.min_score]
        heads, versions = self.steps.beliefs.heads_and_versions(refs)
        stale = [ref for ref in refs if ref in versions and ref[1] < heads[ref[0]].count]
        successors = self.steps.beliefs.versions([(root, number + 1) for root, number in stale]) if stale else {}
        for scored in proposed:
            version = versions.get((scored.root, scored.number))
            head = heads.get(scored.root)
            if version is None or head is None or head.space != space.id or head.is_expired(now):
                continue
            if query.filters.passes(head, version):
                shown = memory(space, head, version, successors.get((scored.root, scored.number + 1)))
                yield Hit(shown, scored.score, scored.similarity, scored.why, dict(scored.parts))

    @staticmethod
    def _pool(query: RecallQuery) -> int:
        return max(_POOL, 2 * query.limit)


def _with_stale(filters: Filters) -> Filters:
    """The filters as the index gets them: what it holds as current may be stale by now, never the other way round."""
    return replace(filters, statuses=tuple(s for s in filters.statuses if s in (Status.CURRENT, Status.STALE)))


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
        )
    return tuple(merged.values())


def _require_an_arm(reports: Sequence[ArmReport]) -> None:
    failed = {report.name: report.reason or "" for report in reports if report.state is ArmState.FAILED}
    if failed and len(failed) == len(reports):
        raise NothingSearched(failed)


def _confidence(hits: Sequence[Hit]) -> Confidence:
    """A hint: an answer found by words and by meaning alike is confident, any other weak."""
    if not hits:
        return Confidence.NONE
    both = {"keyword", "vector"} <= set(hits[0].why) or {"tail"} == set(hits[0].why)
    return Confidence.CONFIDENT if both and hits[0].score >= 0.5 else Confidence.WEAK
