"""A second look at the best results: within its time and the budget, mixed in, told like an arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path

import pytest

from palimpsest.domain.budget import Scope
from palimpsest.domain.errors import RerankerUnavailable
from palimpsest.domain.packing.listening import Turn
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.reranker import PricedReranker
from palimpsest.ports.work_queue import Job, Work
from palimpsest.settings import Settings
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import ArmReport, Hit, Recalled, RecallQuery, RerankMode
from palimpsest.usecases.drafts import Draft, JudgeMode
from palimpsest.usecases.overhear import AmbientQuery
from palimpsest.usecases.pack_context import ContextQuery
from tests.support.constant_embedder import ConstantEmbedder
from tests.support.installation import OWNER, START, Installation, install
from tests.support.scripted_reranker import ScriptedReranker
from tests.unit.jobs.test_slices import unlimited

PRICE = 2_000
QUERY = "what does Ola drink"

Make = Callable[..., Installation]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes installations with a reranker; the box is long unless it is given."""
    with ExitStack() as stack:

        def made(
            reranker: ScriptedReranker | None,
            *,
            price: int = 0,
            seconds: float = 20.0,
            cap: str = "15.00",
            embedder: Embedder | None = None,
        ) -> Installation:
            settings = Settings(key="k" * 43, rerank_seconds=seconds, recall_seconds=25.0, daily_cap=Decimal(cap))
            priced = None if reranker is None else PricedReranker(reranker, price)
            memory = install(tmp_path, settings=settings, reranker=priced, embedder=embedder)
            stack.callback(memory.sqlite.close)
            if reranker is not None:
                stack.callback(reranker.gate.set)
            return memory

        yield made


def save(memory: Installation, *texts: str, space: str = "default") -> None:
    for text in texts:
        memory.wired.service.remember(OWNER, Draft(text, space=space, judge=JudgeMode.OFF))


def drinks(memory: Installation, count: int = 3) -> None:
    save(memory, *(f"Ola drinks tea number {number:02}" for number in range(count)))


def recalled(memory: Installation, query: str = QUERY, limit: int = 10, **more: object) -> Recalled:
    asked = RecallQuery(query, limit=limit, **{"is_dry_run": True} | more)  # type: ignore[arg-type]
    return memory.wired.service.recall(OWNER, asked)


def texts(found: Recalled) -> list[str]:
    return [each.version.statement.content for each in found.memories]


def report(found: Recalled) -> ArmReport:
    (told,) = [arm for arm in found.arms if arm.name == "rerank"]
    return told


def fared(found: Recalled) -> tuple[str, str | None]:
    return report(found).state, report(found).reason


def settled(memory: Installation) -> None:
    """Wait until what the reranker is working at is done."""
    memory.wired.service.recall.rerank.executor.submit(lambda: None).result()


def charged(memory: Installation, space: str | None = "default") -> int:
    id_ = None if space is None else memory.wired.build_index.spaces.ensure(space).id
    standing = Budgets(memory.table, 0).standing(Scope(START.date(), id_))
    assert standing is None or (standing.is_balanced and not standing.open)
    return 0 if standing is None else standing.charged


def test_what_a_second_look_prefers_comes_first_by_the_mean_of_both(make: Make) -> None:
    memory = make(ScriptedReranker("number 01"))
    drinks(memory)
    plain = recalled(memory, rerank=RerankMode.OFF).hits
    before = {hit.memory.head.root: hit.score for hit in plain if isinstance(hit, Hit)}

    found = recalled(memory)

    assert texts(found)[0] == "Ola drinks tea number 01"
    assert (fared(found), report(found).candidates) == (("ok", None), 3)
    for hit in found.hits:
        assert isinstance(hit, Hit)
        assert hit.score == pytest.approx((before[hit.memory.head.root] + hit.scores["rerank"]) / 2, abs=1e-4)
    assert [hit.scores["rerank"] for hit in found.hits] == [1.0, 0.0, 0.0]


def test_sections_are_looked_at_under_their_headings(make: Make) -> None:
    reranker = ScriptedReranker()
    memory = make(reranker)
    page = b"# Kitchen\n\nOla drinks tea.\n\n# Garden\n\nThe roses need water.\n"
    document = memory.wired.service.add_document(OWNER, Sending("home.md", page)).document.id
    memory.wired.worker(Work(Job.INGEST, document), unlimited)
    memory.wired.index_changes(memory.doorbells())

    recalled(memory)

    ((_, seen),) = reranker.asked
    assert any("Kitchen" in text and "Ola drinks tea." in text for text in seen)


def test_without_a_reranker_nothing_is_told_of_one(make: Make) -> None:
    memory = make(None)
    drinks(memory)

    assert "rerank" not in {arm.name for arm in recalled(memory).arms}


