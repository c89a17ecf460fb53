"""The verbs that supply prompts, as one part of the service."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.usecases.overhear import Overhear
from palimpsest.usecases.pack_context import PackContext
from palimpsest.usecases.show_profile import ShowProfile


@dataclass(frozen=True, slots=True)
class Supply:
    """What callers can ask for to put it into a prompt."""

    context: PackContext
    profile: ShowProfile
    ambient: Overhear
