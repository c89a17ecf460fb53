"""A belief that says what another one says goes into that one."""

from __future__ import annotations

from palimpsest.domain import lineage
from palimpsest.domain.belief import Head, State
from palimpsest.domain.ids import RootId
from palimpsest.domain.moving import Stamp, Step, move
from palimpsest.domain.version import Reason


def join(head: Head, stamp: Stamp, *, into: RootId) -> Step:
    """It was found to restate `into`, and leaves recall; WrongState when it is not live."""
    lineage.require_live(head)
    return move(head, stamp, Reason.RETIRED, state=State.RETIRED, merged_into=into, owns_text=False)
