"""What runs: health, status and the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from palimpsest.api.wire.fields import Answer, WrittenInstant
from palimpsest.api.wire.memory import written

if TYPE_CHECKING:
    from palimpsest.usecases.arm_health import ArmStanding
    from palimpsest.usecases.index_status import IndexReport, StatusReport


class HealthAnswer(Answer):
    """It runs; nothing else is told to those who show no key."""

    status: Literal["ok"] = "ok"
    version: str


class IndexItem(Answer):
    """How the search index stands.

    What counts over all spaces is null for a key that does not cover every space.
    """

    state: str
    generation: str | None
    model: str
    pending_embeddings: int | None
    given_up: int | None
    lag_seconds: float | None
    failure: str | None

    @classmethod
    def of(cls, report: IndexReport) -> IndexItem:
        """What is told of an index."""
        return cls(
            state=report.state,
            generation=report.generation,
            model=report.model,
            pending_embeddings=report.pending_embeddings,
            given_up=report.given_up,
            lag_seconds=None if report.lag_seconds is None else round(report.lag_seconds, 3),
            failure=report.failure,
        )


class EmbedderItem(Answer):
    """The embedding model, and the engine that runs it."""

    model: str
    engine: str


class ModelItem(Answer):
    """The language model; `used_up`: today's budget pays for no more questions, so everything goes on without it."""

    name: str
    used_up: bool


class ArmCountsItem(Answer):
    """How often an arm fared how, in the process that answers, since it started."""

    ok: int
    empty: int
    skipped: int
    degraded: int
    failed: int


class ArmStandingItem(Answer):
    """How a search arm stands in the spaces that the key may enter."""

    name: str
    healthy: bool
    mute_spaces: int
    spaces: tuple[str, ...]
    since: WrittenInstant | None
    checked_at: WrittenInstant | None
    counts: ArmCountsItem | None

    @classmethod
    def of(cls, arm: ArmStanding) -> ArmStandingItem:
        """What is told of an arm."""
        counts = None if arm.counts is None else {state.value: count for state, count in arm.counts.items()}
        return cls(
            name=arm.name,
            healthy=arm.is_healthy,
            mute_spaces=arm.mute_spaces,
            spaces=arm.spaces,
            since=written(arm.since),
            checked_at=written(arm.checked_at),
            counts=None if counts is None else ArmCountsItem(**counts),
        )


class StatusAnswer(Answer):
    """What runs, with which models."""

    version: str
    store: str
    embedder: EmbedderItem
    model: ModelItem | None
    reranker: str | None
    index: IndexItem
    arms: tuple[ArmStandingItem, ...]

    @classmethod
    def of(cls, report: StatusReport) -> StatusAnswer:
        """What is told of a report."""
        return cls(
            version=report.version,
            store=report.store,
            embedder=EmbedderItem(model=report.embedder, engine=report.embedder_engine),
            model=ModelItem(name=report.model.name, used_up=report.model.is_used_up) if report.model else None,
            reranker=report.reranker,
            index=IndexItem.of(report.index),
            arms=tuple(map(ArmStandingItem.of, report.arms)),
        )


class RebuildAnswer(Answer):
    """How the index stands now that a new generation was asked for."""

    index: IndexItem

    @classmethod
    def of(cls, report: IndexReport) -> RebuildAnswer:
        """What is told of a rebuild."""
        return cls(index=IndexItem.of(report))
