"""What asks the language model, put together; nothing of it is there without one."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import Final

from palimpsest.domain.prices import micro_usd
from palimpsest.domain.restating.differing import differs
from palimpsest.domain.restating.tellings import Telling
from palimpsest.jobs.judge_pending import JudgePending
from palimpsest.jobs.work import Slice
from palimpsest.settings import Settings
from palimpsest.stores.budget import Budgets
from palimpsest.stores.spaces import Space
from palimpsest.stores.unjudged import Unjudged
from palimpsest.usecases.advise import Advise
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.confront import Confront
from palimpsest.usecases.join import Join
from palimpsest.usecases.judge_by_model import E5_NEAR, JudgeByModel
from palimpsest.usecases.judge_by_rules import JudgeByRules
from palimpsest.usecases.judge_later import JudgeLater
from palimpsest.usecases.model_judge import ModelJudge
from palimpsest.usecases.scrub import Scrub
from palimpsest.usecases.service import Service
from palimpsest.wiring.parts import Parts

_E5: Final = "multilingual-e5-small"
_ANY: Final = -1.0
"""Any similarity: of other embedding models nobody has measured what near is."""


def ask_model(parts: Parts, settings: Settings) -> AskModel | None:
    if parts.model is None:
        return None
    budgets = Budgets(parts.table, micro_usd(str(settings.daily_cap)))
    return AskModel(parts.model, budgets, parts.clock, parts.ids, time.sleep, random.random)


def advise(service: Service) -> Advise | None:
    """What decides conflicts; None without a model."""
    ask = service.index.running.ask_model
    return None if ask is None else Advise(ask, partial(_clean, service.resolve.sides.steps.scrub))


def judge(parts: Parts, settings: Settings, rules: JudgeByRules, ask: AskModel, scrub: Scrub) -> JudgeByModel:
    model = ModelJudge(ask, _differs, partial(_clean, scrub))
    near = E5_NEAR if parts.embedder.model.name == _E5 else _ANY
    return JudgeByModel(rules, model, parts.clock, near, settings.judge_time)


def judge_pending(parts: Parts, service: Service) -> Slice:
    """What judges in the background; without a model nothing is judged, and what waits waits on."""
    judge = service.remember.judge
    if not isinstance(judge, JudgeByModel):
        return lambda subject, seconds_left: False
    steps, disputes = service.resolve.sides.steps, service.resolve.disputes
    confront, join = Confront(steps, disputes), Join(steps, disputes)
    later = JudgeLater(judge.later, Unjudged(parts.table), confront, join, service.remember.notice)
    return JudgePending(later, parts.clock).slice


def _differs(one: str, other: str) -> bool:
    return differs(Telling(one), Telling(other))


def _clean(scrub: Scrub, space: Space, text: str) -> str:
    """A model's words as they may be stored in the space."""
    return scrub.of(space).text(text, "reason") if text.strip() else ""