def test_a_request_may_do_without(make: Make) -> None:
    reranker = ScriptedReranker("number 01")
    memory = make(reranker)
    drinks(memory)

    found = recalled(memory, rerank=RerankMode.OFF)

    assert "rerank" not in {arm.name for arm in found.arms}
    assert reranker.asked == []


def test_who_asks_for_a_model_where_there_is_none_is_told_so(make: Make) -> None:
    memory = make(None)
    drinks(memory)

    found = recalled(memory, rerank=RerankMode.MODEL)

    assert fared(found) == ("skipped", "no_reranker")
    assert texts(found) == texts(recalled(memory))


def test_one_result_needs_no_second_look(make: Make) -> None:
    reranker = ScriptedReranker()
    memory = make(reranker)
    save(memory, "Ola drinks tea")

    assert fared(recalled(memory)) == ("skipped", "nothing_to_order")
    assert reranker.asked == []


def test_by_words_the_best_stand_in_the_order_of_what_their_words_say(make: Make) -> None:
    memory = make(None)
    save(memory, "Ola drinks", "She has a cup of something hot each morning", "Ola drinks tea with milk")

    found = recalled(memory, "Ola drinks tea with milk", rerank=RerankMode.LEXICAL)

    parts = ("keyword", "talk", "exact", "named")
    sums = [sum(hit.scores[part] for part in parts) for hit in found.hits]
    assert sums == sorted(sums, reverse=True)
    assert texts(found)[0] == "Ola drinks tea with milk"
    assert [hit.score for hit in found.hits] == [hit.scores["rerank"] for hit in found.hits]
    assert fared(found) == ("ok", None)


def test_what_was_not_looked_at_stays_below_what_was(make: Make) -> None:
    reranker = ScriptedReranker("nothing of the kind")
    memory = make(reranker)
    drinks(memory, 26)
    before = recalled(memory, limit=26, rerank=RerankMode.OFF)

    found = recalled(memory, limit=26)

    ((_, seen),) = reranker.asked
    assert (len(seen), set(texts(found)[:20])) == (20, set(seen))
    assert texts(found)[20:] == texts(before)[20:]
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert ["rerank" in hit.scores for hit in found.hits] == [True] * 20 + [False] * 6


def test_a_small_limit_is_filled_from_twenty(make: Make) -> None:
    reranker = ScriptedReranker()
    memory = make(reranker)
    drinks(memory, 26)
    last = texts(recalled(memory, limit=20, rerank=RerankMode.OFF))[-1]
    reranker.best = last

    found = recalled(memory, limit=2)

    assert (texts(found)[0], len(found.hits)) == (last, 2)


def test_what_is_asked_for_by_its_id_keeps_its_place(make: Make) -> None:
    reranker = ScriptedReranker("number 01")
    memory = make(reranker)
    drinks(memory)
    root = memory.save("The harbour opens at six")

    found = recalled(memory, f"{root} and what Ola drinks")

    assert found.memories[0].head.root == root
    ((_, seen),) = reranker.asked
    assert "The harbour opens at six" not in seen


def test_what_scores_too_little_after_a_second_look_is_left_out(make: Make) -> None:
    memory = make(ScriptedReranker("number 01"), embedder=ConstantEmbedder())
    drinks(memory)
    (one, *_) = recalled(memory, rerank=RerankMode.OFF).hits

    found = recalled(memory, min_score=0.9 * one.score)

    assert report(found).candidates == 3
    assert texts(found) == ["Ola drinks tea number 01"]


# ------------------------------------------------------------------------------------------------------ in its time


def test_past_its_time_the_order_stays_and_the_late_answer_serves_the_next_recall(make: Make) -> None:
    reranker = ScriptedReranker("number 02")
    memory = make(reranker, seconds=0.05)
    drinks(memory)
    before = texts(recalled(memory, rerank=RerankMode.OFF))
    reranker.gate.clear()

    late = recalled(memory)
    reranker.gate.set()
    settled(memory)
    again = recalled(memory)

    assert (fared(late), texts(late)) == (("degraded", "late"), before)
    assert (fared(again), texts(again)[0]) == (("ok", None), "Ola drinks tea number 02")
    assert len(reranker.asked) == 1


def test_a_kept_answer_serves_no_other_query_and_nothing_that_was_written_since(make: Make) -> None:
    reranker = ScriptedReranker("number 02")
    memory = make(reranker)
    drinks(memory)
    recalled(memory)

    recalled(memory)
    recalled(memory, "which tea does Ola drink")
    save(memory, "Ola drinks tea number 03")
    recalled(memory)
    memory.wired.service.forget(OWNER, recalled(memory).memories[0].version.ref)
    recalled(memory)

    assert [len(seen) for _, seen in reranker.asked] == [3, 3, 4, 3]


