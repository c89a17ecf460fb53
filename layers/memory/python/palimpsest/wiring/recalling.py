"""Recall put together."""

from __future__ import annotations

from palimpsest.domain.asking.synonyms import Synonyms, own_groups
from palimpsest.domain.prices import micro_usd
from palimpsest.settings import Settings
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.arm_health import ArmHealth
from palimpsest.usecases.ask_model import AskModel
from palimpsest.usecases.exact_arm import ExactArm
from palimpsest.usecases.rank_space import RankSpace
from palimpsest.usecases.recall import Recall
from palimpsest.usecases.record import Record
from palimpsest.usecases.rerank import Look, Rerank
from palimpsest.usecases.rerank_at_price import RerankAtPrice
from palimpsest.usecases.rerank_by_model import RerankByModel
from palimpsest.usecases.rereading import Rereading
from palimpsest.usecases.reserving import Reserve
from palimpsest.usecases.search_spaces import SearchSpaces
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.timelines import Timelines
from palimpsest.usecases.understand import Understand
from palimpsest.usecases.weigh import Weigh
from palimpsest.wiring import graph, library
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def recall(
    parts: Parts,
    stores: Stores,
    settings: Settings,
    steps: Steps,
    searching: Searching,
    health: ArmHealth,
    ask: AskModel | None,
) -> Recall:
    """`ask`: the language model, which may look at the best results again."""
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
        weigh=Weigh(stores.reinforcements, parts.clock, parts.executor),
        rerank=Rerank(look(parts, settings, ask), parts.rerank_executor, settings.rerank_box),
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


def look(parts: Parts, settings: Settings, ask: AskModel | None) -> Look | None:
    """The installation's reranker; None where it has none. `ask`: the language model, which may be it."""
    if settings.rerank == "model":
        return None if ask is None else RerankByModel(ask)
    if parts.reranker is None:
        return None
    budgets = Budgets(parts.table, micro_usd(str(settings.daily_cap)))
    return RerankAtPrice(parts.reranker, Reserve(budgets, parts.clock, parts.ids))
