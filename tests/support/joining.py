"""Two beliefs that say the same, of which the background joins the later one to the earlier one."""

from __future__ import annotations

from pathlib import Path

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.ids import RootId, RunId, VersionRef
from palimpsest.domain.run import Run, RunStatus
from tests.support import run_driving
from tests.support.installation import OWNER
from tests.support.judging import AGAIN, TEA, Judging
from tests.support.run_driving import told


class Joined(Judging):
    """The two, and whatever contradicts them; `by`: who saved the later one."""

    def __init__(self, folder: Path, *, against: dict[str, str] | None = None, by: Caller = OWNER) -> None:
        super().__init__(folder)
        self.old = self.save(TEA).memory.head.root
        self.others = [self.save(each).memory.head.root for each in against or {}]
        self.is_late()
        self.new = self.save(AGAIN, by).memory.head.root
        self.says({TEA: "identical", **(against or {})})

    def join(self) -> RunId:
        self.work()
        return self.runs()[0].id

    def runs(self) -> list[Run]:
        return [each.run for each in self.memory.wired.service.runs.page(OWNER, space=None).runs]

    def undo(self, run: RunId) -> RunStatus:
        self.memory.wired.service.runs.undo(OWNER, run)
        run_driving.work(self.memory)
        return run_driving.run(self.memory, run).status

    def item(self, run: RunId) -> tuple[str, str]:
        (item,) = told(self.memory, run)[1]
        return item.state.value, item.reason

    def read(self, root: RootId) -> Memory:
        return self.memory.wired.service.read(OWNER, VersionRef(root))

    def stand(self) -> list[tuple[State, str, bool]]:
        """How both stand: state, current text, disputed."""
        both = [self.read(root) for root in (self.old, self.new)]
        return [(each.head.state, each.version.statement.content, each.head.is_disputed) for each in both]


TWO = [(State.LIVE, TEA, False), (State.LIVE, AGAIN, False)]
ONE = [(State.LIVE, AGAIN, False), (State.RETIRED, AGAIN, False)]