def test_what_has_not_begun_in_its_time_is_never_asked(make: Make) -> None:
    reranker = ScriptedReranker()
    memory = make(reranker, seconds=0.05)
    drinks(memory)
    reranker.gate.clear()
    recalled(memory)

    found = recalled(memory, "which tea does Ola drink")
    reranker.gate.set()
    settled(memory)

    assert fared(found) == ("degraded", "late")
    assert [query for query, _ in reranker.asked] == [QUERY]


# ------------------------------------------------------------------------------------------------------ bad days


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        ("reranker_late", "degraded"),
        ("reranker_throttled", "degraded"),
        ("reranker_refused", "failed"),
        ("reranker_failed", "failed"),
        ("reranker_wrong_answer", "failed"),
        ("", "failed"),
    ],
)
def test_a_reranker_that_fails_changes_nothing_and_is_asked_again(make: Make, reason: str, state: str) -> None:
    """Without a reason: in a way that nobody thought of."""
    failure = RerankerUnavailable(reason, "a bad day") if reason else ValueError("an odd day")
    reranker, reason = ScriptedReranker("number 02", failure=failure), reason or "reranker_failed"
    memory = make(reranker)
    drinks(memory)
    before = texts(recalled(memory, rerank=RerankMode.OFF))

    failed = recalled(memory)
    reranker.failure = None
    found = recalled(memory)

    assert (fared(failed), texts(failed)) == ((state, reason), before)
    assert texts(found)[0] == "Ola drinks tea number 02"


# ------------------------------------------------------------------------------------------------------ the budget


def test_a_call_is_charged_once_to_the_space_and_the_account(make: Make) -> None:
    memory = make(ScriptedReranker(), price=PRICE)
    drinks(memory)

    recalled(memory)
    recalled(memory)

    assert (charged(memory), charged(memory, None)) == (PRICE, PRICE)


@pytest.mark.parametrize("may_cost", [True, False])
def test_a_call_that_fails_is_charged_where_it_may_have_to_be_paid(make: Make, may_cost: bool) -> None:
    failure = RerankerUnavailable("reranker_failed", "a bad day", may_cost=may_cost)
    memory = make(ScriptedReranker(failure=failure), price=PRICE)
    drinks(memory)

    recalled(memory)

    assert charged(memory) == (PRICE if may_cost else 0)


def test_past_the_cap_nobody_is_asked_and_the_recall_answers(make: Make) -> None:
    reranker = ScriptedReranker("number 02")
    memory = make(reranker, price=PRICE, cap="0.003")
    drinks(memory)
    recalled(memory)

    found = recalled(memory, "which tea does Ola drink")

    assert (fared(found), len(found.hits), len(reranker.asked)) == (("degraded", "budget"), 3, 1)
    assert charged(memory) == PRICE


def test_what_costs_nothing_needs_no_budget(make: Make) -> None:
    memory = make(ScriptedReranker("number 02"), cap="0")
    drinks(memory)

    assert fared(recalled(memory)) == ("ok", None)
    assert charged(memory, None) == 0


def test_of_several_spaces_that_of_the_best_result_pays(make: Make) -> None:
    reranker = ScriptedReranker("herbal")
    memory = make(reranker, price=PRICE)
    save(memory, "Ola drinks herbal infusions on some evenings when it rains outside")
    save(memory, "what Ola drinks: tea", space="other")

    found = recalled(memory, "what Ola drinks: tea", spaces=("default", "other"))

    assert texts(found)[0].startswith("Ola drinks herbal")
    assert len(reranker.asked) == 1
    assert (charged(memory), charged(memory, "other"), charged(memory, None)) == (0, PRICE, PRICE)


# ---------------------------------------------------------------------------------------------------- who does not ask


def test_what_is_said_unasked_and_contexts_wait_for_no_second_look(make: Make) -> None:
    reranker = ScriptedReranker()
    memory = make(reranker)
    drinks(memory)

    said = memory.wired.service.supply.ambient(OWNER, AmbientQuery((Turn("user", "What does Ola drink?"),)))
    packed = memory.wired.service.supply.context(OWNER, ContextQuery(QUERY))

    assert said.snippets
    assert packed.packed.placed
    assert reranker.asked == []


def test_the_record_tells_how_the_second_look_fared_and_holds_what_was_returned(make: Make) -> None:
    reranker = ScriptedReranker("number 07")
    memory = make(reranker)
    drinks(memory, 12)
    store, space = memory.wired.service.recall.record.recalls, memory.wired.build_index.spaces.ensure("default").id

    found = recalled(memory, limit=3, is_dry_run=False)

    (record,) = store.recent(space, OWNER.key, memory.clock.now())
    assert list(record.refs) == [each.version.ref for each in found.memories]
    assert (record.results, record.arms["rerank"]) == (3, "ok")
