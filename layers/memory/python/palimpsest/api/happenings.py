"""What alarms look at and no status of an answer tells, as metrics of CloudWatch that are written into the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

NAMESPACE = "Palimpsest"
_SERVICE = "api"
"""The one dimension; the infrastructure's alarms name both."""


class Happening(StrEnum):
    """Past events, by the names of their metrics."""

    TAIL_TRUNCATED = "TailTruncated"
    INDEX_THROTTLED = "IndexThrottled"
    ARM_MUTE = "ArmMute"


_REASONS: Mapping[str | None, Happening] = {
    "tail_truncated": Happening.TAIL_TRUNCATED,
    "index_throttled": Happening.INDEX_THROTTLED,
    "mute": Happening.ARM_MUTE,
}


def of_reasons(reasons: Iterable[str | None]) -> list[Happening]:
    """What happened in a recall, by the reasons that its arms gave; each once."""
    return list(dict.fromkeys(_REASONS[reason] for reason in reasons if reason in _REASONS))


def embedded(happening: Happening, *, epoch_milliseconds: int) -> dict[str, object]:
    """One count of it in CloudWatch's embedded metric format; as a line of the log it becomes a metric by itself."""
    metrics = {
        "Namespace": NAMESPACE,
        "Dimensions": [["service"]],
        "Metrics": [{"Name": happening.value, "Unit": "Count"}],
    }
    about = {"Timestamp": epoch_milliseconds, "CloudWatchMetrics": [metrics]}
    return {"_aws": about, "service": _SERVICE, happening.value: 1}
