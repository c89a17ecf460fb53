"""What asks the queue for work, for wiring."""

from __future__ import annotations

from palimpsest.jobs.asking import Asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def asking(parts: Parts, stores: Stores) -> Asking:
    return Asking(stores.leases, parts.queue, parts.clock)
