"""The verbs of conflicts and findings, for wiring."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.ports.ids import Ids
from palimpsest.usecases.challenge import Challenge
from palimpsest.usecases.conflict_sides import ConflictSides
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.disputes import Disputes
from palimpsest.usecases.featurise import Featurise
from palimpsest.usecases.findings import ManageFindings
from palimpsest.usecases.list_conflicts import ListConflicts
from palimpsest.usecases.notice import Notice
from palimpsest.usecases.resolve import Resolve
from palimpsest.usecases.saving import Saving
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.take_back import TakeBack
from palimpsest.usecases.unsay import Unsay
from palimpsest.wiring.stores import Stores


@dataclass(frozen=True, slots=True)
class Conflicting:
    """The verbs, and what saves and updates need of them."""

    saving: Saving
    notice: Notice
    challenge: Challenge
    listing: ListConflicts
    resolve: Resolve
    take_back: TakeBack
    findings: ManageFindings


def conflicting(ids: Ids, stores: Stores, steps: Steps, featurise: Featurise) -> Conflicting:
    """All of them; costs no call."""
    disputes = Disputes(stores.beliefs, stores.conflicts, stores.edges, featurise)
    saving, confront = Saving(steps, ids, disputes), Confront(steps, disputes)
    sides = ConflictSides(steps, stores.conflicts)
    return Conflicting(
        saving=saving,
        notice=Notice(stores.findings, stores.conflicts),
        challenge=Challenge(saving, confront),
        listing=ListConflicts(sides, stores.cursors),
        resolve=Resolve(sides, disputes),
        take_back=TakeBack(sides, Unsay(disputes)),
        findings=ManageFindings(steps, stores.findings, confront, stores.cursors),
    )
