"""What asks the language model, put together; nothing of it is there without one."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from palimpsest.domain.prices import micro_usd
from palimpsest.settings import Settings
from palimpsest.stores.budget import Budgets
from palimpsest.stores.spaces import Space
from palimpsest.usecases.advise import Advise
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.service import Service

if TYPE_CHECKING:
    from palimpsest.wiring import Parts


def ask_model(parts: Parts, settings: Settings) -> AskModel | None:
    if parts.model is None:
        return None
    budgets = Budgets(parts.table, micro_usd(str(settings.daily_cap)))
    return AskModel(parts.model, budgets, parts.clock, parts.ids, time.sleep, random.random)


def advise(service: Service) -> Advise | None:
    """What decides conflicts; None without a model."""
    ask = service.index.running.ask_model
    return None if ask is None else Advise(ask, _nothing)


def _nothing(space: Space, text: str) -> str:
    """A model's words are kept only when they were scrubbed."""
    return ""
