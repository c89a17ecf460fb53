"""How Bedrock names models (``amazon.nova-lite-v1:0``) and profiles over regions (``eu.amazon.nova-lite-v1:0``)."""

from __future__ import annotations

from typing import Final

EVERYWHERE: Final = "global"
_GEOGRAPHIES: Final = frozenset({"apac", "au", "ca", "eu", "in", "jp", "sa", "us", "us-gov", EVERYWHERE})


def geography(model: str) -> str | None:
    """Where a profile leads, as its id begins; None for a model in its own region, and for an ARN."""
    first = model.partition(".")[0]
    return first if first in _GEOGRAPHIES else None


def model_behind(model: str) -> str:
    """The id of the model behind a profile; any other id as it is."""
    return model.partition(".")[2] if geography(model) else model
