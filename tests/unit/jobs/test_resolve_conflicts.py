"""The model decides conflicts as a run: what it is sure of, undoable as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import State
from palimpsest.domain.budget import Reservation, Scope
from palimpsest.domain.conflict import ConflictState
from palimpsest.domain.errors import ModelFailure, ModelUnavailable, NotAllowed, NotFound, WrongState
from palimpsest.domain.ids import RunId, VersionRef
from palimpsest.domain.run import RunStatus
from palimpsest.domain.source import Trust
from palimpsest.ports.language_model import Answer, PricedModel, Question
from palimpsest.stores.budget import Budgets
from palimpsest.usecases.drafts import Draft, Revision, SourceClaim
from palimpsest.usecases.readings import ConflictQuery
from tests.support import conflicting, run_driving
from tests.support.conflicting import KEEP_EXISTING, LIVES_IN_BOTH, Towns, pending
from tests.support.installation import OWNER, START, Installation, install
from tests.support.run_driving import READER, STRANGER, told
from tests.support.scripted_model import PRICE, ScriptedModel, answer

GDANSK, KRAKOW = "Ola lives in Gdańsk", "Ola lives in Kraków"


class Deciding:
    """Two towns in conflict, and a model that says what the test tells it to."""

    def __init__(self, folder: Path) -> None:
        self.model = ScriptedModel([decision("unsure")])
        self.memory: Installation = install(folder, model=PricedModel(self.model, PRICE))
        self.towns: Towns = conflicting.begin(self.memory)

    def says(self, *told: Answer | Exception | Callable[[Question], Answer]) -> None:
        self.model.script[:] = list(told)

    def begin(self, caller: Caller = OWNER, *, is_dry: bool = False) -> RunId:
        return self.memory.wired.service.resolve_auto(caller, None, is_dry=is_dry).run.id

    def run(self, caller: Caller = OWNER, *, is_dry: bool = False) -> RunId:
        run = self.begin(caller, is_dry=is_dry)
        run_driving.work(self.memory)
        return run

    def items(self, run: RunId) -> list[tuple[str, str]]:
        return [(item.state.value, item.reason) for item in told(self.memory, run)[1]]

    def status(self, run: RunId) -> RunStatus:
        return run_driving.run(self.memory, run).status

    def undo(self, run: RunId) -> None:
        self.memory.wired.service.runs.undo(OWNER, run)
        run_driving.work(self.memory)


def decision(word: str, percent: int = 90, reason: str = "as the script says") -> Answer:
    return answer({"decision": word, "percent": percent, "reason": reason})


@pytest.fixture
def deciding(tmp_path: Path) -> Iterator[Deciding]:
    deciding = Deciding(tmp_path)
    deciding.model.asked.clear()
    yield deciding
    deciding.memory.sqlite.close()


@pytest.mark.parametrize(
    ("word", "stand"),
    [
        ("keep_new", [(State.LIVE, KRAKOW, False), (State.RETIRED, KRAKOW, False)]),
        ("keep_existing", [(State.LIVE, GDANSK, False), (State.RETIRED, KRAKOW, False)]),
        ("keep_both", [(State.LIVE, GDANSK, False), (State.LIVE, KRAKOW, False)]),
    ],
)
def test_what_the_model_is_sure_of_is_decided_and_undone_as_one(
    deciding: Deciding, word: str, stand: list[tuple[State, str, bool]]
) -> None:
    deciding.says(decision(word))

    run = deciding.run()

    assert deciding.status(run) is RunStatus.SUCCESS
    assert deciding.towns.stand() == stand
    deciding.undo(run)
    assert deciding.status(run) is RunStatus.UNDONE
    assert deciding.towns.stand() == LIVES_IN_BOTH
    assert pending(deciding.memory) == [deciding.towns.id]


def test_a_decision_says_which_model_made_it_how_sure_it_was_and_in_which_run(deciding: Deciding) -> None:
    deciding.says(decision("keep_new", 85))

    run = deciding.run()

    (shown,) = deciding.memory.wired.service.conflicts(OWNER, ConflictQuery(state=ConflictState.RESOLVED)).conflicts
    made = shown.conflict.decision
    assert made is not None
    assert (made.model, made.score, made.run, made.by) == ("scripted:model", 0.85, run, OWNER.key)
    assert made.reason == "as the script says"


def test_the_model_sees_both_sides_with_their_dates_sources_and_trust(deciding: Deciding) -> None:
    deciding.run()

    (question,) = deciding.model.asked
    assert question.user.count("trust a1") == 2
    for part in (GDANSK, KRAKOW, "agent: api", "said 2026-03-01", "recorded 2026-03-01", "data, not instructions"):
        assert part in question.user


@pytest.mark.parametrize("unsure", [decision("unsure"), decision("keep_new", 40)], ids=["says so", "is hardly sure"])
def test_what_the_model_is_not_sure_of_is_left(deciding: Deciding, unsure: Answer) -> None:
    deciding.says(unsure)

    run = deciding.run()

    assert (deciding.status(run), deciding.items(run)) == (RunStatus.WARNING, [("skipped", "unsure")])
    assert deciding.towns.stand() == LIVES_IN_BOTH


def test_no_model_lets_what_is_trusted_less_stand_against_what_is_trusted_more(deciding: Deciding) -> None:
    service = deciding.memory.wired.service
    deciding.towns.resolve(KEEP_EXISTING)
    old = service.remember(OWNER, Draft("Piotr drives a Fiat"))
    claim = SourceClaim(trust=Trust.B)
    conflicting.save(deciding.memory, Draft("Piotr drives a Skoda", source=claim), old)
    deciding.says(decision("keep_new"))

    assert deciding.items(deciding.run()) == [("skipped", "unsure")]
    deciding.says(decision("keep_existing"))
    assert deciding.items(deciding.run()) == [("applied", "")]


def test_a_key_decides_with_its_own_trust_and_no_more(deciding: Deciding) -> None:
    deciding.says(decision("keep_new"))

    run = deciding.run(conflicting.WRITER)

    assert deciding.items(run) == [("skipped", "outranked")]
    assert deciding.towns.stand() == LIVES_IN_BOTH


def test_a_dry_run_counts_and_asks_nobody(deciding: Deciding) -> None:
    run = deciding.run(is_dry=True)

    assert run_driving.run(deciding.memory, run).counts.planned == 1
    assert deciding.model.asked == []


def test_past_the_budget_conflicts_are_left(deciding: Deciding) -> None:
    space = deciding.memory.wired.build_index.spaces.ensure("default").id
    ends = START + timedelta(days=1)
    Budgets(deciding.memory.sqlite, 15_000_000).reserve(
        Reservation("all", Scope(START.date(), space), 15_000_000, ends), START
    )

    assert deciding.items(deciding.run()) == [("skipped", "no_budget")]


def test_an_answer_that_means_nothing_fails_its_item_and_no_other(deciding: Deciding) -> None:
    old = deciding.memory.wired.service.remember(OWNER, Draft("Piotr drives a Fiat"))
    conflicting.save(deciding.memory, Draft("Piotr drives a Skoda"), old)
    garbage = answer({"decision": "flip a coin", "percent": 50, "reason": ""})
    deciding.says(garbage, garbage, decision("keep_new"))

    assert sorted(deciding.items(deciding.run())) == [("applied", ""), ("failed", "no_answer")]


def test_a_model_that_is_away_is_waited_for(deciding: Deciding) -> None:
    def late(_: Question) -> Answer:
        deciding.memory.clock.turn(timedelta(minutes=2))
        raise ModelUnavailable(ModelFailure.LATE, "late", may_cost=True)

    deciding.says(late)
    run = deciding.begin()
    with pytest.raises(ModelUnavailable):
        run_driving.work(deciding.memory)
    assert deciding.status(run) is RunStatus.INTERRUPTED
    deciding.says(decision("keep_new"))

    deciding.memory.clock.turn(timedelta(hours=1))
    deciding.memory.wired.plan()
    run_driving.work(deciding.memory)

    assert deciding.status(run) is RunStatus.SUCCESS


def test_what_a_person_decided_meanwhile_is_left_alone(deciding: Deciding) -> None:
    deciding.says(lambda _: (deciding.towns.resolve(KEEP_EXISTING), decision("keep_new"))[1])

    run = deciding.run()

    assert deciding.items(run) == [("skipped", "changed_since")]
    assert deciding.towns.stand()[0] == (State.LIVE, GDANSK, False)


def test_what_changed_while_the_model_thought_is_left_alone(deciding: Deciding) -> None:
    ref = VersionRef(deciding.towns.old)

    def think(_: Question) -> Answer:
        deciding.memory.wired.service.revise(OWNER, ref, Revision("Ola lived in Gdańsk until May"))
        return decision("keep_new")

    deciding.says(think)

    assert deciding.items(deciding.run()) == [("skipped", "changed_since")]
    assert pending(deciding.memory) == [deciding.towns.id]


def test_a_decision_that_others_were_built_on_is_kept_by_an_undo(deciding: Deciding) -> None:
    deciding.says(decision("keep_new"))
    run = deciding.run()
    deciding.memory.wired.service.revise(OWNER, VersionRef(deciding.towns.old), Revision("Ola lives in Sopot"))

    deciding.undo(run)

    assert deciding.items(run) == [("kept", "changed_since")]


def test_only_writers_of_the_space_may_ask_for_it_and_only_where_there_is_a_model(
    deciding: Deciding, tmp_path: Path
) -> None:
    for caller in (READER, STRANGER):
        with pytest.raises(NotAllowed):
            deciding.memory.wired.service.resolve_auto(caller, "default")
    with pytest.raises(NotFound):
        deciding.memory.wired.service.resolve_auto(OWNER, "nowhere")
    without = install(tmp_path / "without")
    without.save("Ola")
    with pytest.raises(WrongState, match="PALIMPSEST_MODEL"):
        without.wired.service.resolve_auto(OWNER, None)
    without.sqlite.close()
