"""Erasing for good: what every holder of a belief's content has to be able to do before a receipt can be written."""

from __future__ import annotations

from typing import Protocol

from palimpsest.domain.ids import RootId, SpaceId


class Eraser(Protocol):
    """One place that holds content, or something derived from it."""

    def erase(self, space: SpaceId, root: RootId) -> None:
        """Make every trace of the belief be gone; fine when there is none."""
        ...

    def holds(self, space: SpaceId, root: RootId) -> bool:
        """There is still a trace: asked after `erase`, to prove it."""
        ...
