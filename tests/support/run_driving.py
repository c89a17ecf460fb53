"""Ask for runs, let workers work on them, and look at what became of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory
from palimpsest.domain.ids import KeyId, RootId, RunId, VersionRef
from palimpsest.domain.run import Run, RunEvent
from palimpsest.domain.run_plan import PlanItem
from palimpsest.domain.selection import Selection
from palimpsest.ports.work_queue import Work, read
from palimpsest.usecases.drafts import Draft, Saved
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, START, Installation

WRITER = Caller(KeyId("writer"), Role.WRITER, spaces=("default",))
READER = Caller(KeyId("reader"), Role.READER, spaces=("default",))
STRANGER = Caller(KeyId("stranger"), Role.OWNER, spaces=("elsewhere",))
JAN = Selection(tags=("jan",))


def unlimited() -> float:
    return 1e9


def none() -> float:
    return 0.0


def work(memory: Installation, seconds_left: Callable[[], float] = unlimited) -> list[Work]:
    """Deliver what the queue holds, until it is empty."""
    done = []
    while (delivery := memory.queue.take(0.0)) is not None:
        message = read(delivery.body)
        memory.wired.worker(message, seconds_left)
        done.append(message)
        assert len(done) <= 500, "the work does not end"
    return done


def save(memory: Installation, many: int, tag: str = "jan", space: str = "default") -> list[RootId]:
    service = memory.wired.service
    drafts = [Draft(f"{tag} has {n} apples in {space}", space=space, tags=(tag,)) for n in range(many)]
    saved = service.remember_all(OWNER, drafts)
    return [each.memory.head.root for each in saved if isinstance(each, Saved)]


def shown(memory: Installation, roots: list[RootId]) -> list[Memory]:
    """The memories, without what every step counts on."""
    found = [memory.wired.service.read(OWNER, VersionRef(root), include_forgotten=True) for root in roots]
    return [replace(m, head=replace(m.head, revision=0, changed_at=START)) for m in found]


def current(memory: Installation, space: str = "default") -> int:
    total, cursor = 0, None
    while True:
        page = memory.wired.service.list_memories(OWNER, ListQuery(space=space, limit=200, cursor=cursor))
        total, cursor = total + len(page.memories), page.next_cursor
        if cursor is None:
            return total


def forget(memory: Installation, selection: Selection = JAN, caller: Caller = OWNER, *, is_dry: bool = False) -> RunId:
    return memory.wired.service.forget_many(caller, None, selection, is_dry=is_dry).run.id


def run(memory: Installation, run_id: RunId) -> Run:
    return memory.wired.service.runs.show(OWNER, run_id).run


def told(memory: Installation, run_id: RunId) -> tuple[list[str], list[PlanItem]]:
    """What the log says of the run, and of its items."""
    events: list[str] = []
    items: list[PlanItem] = []
    cursor = None
    while True:
        page = memory.wired.service.runs.lines(OWNER, run_id, limit=7, cursor=cursor)
        assert len(page.lines) <= 7
        for line in page.lines:
            if isinstance(line, RunEvent):
                events.append(line.what)
            else:
                items.append(line)
        cursor = page.next_cursor
        if cursor is None:
            return events, items
