"""Recall: rank what a space remembers against a query, and say how it was found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.asking.asked_for import asked_for
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId
from palimpsest.domain.reranking import TOP
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import Kind, Search
from palimpsest.stores.spaces import Space
from palimpsest.usecases.answers import AnyHit, Hit, Recalled, RecallQuery, best, in_order
from palimpsest.usecases.best_of_space import BestOfSpace
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.distinct import distinct
from palimpsest.usecases.entity_arm import names
from palimpsest.usecases.rank_space import Ranked
from palimpsest.usecases.record import IsRecorded, Record, answered
from palimpsest.usecases.reports import NOTHING_THERE, confidence, merged, require_an_arm
from palimpsest.usecases.rerank import Rerank, Reranked
from palimpsest.usecases.reread_chunks import RereadChunks
from palimpsest.usecases.rereading import Rereading
from palimpsest.usecases.search_spaces import SearchSpaces
from palimpsest.usecases.space_search import Understood
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.understand import Understand
from palimpsest.usecases.weigh import Weigh

_KINDS = {"memory": Kind.MEMORY, "context": Kind.CHUNK}

_POOL = 100
"""Candidates that each arm gives at least; a filter or the table may drop some."""

_SPARE = 5
_LEAST_SPARE = 2
"""The part of the limit, as a divisor, that is read beyond it, so that what weighs more can take the place of another.
Each costs three reads, and weights move most scores by a few hundredths."""

_LARGEST_POOL = 6_400
_GROWTH = 4
_AGAIN = 2
"""A larger search begins while twice the time is left that was taken so far."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Recalls."""

    steps: Steps
    search_spaces: SearchSpaces
    rereading: Rereading
    reread_chunks: RereadChunks
    weigh: Weigh
    rerank: Rerank
    record: Record
    understand: Understand
    ids: Ids
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
        wanted = [caller.require_space(name) for name in query.spaces or (None,)]
        spaces = [space for name in dict.fromkeys(wanted) if (space := self.steps.spaces.find(name)) is not None]
        meant = asked_for(question, query.asked_at or self.steps.clock.now(), query.zone, self.understand.linguist)
        query = replace(query, limit=query.limit or meant.effects.limit)
        understood = self.understand(query, question, meant, self.search_spaces.speakers(spaces), begun)
        found = self._found(query, spaces, understood, begun + self.box.total_seconds())
        reports = merged([report for each in found for report in each.reports]) or NOTHING_THERE
        require_an_arm(reports)
        recall = RecallId(f"rcl_{self.ids.ulid()}")
        looked = self._looked_again(query, question, found)
        is_recorded = self._begin_record(caller, query, recall, found, looked)
        hits = self._settled(looked.hits)
        return Recalled(
            id=recall,
            confidence=confidence(hits, [each.ranked.outlook for each in found]),
            hits=tuple(in_order(hits, meant.order)),
            is_recorded=is_recorded(),
            asked_for=meant,
            arms=(*reports, *looked.reports),
            total_candidates=sum(len(each.ranked.ranking) for each in found),
            duplicates_removed=sum(each.doubled for each in found),
            took_ms=round((time.perf_counter() - begun) * 1000, 2),
            entities=names((anchor for each in found for anchor in each.ranked.anchors), [_key(hit) for hit in hits]),
            is_underfilled=len(hits) < query.limit and any(each.is_short(query) for each in found),
        )

    def _looked_again(self, query: RecallQuery, question: str, found: Sequence[BestOfSpace]) -> Reranked:
        """What is answered, best first."""
        hits = best([hit for each in found for hit in each.hits], self._most(query))
        looked = self.rerank(query.rerank, question, hits)
        return replace(looked, hits=[hit for hit in looked.hits if hit.score >= query.min_score][: query.limit])

    def _begin_record(
        self, caller: Caller, query: RecallQuery, recall: RecallId, found: Sequence[BestOfSpace], looked: Reranked
    ) -> IsRecorded:
        if query.is_dry_run:
            return lambda: False
        answers = [
            answered(recall, each.ranked.space.id, (*each.reports, *looked.reports), looked.hits) for each in found
        ]
        return self.record(caller, answers)

    def _found(
        self, query: RecallQuery, spaces: Sequence[Space], understood: Understood, ends: float
    ) -> list[BestOfSpace]:
        """Of each space its best. Where so much of the pool is outdated that it leaves too few, a larger one."""
        begun, limit = time.perf_counter(), self._pool(query)
        found = self._search(query, spaces, understood, ends, limit)
        while limit < _LARGEST_POOL and time.perf_counter() + _AGAIN * (time.perf_counter() - begun) < ends:
            limit *= _GROWTH
            short = [each for each in found if each.is_short(query)]
            if not short:
                break
            again = self._search(query, [each.ranked.space for each in short], understood, ends, limit)
            better = {each.ranked.space: each for each in again if each.ranked.has_searched}
            found = [better.get(each.ranked.space, each) for each in found]
        return found

    def _search(
        self, query: RecallQuery, spaces: Sequence[Space], understood: Understood, ends: float, limit: int
    ) -> list[BestOfSpace]:
        filters = replace(query.filters, statuses=_proposed(query.filters))
        terms, vector = understood.question.terms, understood.vector
        kinds = tuple(_KINDS[kind] for kind in query.kinds)
        searches = {space: Search(space.id, terms, vector, filters, kinds, limit) for space in spaces}
        found = self.search_spaces(searches, understood, ends)
        most = self._most(query)
        weighing = self.weigh.begin(found, most)
        read = [(ranked, self._read(query, ranked, most)) for ranked in found]
        apart = [(ranked, hits, distinct(hits)) for ranked, hits in read]
        weighed = [(ranked, len(hits) - len(one), weighing(one)) for ranked, hits, one in apart]
        return [
            BestOfSpace(ranked, limit, best(some.hits, most), doubled, some.lacking)
            for ranked, doubled, some in weighed
        ]

    def _read(self, query: RecallQuery, ranked: Ranked, most: int) -> list[AnyHit]:
        memories = self.rereading(query, ranked, most) if "memory" in query.kinds else []
        context = self.reread_chunks(query, ranked, most) if "context" in query.kinds else []
        return best([*memories, *context], len(memories) + len(context))

    def _settled(self, hits: Sequence[AnyHit]) -> list[AnyHit]:
        """The same hits, each disputed only while the other side is there."""
        memories = iter(self.steps.disputed([hit.memory for hit in hits if isinstance(hit, Hit)]))
        return [replace(hit, memory=next(memories)) if isinstance(hit, Hit) else hit for hit in hits]

    def _most(self, query: RecallQuery) -> int:
        """How many results are read: some to spare, and as many as a second look takes."""
        spare = query.limit + max(query.limit // _SPARE, _LEAST_SPARE)
        return max(spare, TOP) if self.rerank.is_wanted(query.rerank) else spare

    @staticmethod
    def _pool(query: RecallQuery) -> int:
        return max(_POOL, 2 * query.limit)


def _key(hit: AnyHit) -> str:
    if isinstance(hit, Hit):
        return entry_key(hit.memory.head.root, hit.memory.version.number)
    return hit.chunk.id


def _proposed(filters: Filters) -> tuple[Status, ...]:
    """How what the arms propose may stand today; the table decides what of it is shown."""
    if filters.believed_at is not None:
        return Status.CURRENT, Status.STALE, Status.RETIRED
    if filters.as_of is not None:
        return Status.CURRENT, Status.STALE
    return tuple(status for status in filters.statuses if status in (Status.CURRENT, Status.STALE))
