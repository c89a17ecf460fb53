"""What supplies prompts, put together."""

from __future__ import annotations

from palimpsest.usecases.named_by import NamedBy
from palimpsest.usecases.overhear import Overhear
from palimpsest.usecases.pack_context import PackContext
from palimpsest.usecases.profile import StatedProfile
from palimpsest.usecases.recall import Recall
from palimpsest.usecases.show_now import ShowNow
from palimpsest.usecases.show_profile import ShowProfile
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.supply import Supply
from palimpsest.usecases.timelines import Timelines
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def supply(parts: Parts, stores: Stores, steps: Steps, recall: Recall) -> Supply:
    show = ShowNow(steps, Timelines(stores.beliefs), stores.listing, stores.log)
    named_by = NamedBy(stores.links, stores.entities)
    profile = StatedProfile(stores.pins, stores.entities, stores.links, named_by, show)
    return Supply(
        context=PackContext(recall, profile, stores.pins, show, recall.record, parts.ids),
        profile=ShowProfile(profile, stores.spaces),
        ambient=Overhear(recall, stores.recalls),
    )
