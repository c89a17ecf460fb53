"""Rerank: a second look at the best results of a recall, within a time of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Final, Protocol

import numpy as np

from palimpsest.domain.errors import RerankerUnavailable
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.reranking import TOP, capped, mixed
from palimpsest.domain.scoring import share
from palimpsest.usecases.answers import AnyHit, ArmReport, ArmState, Hit, RerankMode, space_of
from palimpsest.usecases.arms import LATE, Degraded, Skip
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.kept_looks import KeptLooks, Seen, look_key

NAME: Final = "rerank"
_BY_WORDS: Final = ("keyword", "talk", "exact", "named")
"""The parts of a score that words alone decide."""

_PASSING: Final = frozenset({"budget", "reranker_late", "reranker_throttled"})
"""Reasons that pass by themselves."""


class Look(Protocol):
    """Looks at texts a second time; whoever is paid for it is paid within the budget."""

    @property
    def name(self) -> str:
        """What looks, as the settings name it."""
        ...

    def __call__(self, space: SpaceId, query: str, texts: Sequence[str]) -> Seen:
        """How well each text answers the query. `space` pays.

        Raises:
            RerankerUnavailable: Nothing can be said now.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reranked:
    """Results, best first, and how the second look fared; no report where nobody asked for one."""

    hits: Sequence[AnyHit]
    reports: tuple[ArmReport, ...] = ()


@dataclass(frozen=True, slots=True)
class Rerank:
    """Looks again at the best 20, together, whatever spaces they are from; the space of the best one pays.

    What is asked for by its id keeps its score. Past the box the order stays as it was, and what comes late is there
    for the next recall that finds the same.

    Attributes:
        look: None where the installation has no reranker.
    """

    look: Look | None
    executor: Executor
    box: timedelta
    kept: KeptLooks = field(default_factory=KeptLooks)

    def __call__(self, mode: RerankMode, query: str, hits: Sequence[AnyHit]) -> Reranked:
        """The hits, given best first, as a second look orders them; it never fails a recall."""
        if not self.is_wanted(mode):
            return Reranked(hits)
        begun = time.perf_counter()
        top = [hit for hit in hits[:TOP] if not hit.scores.get("named")]
        try:
            if len(top) < 2:
                raise Skip("nothing_to_order")
            seen = _words(top) if mode is RerankMode.LEXICAL else self._seen(query, top)
        except Skip as skip:
            return Reranked(hits, (_report(begun, ArmState.SKIPPED, str(skip)),))
        except Degraded as reason:
            return Reranked(hits, (_report(begun, ArmState.DEGRADED, str(reason)),))
        except RerankerUnavailable as error:
            state = ArmState.DEGRADED if error.reason in _PASSING else ArmState.FAILED
            return Reranked(hits, (_report(begun, state, error.reason),))
        scores = seen if mode is RerankMode.LEXICAL else mixed([hit.score for hit in top], seen)
        looked = [_looked(hit, score, look) for hit, score, look in zip(top, scores, seen, strict=True)]
        return Reranked(_ordered(hits, looked), (_report(begun, ArmState.OK, None, len(top)),))

    def is_wanted(self, mode: RerankMode) -> bool:
        """Somebody asks for a second look: the installation, or the request."""
        return mode is not RerankMode.OFF and (mode is not RerankMode.AUTO or self.look is not None)

    def _seen(self, query: str, top: Sequence[AnyHit]) -> Seen:
        look = self.look
        if look is None:
            raise Skip("no_reranker")
        texts = [_text(hit) for hit in top]
        key = look_key(look.name, query, [(space_of(hit), _key(hit), _text(hit)) for hit in top])
        begin = partial(self.executor.submit, look, space_of(top[0]), query, texts)
        try:
            return self.kept.wait(key, begin, self.box.total_seconds())
        except FutureTimeout as error:
            raise Degraded(LATE) from error
        except RerankerUnavailable:
            raise
        except Exception as error:  # whatever a reranker fails with, the recall has its order without it
            raise RerankerUnavailable("reranker_failed", "the reranker failed", may_cost=True) from error


def _words(top: Sequence[AnyHit]) -> list[float]:
    """What their words say, on the scale of scores."""
    sums = [sum(hit.scores.get(part) or 0.0 for part in _BY_WORDS) for hit in top]
    return [float(each) for each in share(np.array(sums, np.float64))]


def _looked(hit: AnyHit, score: float, look: float) -> AnyHit:
    return replace(hit, score=score, scores=hit.scores | {NAME: look})


def _ordered(hits: Sequence[AnyHit], looked: Sequence[AnyHit]) -> list[AnyHit]:
    """All of them, best first: those below that were not looked at stay below."""
    again = {_key(hit): hit for hit in looked}
    top = [again.get(_key(hit), hit) for hit in hits[:TOP]]
    least = min(hit.score for hit in looked)
    below = [replace(hit, score=capped(hit.score, least)) for hit in hits[TOP:]]
    return [*sorted(top, key=lambda hit: -hit.score), *below]


def _text(hit: AnyHit) -> str:
    return hit.memory.version.statement.content if isinstance(hit, Hit) else hit.chunk.searched


def _key(hit: AnyHit) -> str:
    return entry_key(hit.memory.version.root, hit.memory.version.number) if isinstance(hit, Hit) else hit.chunk.id


def _report(begun: float, state: ArmState, reason: str | None, looked_at: int = 0) -> ArmReport:
    return ArmReport(NAME, state, reason, looked_at, round((time.perf_counter() - begun) * 1000, 2))
