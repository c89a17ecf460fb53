"""Beliefs that may have been erased since somebody looked."""

from __future__ import annotations

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import NotFound
from palimpsest.domain.ids import RootId
from palimpsest.stores.beliefs import Belief
from palimpsest.usecases.steps import Steps


def if_there(steps: Steps, caller: Caller, root: RootId) -> Belief | None:
    """The belief; None when it was erased a moment ago."""
    try:
        return steps.find(caller, root).belief
    except NotFound:
        return None
