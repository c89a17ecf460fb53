"""Figures of recalls are counts that are kept as recalls are counted, each recall once, and of one space alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotAllowed
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.domain.usage import Look, Usage
from palimpsest.ports.work_queue import Job
from palimpsest.stores.unreinforced import GATHERED
from palimpsest.usecases.answers import RecallQuery
from tests.support.installation import OWNER, Installation

GUEST = Caller(KeyId("guest"), Role.READER, spaces=("other",), max_trust=Trust.A2)
NOTHING = Filters(tags=("none",))


def count(memory: Installation, space: str = "default") -> None:
    memory.clock.turn(2 * GATHERED)
    memory.wired.worker.slices[Job.REINFORCE](memory.wired.build_index.spaces.ensure(space).id, lambda: 60.0)


def recall(memory: Installation, filters: Filters | None = None, space: str = "default") -> None:
    memory.wired.service.recall(OWNER, RecallQuery("tea", 1, spaces=(space,), filters=filters or Filters()))


def test_recalls_with_and_without_result_are_counted(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    memory.save("Marta drinks coffee")
    memory.index()
    recall(memory)
    recall(memory, NOTHING)
    recall(memory, NOTHING)
    count(memory)
    count(memory)

    told = memory.wired.service.stats(OWNER, "default")

    assert (told.usage.recalls, told.usage.with_result, told.usage.hit_rate) == (3, 1, 0.3333)
    assert sum(n for (arm, _), n in told.usage.arms.items() if arm == "keyword") == 3
    assert told.usage.ages == {0: 1}
    assert told.look == Look(of=2, never=1)


def test_days_that_are_not_asked_for_are_not_counted(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    recall(memory)
    count(memory)
    memory.clock.turn(timedelta(days=2))
    recall(memory)
    count(memory)
    stats = memory.wired.service.stats

    assert [stats(OWNER, "default", days=days).usage.recalls for days in (1, 2, 3, 400)] == [1, 1, 2, 2]


def test_other_spaces_and_spaces_that_never_began_have_none_of_it(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    memory.save("Ola drinks tea", "other")
    recall(memory)
    count(memory)
    count(memory, "other")
    stats = memory.wired.service.stats

    assert [stats(OWNER, name).usage for name in ("other", "nowhere")] == [Usage(), Usage()]
    assert stats(GUEST, "other").usage == Usage()
    with pytest.raises(NotAllowed):
        stats(GUEST, "default")
