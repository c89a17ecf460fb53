"""Figures of recalls: what is told of them."""

from __future__ import annotations

from palimpsest.api.wire.fields import Answer, WrittenInstant
from palimpsest.api.wire.memory import written
from palimpsest.domain.usage import median_days
from palimpsest.usecases.stats import Stats


class NeverRecalledItem(Answer):
    """How much of what a space remembers no recall ever gave: of its newest memories, 1,000 at most."""

    memories: int
    never_recalled: int
    share: float | None
    looked_at: WrittenInstant | None


class StatsAnswer(Answer):
    """How recalls of a space fared in some days; shares are null where there was none."""

    space: str
    days: int
    recalls: int
    with_result: int
    hit_rate: float | None
    zero_result_rate: float | None
    arm_states: dict[str, dict[str, int]]
    median_age_days: float | None
    never_recalled: NeverRecalledItem | None

    @classmethod
    def of(cls, stats: Stats) -> StatsAnswer:
        """What is told of figures."""
        usage, look = stats.usage, stats.look
        states: dict[str, dict[str, int]] = {}
        for (arm, state), count in sorted(usage.arms.items()):
            states.setdefault(arm, {})[state] = count
        never = None
        if look is not None:
            at = written(stats.looked_at)
            never = NeverRecalledItem(memories=look.of, never_recalled=look.never, share=look.share, looked_at=at)
        return cls(
            space=stats.space,
            days=stats.days,
            recalls=usage.recalls,
            with_result=usage.with_result,
            hit_rate=usage.hit_rate,
            zero_result_rate=None if usage.hit_rate is None else round(1 - usage.hit_rate, 4),
            arm_states=states,
            median_age_days=median_days(usage.ages),
            never_recalled=never,
        )
