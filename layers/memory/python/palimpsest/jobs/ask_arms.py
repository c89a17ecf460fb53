"""Ask the arms of a recall for one entry, in its own words and by its own vector, so that no model is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from palimpsest.domain.analysis import query_words
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.language import Linguist
from palimpsest.jobs.probes import Probe
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.search_index import Generation, Search
from palimpsest.stores.spaces import Space
from palimpsest.stores.surveys import Surveys
from palimpsest.usecases.arms import Degraded, Found, Skip
from palimpsest.usecases.entity_arm import Asked, EntityArm
from palimpsest.usecases.exact_arm import ExactArm
from palimpsest.usecases.query_vector import QueryVector
from palimpsest.usecases.question import Question
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.space_search import SpaceSearch, Understood

ARMS: Final = ("keyword", "vector", "entity", "exact")
"""Those that are asked. The tail is what the table itself says, so nothing could be told from it."""

_POOL: Final = 100
"""Candidates, as many as a recall asks each arm for."""
_WORDS: Final = 8
"""Of a text, its longest: enough to tell it from most others."""

_Ask: TypeAlias = Callable[[SpaceSearch], Found]


@dataclass(frozen=True, slots=True)
class AskArms:
    """Asks by the way that a recall takes: `SpaceSearch` over the index that answers."""

    searching: Searching
    model: Model
    linguist: Linguist
    entity_arm: EntityArm
    exact_arm: ExactArm
    surveys: Surveys

    def __call__(self, space: Space, generation: Generation, probe: Probe) -> Mapping[str, bool | None]:
        """By arm whether it gave the entry, None where it could look only in part; without what has nothing to do.

        Raises:
            IndexUnavailable, TableError: Something does not answer.
        """
        work = self._work(space, generation, probe)
        asks: dict[str, _Ask] = {"keyword": SpaceSearch.keyword, "exact": SpaceSearch.exact}
        if probe.vector is not None:
            asks["vector"] = SpaceSearch.vector
        given: dict[str, bool | None] = {}
        for arm, ask in asks.items():
            with suppress(Skip):
                given[arm] = _gives(work, ask, probe.key)
        if probe.name is not None:
            given["entity"] = len(work.entity().candidates) > 0  # the name may be that of another entity, too
        return given

    def _work(self, space: Space, generation: Generation, probe: Probe) -> SpaceSearch:
        words = sorted(query_words(probe.text, self.linguist), key=lambda forms: -len(forms[-1]))
        question = Question(tuple(words[:_WORDS]), ids=(probe.id,))
        vector = QueryVector(_made(probe.vector), 0.0)
        filters = Filters(statuses=(Status.CURRENT, Status.STALE))
        search = Search(space.id, question.terms, vector, filters, (probe.kind,), _POOL)
        asked = Understood(question, vector, Asked(probe.name or "", is_expanded=False))
        arms = self.entity_arm, self.exact_arm, self.surveys
        return SpaceSearch(self.searching, self.model, space, search, asked, generation, "", *arms)


def _gives(work: SpaceSearch, ask: _Ask, key: str) -> bool | None:
    """Whether the entry is among what the arm finds; where the pool is full of others, whether it is there at all.

    None where it could look only in part.

    Raises:
        Skip: It has nothing to look for.
    """
    try:
        found = ask(work)
        if key not in found.candidates.keys and len(found.candidates) >= work.search.limit:
            found = ask(replace(work, search=replace(work.search, only=frozenset({key}))))
    except Degraded:
        return None
    if key in found.candidates.keys:
        return True
    return None if found.degraded is not None else False


def _made(vector: Vector | None) -> Future[Vector]:
    """A vector that nobody has to make any more; without one the future is over, too."""
    made: Future[Vector] = Future()
    if vector is None:
        made.cancel()
    else:
        made.set_result(vector)
    return made
