"""An installation with a language model that says what a test tells it to, and beliefs to judge."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Head
from palimpsest.domain.errors import ModelFailure, ModelUnavailable
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.ports.language_model import Answer, PricedModel, Question
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.unjudged import Unjudged
from palimpsest.usecases.drafts import Draft, JudgeMode, Saved
from tests.support.installation import OWNER, Installation, install
from tests.support.scripted_model import PRICE, ScriptedModel, opinions

TEA, AGAIN = "Marta is fond of green tea", "Marta enjoys drinking green tea"
MILK = "Marta drinks nothing but milk"
COFFEE = "Marta can't stand green tea"
ASSISTANT = Caller(KeyId("assistant"), Role.WRITER, max_trust=Trust.A2)


class Judging:
    """An installation with a model that says what the test tells it to."""

    def __init__(self, folder: Path) -> None:
        self.model = ScriptedModel([opinions({})])
        self.memory: Installation = install(folder, model=PricedModel(self.model, PRICE))

    def says(self, relations: dict[str, str] | Callable[[Question], Answer]) -> None:
        told = opinions(relations) if isinstance(relations, dict) else relations
        self.model.script[:] = [told]

    def is_late(self) -> None:
        """The model takes longer than anybody waits."""

        def late(_: Question) -> Answer:
            self.memory.clock.turn(timedelta(minutes=1))
            raise ModelUnavailable(ModelFailure.LATE, "late", may_cost=True)

        self.says(late)

    def save(self, content: str, caller: Caller = OWNER, mode: JudgeMode = JudgeMode.AUTO) -> Saved:
        return self.memory.wired.service.remember(caller, Draft(content, judge=mode))

    def root(self, content: str) -> RootId:
        return self.save(content).memory.head.root

    def head(self, root: RootId) -> Head:
        return self.memory.wired.service.read.steps.beliefs.heads([root])[root]

    def said(self, root: RootId) -> list[str]:
        """The texts of a belief's versions, oldest first."""
        history = self.memory.wired.service.history(OWNER, VersionRef(root))
        return [shown.version.statement.content for shown in reversed(history.versions)]

    def work(self) -> None:
        """Let the plan ask for what is due, and do it."""
        self.memory.clock.turn(timedelta(days=1))
        self.memory.wired.plan()
        self.memory.wired.worker(Work(Job.JUDGE), lambda: 300.0)

    def waiting(self) -> int:
        return len(Unjudged(self.memory.sqlite).due(self.memory.clock.now() + timedelta(days=9), 100))
