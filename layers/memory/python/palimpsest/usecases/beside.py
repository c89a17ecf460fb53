"""What stands beside the best candidates in their talks, as far as the index can say in time."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import replace
from typing import Final

import numpy as np

from palimpsest.domain.errors import IndexUnavailable
from palimpsest.domain.matching import Floats
from palimpsest.ports.search_index import NO_CANDIDATES, Candidates
from palimpsest.usecases.candidates import Pool
from palimpsest.usecases.space_search import SpaceSearch

_LED_BY: Final = 24
"""So many of the best by what they say alone have their talks looked up; 20 lose nothing against all (LoCoMo)."""

_LATE: Final = "index_timeout"


def look_beside(work: SpaceSearch, pool: Pool, scores: Floats, executor: Executor, deadline: float) -> Candidates:
    """What stands beside the best of the pool; `lacking` says why that is less than there is.

    An index that computes in this process is asked at once; one that waits for a network in a thread of `executor`,
    and is given up at `deadline` (of `arms.deadline`).
    """
    best = np.argsort(-scores, kind="stable")[: max(_LED_BY, work.search.limit // 4)]
    places = pool.candidates.sayings.take(best).places()
    generation = work.generation
    if generation is None or not places:
        return NO_CANDIDATES
    try:
        index = work.searching.open(generation).index
        if not work.searching.indexes.is_remote:
            return work.comparable(index.around(work.search, places), generation)
        asked = executor.submit(index.around, work.search, places)
        try:
            return work.comparable(asked.result(timeout=max(0.0, deadline - time.perf_counter())), generation)
        except TimeoutError:
            asked.cancel()
            return replace(NO_CANDIDATES, lacking=_LATE)
    except IndexUnavailable as error:
        return replace(NO_CANDIDATES, lacking=error.reason)
