"""Recall: rank what a space remembers against a query, and say how it was found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.analysis import query_words
from palimpsest.domain.asking.asked_for import AskedFor, asked_for
from palimpsest.domain.asking.synonyms import Synonyms
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RecallId
from palimpsest.domain.language import Linguist
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.ids import Ids
from palimpsest.ports.search_index import Kind, Search
from palimpsest.stores.spaces import Space
from palimpsest.usecases.answers import AnyHit, Hit, Recalled, RecallQuery, best, in_order
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.entity_arm import Asked, names
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.question import Question
from palimpsest.usecases.record import Record, answered
from palimpsest.usecases.reports import NOTHING_THERE, confidence, merged, require_an_arm
from palimpsest.usecases.reread_chunks import RereadChunks
from palimpsest.usecases.rereading import Rereading
from palimpsest.usecases.search_spaces import SearchSpaces
from palimpsest.usecases.space_search import Ranked, Understood
from palimpsest.usecases.steps import Steps

_KINDS = {"memory": Kind.MEMORY, "context": Kind.CHUNK}

_POOL = 100
"""Candidates that each arm gives at least; a filter or the table may drop some."""

_LARGEST_POOL = 6_400
_GROWTH = 4
_AGAIN = 2
"""A larger search begins while twice the time is left that was taken so far."""

_EMBEDDING_PART = 2 / 3
"""Of a recall's time the arms wait so much at most for the query's vector, so that they can still do without."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The best of one space, out of pools of which each arm could give so many."""

    ranked: Ranked
    limit: int
    hits: Sequence[AnyHit]

    def is_short(self, query: RecallQuery) -> bool:
        """There may be more than was found, since a full pool held too much that is outdated."""
        candidates = self.ranked.ranking
        if len(self.hits) >= query.limit or len(candidates) < self.limit:
            return False
        (last,) = candidates.part(len(candidates) - 1, len(candidates))
        return last.score >= query.min_score  # else it was asked to be short


@dataclass(frozen=True, slots=True)
class Recall:
    """Recalls."""

    steps: Steps
    search_spaces: SearchSpaces
    rereading: Rereading
    reread_chunks: RereadChunks
    record: Record
    embedder: Embedder
    linguist: Linguist
    synonyms: Synonyms
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
        wanted = [caller.require_space(name) for name in query.spaces or (None,)]
        spaces = [space for name in dict.fromkeys(wanted) if (space := self.steps.spaces.find(name)) is not None]
        meant = asked_for(question, query.asked_at or self.steps.clock.now(), query.zone, self.linguist)
        query = replace(query, limit=query.limit or meant.effects.limit)
        understood = self._understand(query, question, meant, begun)
        found = self._found(query, spaces, understood, begun + self.box.total_seconds())
        reports = merged([report for each in found for report in each.ranked.reports]) or NOTHING_THERE
        require_an_arm(reports)
        recall = RecallId(f"rcl_{self.ids.ulid()}")
        hits = [hit for each in found for hit in each.hits]
        hits = best(hits, query.limit)
        answers = [answered(recall, each.ranked.space.id, each.ranked.reports, hits) for each in found]
        is_recorded = self.record(caller, answers) if not query.is_dry_run else _unrecorded
        hits = self._settled(hits)
        return Recalled(
            id=recall,
            confidence=confidence(hits),
            hits=tuple(in_order(hits, meant.order)),
            is_recorded=is_recorded(),
            asked_for=meant,
            arms=reports,
            total_candidates=sum(len(each.ranked.ranking) for each in found),
            duplicates_removed=0,
            took_ms=round((time.perf_counter() - begun) * 1000, 2),
            entities=names((anchor for each in found for anchor in each.ranked.anchors), [_key(hit) for hit in hits]),
            is_underfilled=len(hits) < query.limit and any(each.is_short(query) for each in found),
        )

    def _understand(self, query: RecallQuery, question: str, meant: AskedFor, begun: float) -> Understood:
        """The query as far as it is known at once; its vector is on the way."""
        job = self.query_executor.submit(self.embedder.query, question)
        box = min(self.embed_box, self.box * _EMBEDDING_PART)
        vector = QueryVector(job, begun + box.total_seconds())
        asked = Asked(question, meant.languages, query.entity, query.subject, query.is_expanded)
        dates = None if query.filters.is_dated else meant.dates
        named = query_words(" ".join(dates.names), self.linguist) if dates is not None else ()
        words = query_words(question, self.linguist)
        added = tuple(map(self.synonyms.added, words))
        return Understood(Question(words, named, added), vector, asked, dates)

    def _found(self, query: RecallQuery, spaces: Sequence[Space], understood: Understood, ends: float) -> list[_Found]:
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
    ) -> list[_Found]:
        filters = replace(query.filters, statuses=_proposed(query.filters))
        terms, vector = understood.question.terms, understood.vector
        kinds = tuple(_KINDS[kind] for kind in query.kinds)
        searches = {space: Search(space.id, terms, vector, filters, kinds, limit) for space in spaces}
        found = self.search_spaces(searches, understood, ends)
        return [_Found(ranked, limit, self._read(query, ranked)) for ranked in found]

    def _read(self, query: RecallQuery, ranked: Ranked) -> list[AnyHit]:
        memories = self.rereading(query, ranked) if "memory" in query.kinds else []
        context = self.reread_chunks(query, ranked) if "context" in query.kinds else []
        return best([*memories, *context], query.limit)

    def _settled(self, hits: Sequence[AnyHit]) -> list[AnyHit]:
        """The same hits, each disputed only while the other side is there, and with how often it was made use of."""
        memories = iter(self.steps.told([hit.memory for hit in hits if isinstance(hit, Hit)]))
        return [replace(hit, memory=next(memories)) if isinstance(hit, Hit) else hit for hit in hits]

    @staticmethod
    def _pool(query: RecallQuery) -> int:
        return max(_POOL, 2 * query.limit)


def _unrecorded() -> bool:
    return False


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
