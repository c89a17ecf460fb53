"""Recall put together."""

from __future__ import annotations

from palimpsest.domain.asking.synonyms import Synonyms, own_groups
from palimpsest.settings import Settings
from palimpsest.usecases.arm_health import ArmHealth
from palimpsest.usecases.exact_arm import ExactArm
from palimpsest.usecases.rank_space import RankSpace
from palimpsest.usecases.recall import Recall
from palimpsest.usecases.record import Record
from palimpsest.usecases.rereading import Rereading
from palimpsest.usecases.search_spaces import SearchSpaces
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.timelines import Timelines
from palimpsest.usecases.understand import Understand
from palimpsest.wiring import graph, library
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def recall(
    parts: Parts, stores: Stores, settings: Settings, steps: Steps, searching: Searching, health: ArmHealth
) -> Recall:
    return Recall(
        steps=steps,
        search_spaces=SearchSpaces(
            searching,
            parts.executor,
            parts.embedder.model,
            graph.entity_arm(parts, stores),
            ExactArm(stores.beliefs, stores.chunks, parts.embedder.model),
            parts.engine_executor,
            stores.surveys,
            RankSpace(parts.engine_executor, graph.follow_links(parts, stores)),
            health,
        ),
        rereading=Rereading(steps, Timelines(stores.beliefs)),
        reread_chunks=library.reread_chunks(stores),
        record=Record(stores.recalls, stores.unreinforced, parts.record_executor, parts.clock),
        understand=Understand(
            embedder=parts.embedder,
            linguist=parts.linguist,
            executor=parts.query_executor,
            synonyms=Synonyms(parts.linguist, () if settings.synonyms is None else (*own_groups(), *settings.synonyms)),
            embed_box=settings.embed_box,
            box=settings.recall_box,
        ),
        ids=parts.ids,
        box=settings.recall_box,
    )
