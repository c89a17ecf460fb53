"""What the arms of one space found, made one pool, looked at with what stands beside it, and put in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from palimpsest.domain import evidence, scoring
from palimpsest.domain.filters import Filters
from palimpsest.domain.outlook import Outlook
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.search_index import NO_CANDIDATES, Candidates, Statistics
from palimpsest.stores.spaces import Space
from palimpsest.usecases import arms
from palimpsest.usecases.answers import ArmReport, ArmState
from palimpsest.usecases.arms import Fared
from palimpsest.usecases.beside import look_beside
from palimpsest.usecases.candidates import NOTHING, Pool, Ranking
from palimpsest.usecases.entity_arm import Anchor, Voted
from palimpsest.usecases.follow_links import NOTHING_GIVEN, FollowLinks, Given
from palimpsest.usecases.reports import lessened
from palimpsest.usecases.space_search import SpaceSearch
from palimpsest.usecases.tail_candidates import tail_statistics


@dataclass(frozen=True, slots=True)
class Ranked:
    """The pool of one space, best first, and how its arms fared.

    Attributes:
        anchors: The entities that the query names there.
        outlook: How likely the query is to be answered there; None without candidates.
    """

    space: Space
    ranking: Ranking
    reports: tuple[ArmReport, ...]
    anchors: tuple[Anchor, ...] = ()
    outlook: Outlook | None = None

    @property
    def has_searched(self) -> bool:
        """Every arm that does not stand still on purpose has searched, in its time."""
        return all(report.reason != arms.LATE and report.state != ArmState.FAILED for report in self.reports)


@dataclass(frozen=True, slots=True)
class RankSpace:
    """Ranks. `executor`: where an index is asked that waits for a network."""

    executor: Executor
    follow_links: FollowLinks

    def __call__(self, work: SpaceSearch, done: Mapping[str, Fared], deadline: float) -> Ranked:
        """What the arms of a search gave, in order. `deadline` (of `arms.deadline`): of what is still looked up."""
        reports = tuple(report for _, report in done.values())
        voted = work.voted[0] if work.voted else Voted(NO_CANDIDATES)
        newest = work.tails[0].newest if work.tails else {}
        hiding = {} if work.search.filters.is_timed else newest  # retired since, it may have been believed then
        pool = Pool.of({name: candidates for name, (candidates, _) in done.items()}, hiding)
        if work.understood.asked.is_narrow:
            pool = pool.only(work.narrowings[0].sources if work.narrowings else ())
        if not len(pool.candidates):
            return Ranked(work.space, NOTHING, reports, voted.anchors)
        figures = work.figures[0] if work.figures and work.figures[0].entries else tail_statistics(newest)
        asked = _asked(work, figures)
        whitening = work.whitening() or Whitening.learn(pool.candidates.passages.vectors)
        most = max(voted.votes.values(), default=1.0)
        votes = {key: vote / most for key, vote in voted.votes.items()}
        among = set(pool.candidates.keys)
        beside = self._beside(work, pool, votes, asked, whitening, deadline)
        reports = lessened(reports, ("keyword", "vector"), beside.lacking)
        pool = pool.beside([beside], hiding)
        among.update(_answering(work, beside))
        texts = pool.texts(votes, among, work.asked_for[0] if work.asked_for else ())
        scores = scoring.score(texts, asked, whitening)
        ranking = pool.ranked(scores, work.understood.question, work.understood.dates)
        outlook = _outlook(work, ranking, scores, pool, voted.anchors)
        given = self._given(work, ranking, voted.anchors, deadline)
        reports = lessened(reports, ("entity",), given.lacking)
        return Ranked(work.space, ranking.giving(given.scores), reports, voted.anchors, outlook)

    def _beside(
        self,
        work: SpaceSearch,
        pool: Pool,
        votes: Mapping[str, float],
        asked: evidence.Asked,
        whitening: Whitening | None,
        deadline: float,
    ) -> Candidates:
        """What stands beside the best of the pool; nothing where none stands in a talk."""
        if not pool.candidates.sayings.talks.any():
            return NO_CANDIDATES
        first = scoring.first(pool.texts(votes), asked, whitening)
        return look_beside(work, pool, first, self.executor, deadline)

    def _given(self, work: SpaceSearch, ranking: Ranking, anchors: Sequence[Anchor], deadline: float) -> Given:
        """What is linked with the best; nothing where only what names an entity is asked for."""
        asked = work.understood.asked
        if not asked.is_expanded or asked.is_narrow:
            return NOTHING_GIVEN
        return self.follow_links(work.search, ranking, [anchor.entity.id for anchor in anchors], deadline)


def _answering(work: SpaceSearch, beside: Candidates) -> list[str]:
    """Those of what stands beside that may be results, too: of the kinds asked for, where nothing narrows them."""
    filters = work.search.filters
    if filters != Filters(filters.statuses) or work.understood.asked.is_narrow:
        return []
    return [key for key, kind in zip(beside.keys, beside.kinds, strict=True) if kind in work.search.kinds]


def _outlook(
    work: SpaceSearch, ranking: Ranking, scores: scoring.Scores, pool: Pool, anchors: Sequence[Anchor]
) -> Outlook | None:
    key, best = next(iter(ranking.places.items()), ("", None))
    if best is None:
        return None
    # In a talk "she" and "I" stand for the name that the query has, so that only a text that stands alone is judged.
    is_alone = not pool.candidates.sayings.talks[best]
    return Outlook(
        model=work.model.name,
        nearest=scoring.nearest(scores),
        covered=float(scores.covered[best]),
        gap=scoring.gap(scores),
        is_timely=bool("date" in ranking.parts and ranking.parts["date"][best]),
        is_elsewhere=bool(is_alone and anchors and not any(key in anchor.keys for anchor in anchors)),
    )


def _asked(work: SpaceSearch, figures: Statistics) -> evidence.Asked:
    question = work.understood.question
    return evidence.Asked(
        question.alternatives,
        question.counted(figures.frequencies),
        figures.entries,
        figures.mean_length,
        work.search.vector(),
        question.names,
        question.asks_when,
        question.exact,
        question.weights,
    )
