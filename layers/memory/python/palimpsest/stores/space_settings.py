"""The settings of a space as attributes of its item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from palimpsest.domain.scrub.kinds import CHOOSABLE, Kind, Treatment
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader

if TYPE_CHECKING:
    from palimpsest.stores.spaces import Space

_NOWHERE: Final = "-"
"""Stored for no regions at all: the table keeps no empty list apart from none."""


def written(space: Space) -> dict[str, Value | None]:
    """The settings as attributes; None for one that is left out."""
    regions = None if space.regions is None else list(space.regions) or [_NOWHERE]
    return {
        "recovery_days": space.recovery_days,
        "redaction": {kind.value: treatment.value for kind, treatment in space.redaction} or None,
        "regions": regions,
        "redaction_words": list(space.redaction_words) or None,
        "auto_index": space.auto_index,
        "extract": space.extract,
        "extraction_topics": list(space.extraction_topics) or None,
        "extraction_instructions": space.extraction_instructions,
    }


def regions(r: Reader) -> tuple[str, ...] | None:
    """The regions that are stored; None where the installation's hold."""
    stored = r.texts("regions")
    return tuple(region for region in stored if region != _NOWHERE) if stored else None


def treatments(r: Reader) -> tuple[tuple[Kind, Treatment], ...]:
    """The treatments that are stored."""
    chosen = r.optional("redaction", r.map)
    if chosen is None:
        return ()
    return tuple((kind, chosen.choice(kind, Treatment)) for kind in CHOOSABLE if kind in chosen.item)
