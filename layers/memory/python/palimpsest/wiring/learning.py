"""What learns from conversations, put together."""

from __future__ import annotations

from typing import Final

from palimpsest.jobs.learn_facts import LearnFacts, then_learn
from palimpsest.jobs.work import Slice
from palimpsest.ports.work_queue import Job
from palimpsest.stores.learned import Learned
from palimpsest.usecases.find_facts import FindFacts
from palimpsest.usecases.learn import Learn
from palimpsest.usecases.service import Service
from palimpsest.wiring import library
from palimpsest.wiring.asking import asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores

_BY_MODEL: Final = 65.0
"""Seconds for a window: a model is waited for 45, and what it finds is saved. A worker's slice has 110."""

_BY_RULES: Final = 20.0


def slices(parts: Parts, stores: Stores, service: Service) -> dict[Job, Slice]:
    """What reads documents, and what learns from those that are conversations."""
    return {Job.INGEST: _ingest(parts, stores, service), Job.LEARN: _learn_facts(parts, stores, service)}


def _ingest(parts: Parts, stores: Stores, service: Service) -> Slice:
    read = library.ingest(parts, stores, service.recall.steps)
    return then_learn(read.slice, stores.learnings, asking(parts, stores))


def _learn_facts(parts: Parts, stores: Stores, service: Service) -> Slice:
    ask = service.index.running.ask_model
    find, learn = FindFacts(ask), Learn(service.remember, parts.clock)
    told = stores.learnings, Learned(parts.table), stores.documents, stores.chunks, stores.spaces
    return LearnFacts(*told, find, learn, _BY_RULES if ask is None else _BY_MODEL).slice
