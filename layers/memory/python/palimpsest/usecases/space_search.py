"""The search of one space: what each arm does, and one pool of what they propose, in our order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

from palimpsest.domain.asking import lifting
from palimpsest.domain.asking.dates import AskedDates
from palimpsest.domain.errors import IndexUnavailable, TableError
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import (
    ASLEEP,
    NO_CANDIDATES,
    Candidates,
    Generation,
    Kind,
    Search,
    Statistics,
    together,
)
from palimpsest.stores.keys import model_digest
from palimpsest.stores.spaces import Space
from palimpsest.stores.surveys import Surveys
from palimpsest.stores.tail import Tail
from palimpsest.usecases.arms import Degraded, Found, Skip
from palimpsest.usecases.entity_arm import Asked, EntityArm, Voted
from palimpsest.usecases.exact_arm import ExactArm
from palimpsest.usecases.narrow import Narrowed
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.question import Question
from palimpsest.usecases.searching import OFF, Searching
from palimpsest.usecases.tail_candidates import from_tail

_THEN: Final = 2
"""The part of an arm's limit, as a divisor, that it gives beside the rest out of the time that a query names."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The query as the arms take it. `dates`: the time that it names, where the request gives none."""

    question: Question
    vector: QueryVector
    asked: Asked
    dates: AskedDates | None = None


@dataclass(slots=True)
class SpaceSearch:
    """What the arms of one search do; `figures` to `asked_for`: learned by the way, one each."""

    searching: Searching
    model: Model
    space: Space
    search: Search
    understood: Understood
    generation: Generation | None
    reason: str
    entity_arm: EntityArm
    exact_arm: ExactArm
    surveys: Surveys
    figures: list[Statistics] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)
    voted: list[Voted] = field(default_factory=list)
    narrowings: list[Narrowed] = field(default_factory=list)
    asked_for: list[frozenset[str]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def whitening(self) -> Whitening | None:
        """What is known of the vectors of the space; None also while the table can't tell it."""
        with suppress(TableError):
            return self.surveys.read(self.space.id, self.model).whitening
        return None

    def keyword(self) -> Found:
        generation = self._generation()
        if not self.search.terms:
            raise Skip("no_terms")
        index, search = self.searching.open(generation).index, self._held()
        matches = index.keyword(search)
        self.figures.append(matches.statistics)
        found = self._with_then(matches.candidates, search, lambda then: index.keyword(then).candidates)
        return Found(self.comparable(found, generation), found.lacking)

    def vector(self) -> Found:
        generation = self._generation()
        if generation.model != self.model:
            raise Degraded("other_model")
        index = self.searching.open(generation).index
        search = replace(self._held(), whitening=self.whitening())
        found = self._with_then(index.vector(search), search, index.vector)
        if self.search.vector() is None:
            raise Degraded(self.understood.vector.reason or "no_vector")
        return Found(found, found.lacking)

    def tail(self) -> Found:
        tail = self.searching.tail(self.space, self.generation)
        self.tails.append(tail)
        memories = tail.passing(self.search.filters) if Kind.MEMORY in self.search.kinds else ()
        model = model_digest(self.model) if self.search.vector() is not None else ""
        candidates = from_tail(memories, self.search.terms, model, self.model.dimensions)
        if tail.is_truncated:
            return Found(candidates, "tail_truncated", tail.lag)
        return Found(candidates, "unreadable_rows" if tail.unreadable else None)

    def entity(self) -> Found:
        asked = self.understood.asked
        narrowed = self._narrowed() if asked.is_narrow else None
        voted = self.entity_arm(self.search, asked, narrowed)
        self.voted.append(voted)
        return Found(voted.candidates, None if narrowed is None or narrowed.is_whole else "entity_truncated")

    def exact(self) -> Found:
        question = self.understood.question
        if not (question.ids or question.phrases):
            raise Skip("nothing_exact")
        named = self.exact_arm.named(self.search, question.ids) if question.ids else NO_CANDIDATES
        self.asked_for.append(frozenset(named.keys))
        if not question.phrases:
            return Found(named)
        try:
            return Found(together([named, *self._spelled()]))
        except (IndexUnavailable, Degraded, Skip) as error:
            if not len(named):
                raise
            reason = error.reason if isinstance(error, IndexUnavailable) else str(error)
            return Found(named, reason)  # the table has said so, whatever the index says

    def _spelled(self) -> list[Candidates]:
        generation = self._generation()
        index = self.searching.open(generation).index
        found = self.exact_arm.spelled(index, self._held(), self.understood.question)
        return [self.comparable(each, generation) for each in found]

    def _with_then(self, found: Candidates, search: Search, ask: Callable[[Search], Candidates]) -> Candidates:
        """With what the same search finds within the time that the query names, so that it is among the candidates."""
        dates = self.understood.dates
        if dates is None:
            return found
        begins_at, ends_at = lifting.bounds(dates)
        filters = replace(search.filters, dated_from=begins_at, dated_until=ends_at)
        try:
            then = ask(replace(search, filters=filters, limit=max(search.limit // _THEN, 1)))
            return together([found, then])
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

    def comparable(self, candidates: Candidates, generation: Generation) -> Candidates:
        return candidates if generation.model == self.model else candidates.without_vectors()

    def _generation(self) -> Generation:
        if self.reason == ASLEEP:
            raise Degraded(ASLEEP)
        if self.reason == OFF:
            raise Skip(OFF)
        if self.generation is None:
            raise IndexUnavailable(self.reason, "the search index does not answer")
        return self.generation
