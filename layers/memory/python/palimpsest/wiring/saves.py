"""What every save and change goes through, put together."""

from __future__ import annotations

from palimpsest.domain.scrub.kinds import Rules
from palimpsest.jobs.canary_notes import CanaryNotes
from palimpsest.jobs.reinforce import Reinforce
from palimpsest.settings import Settings
from palimpsest.stores.usages import Usages
from palimpsest.usecases.disputed import Disputed
from palimpsest.usecases.manage_spaces import ManageSpaces
from palimpsest.usecases.scrub import Scrub
from palimpsest.usecases.stats import TellStats
from palimpsest.usecases.steps import Steps
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def steps(parts: Parts, stores: Stores, settings: Settings) -> Steps:
    """Finds beliefs and moves them on."""
    return Steps(
        beliefs=stores.beliefs,
        spaces=stores.spaces,
        idempotency=stores.idempotency,
        clock=parts.clock,
        disputed=Disputed(stores.beliefs, stores.edges),
        reinforcements=stores.reinforcements,
        scrub=scrub(parts, settings),
    )


def spaces(parts: Parts, stores: Stores) -> ManageSpaces:
    """Begins, shows and sets spaces, which may have rules of their own."""
    records, cursors = stores.idempotency, stores.cursors
    return ManageSpaces(stores.spaces, records, cursors, parts.clock, parts.ids, parts.phones)


def scrub(parts: Parts, settings: Settings) -> Scrub:
    """Scrubs by the installation's rules, and by those of a space where it has its own."""
    rules = Rules(dict(settings.scrub), settings.scrub_regions, settings.scrub_words)
    return Scrub(parts.phones, parts.markup, rules)


def reinforce(parts: Parts, stores: Stores, canary: CanaryNotes) -> Reinforce:
    """Counts what recalls answered."""
    return Reinforce(
        stores.unreinforced,
        stores.recalls,
        stores.reinforcements,
        stores.beliefs,
        Usages(parts.table),
        stores.listing,
        stores.spaces,
        canary,
        parts.clock,
    )


def stats(parts: Parts, stores: Stores) -> TellStats:
    """Tells how recalls fare."""
    return TellStats(stores.spaces, Usages(parts.table), stores.unreinforced, parts.clock)
