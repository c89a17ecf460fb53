"""The search of one space: what each arm does, and one pool of what they propose, in our order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

from palimpsest.domain.asking import lifting
from palimpsest.domain.asking.dates import AskedDates
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import ASLEEP, NO_CANDIDATES, Candidates, Generation, Kind, Search, Statistics
from palimpsest.stores.keys import model_digest
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases import arms
from palimpsest.usecases.answers import ArmReport, ArmState
from palimpsest.usecases.arms import Degraded, Fared, Found, Skip
from palimpsest.usecases.candidates import Pool, Ranking
from palimpsest.usecases.entity_arm import Anchor, Asked, EntityArm, Voted
from palimpsest.usecases.narrow import Narrowed
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.question import Question
from palimpsest.usecases.searching import OFF, Searching
from palimpsest.usecases.tail_candidates import from_tail, tail_statistics

_THEN: Final = 2
"""The part of an arm's limit, as a divisor, that it gives beside the rest out of the time that a query names."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as the arms take it. `dates`: the time that it names, where the request gives none."""

    question: Question
    vector: QueryVector
    asked: Asked
    dates: AskedDates | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """The pool of one space, best first, how its arms fared, and the entities that the query names there."""

    space: Space
    ranking: Ranking
    reports: tuple[ArmReport, ...]
    anchors: tuple[Anchor, ...] = ()

    @property
    def has_searched(self) -> bool:
        """Every arm that does not stand still on purpose has searched, in its time."""
        return all(report.reason != arms.LATE and report.state != ArmState.FAILED for report in self.reports)


@dataclass(slots=True)
class SpaceSearch:
    """What the arms of one search do; `figures`, `tails`, `voted`, `narrowings`: learned by the way, one each."""

    searching: Searching
    model: Model
    space: Space
    search: Search
    understood: Understood
    generation: Generation | None
    reason: str
    entity_arm: EntityArm
    figures: list[Statistics] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)
    voted: list[Voted] = field(default_factory=list)
    narrowings: list[Narrowed] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def keyword(self) -> Found:
        generation = self._generation()
        if not self.search.terms:
            raise Skip("no_terms")
        index = self.searching.open(generation).index
        search = self._held()
        comparable = search if generation.model == self.model else replace(search, vector=_no_vector)
        matches = index.keyword(comparable)
        self.figures.append(matches.statistics)
        found = self._with_then(matches.candidates, comparable, lambda then: index.keyword(then).candidates)
        return Found(found, found.lacking)

    def vector(self) -> Found:
        generation = self._generation()
        if generation.model != self.model:
            raise Degraded("other_model")
        index = self.searching.open(generation).index
        search = self._held()
        found = self._with_then(index.vector(search), search, index.vector)
        if self.search.vector() is None:
            raise Degraded(self.understood.vector.reason or "no_vector")
        return Found(found, found.lacking)

    def tail(self) -> Found:
        tail = self.searching.tail(self.space, self.generation)
        self.tails.append(tail)
        memories = tail.passing(self.search.filters) if Kind.MEMORY in self.search.kinds else ()
        candidates = from_tail(memories, self.search.terms, self.search.vector(), model_digest(self.model))
        if tail.is_truncated:
            return Found(candidates, "tail_truncated", tail.lag)
        return Found(candidates, "unreadable_rows" if tail.unreadable else None)

    def entity(self) -> Found:
        asked = self.understood.asked
        narrowed = self._narrowed() if asked.is_narrow else None
        voted = self.entity_arm(self.search, asked, narrowed)
        self.voted.append(voted)
        return Found(voted.candidates, None if narrowed is None or narrowed.is_whole else "entity_truncated")

    def ranked(self, done: Mapping[str, Fared]) -> Ranked:
        """What the arms gave, made one pool and put in order."""
        newest = self.tails[0].newest if self.tails else {}
        hiding = {} if self.search.filters.is_timed else newest  # retired since, it may have been believed then
        pool = Pool.of({name: candidates for name, (candidates, _) in done.items()}, hiding)
        figures = self.figures[0] if self.figures and self.figures[0].entries else tail_statistics(newest)
        voted = self.voted[0] if self.voted else Voted(NO_CANDIDATES)
        if self.understood.asked.is_narrow:
            pool = pool.only(self.narrowings[0].sources if self.narrowings else ())
        ranking = pool.ranked(figures, self.understood.question, voted.votes, self.understood.dates)
        return Ranked(self.space, ranking, tuple(report for _, report in done.values()), voted.anchors)

    def _with_then(self, found: Candidates, search: Search, ask: Callable[[Search], Candidates]) -> Candidates:
        """With what the same search finds within the time that the query names, so that it is among the candidates."""
        dates = self.understood.dates
        if dates is None:
            return found
        begins_at, ends_at = lifting.bounds(dates)
        filters = replace(search.filters, dated_from=begins_at, dated_until=ends_at)
        try:
            return found.and_more(ask(replace(search, filters=filters, limit=max(search.limit // _THEN, 1))))
        except IndexUnavailable as error:
            return replace(found, lacking=error.reason)  # what was found at first is as good as ever

    def _held(self) -> Search:
        """The search, held to what alone is asked for."""
        if not self.understood.asked.is_narrow:
            return self.search
        return replace(self.search, only=frozenset(self._narrowed().sources))

    def _narrowed(self) -> Narrowed:
        """It is looked up once, by the arm that needs it first."""
        with self.lock:
            if not self.narrowings:
                self.narrowings.append(self.entity_arm.narrowed(self.search, self.understood.asked))
            return self.narrowings[0]

    def _generation(self) -> Generation:
        if self.reason == ASLEEP:
            raise Degraded(ASLEEP)
        if self.reason == OFF:
            raise Skip(OFF)
        if self.generation is None:
            raise IndexUnavailable(self.reason, "the search index does not answer")
        return self.generation


def _no_vector() -> None:
    """For an index whose vectors are not comparable."""
