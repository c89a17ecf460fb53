"""A process keeps the rows of tails that it has decoded; what it then reads is what a fresh process reads."""

from __future__ import annotations

import random
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.stores.changes import Change, ChangeLog
from palimpsest.stores.tail import Tail, Tails, Timing
from palimpsest.usecases.drafts import Annotation, Revision
from tests.support.installation import OWNER, Installation, install

TIMING = Timing(refresh=timedelta(0), skew=timedelta(seconds=10))


def told(change: Change) -> list[object]:
    """A change as what can be compared."""
    plain = [getattr(change, each.name) for each in fields(change) if each.name != "features"]
    if change.features is None:
        return [*plain, None]
    return [*plain, change.features.terms, change.features.length, change.features.vectors.tobytes()]


def as_told(tail: Tail) -> dict[RootId, list[object]]:
    return {root: told(change) for root, change in tail.newest.items()}


def step(memory: Installation, roots: list[RootId], chance: random.Random) -> None:
    """One step of any kind on any belief of one of two spaces."""
    service, n = memory.wired.service, chance.randrange(10_000)
    kind = chance.choice(["save", "save", "revise", "annotate", "forget", "restore"])
    if kind == "save" or not roots:
        roots.append(RootId(memory.save(f"The parcel {n} is in room {n % 7}", chance.choice(["one", "two"]))))
        return
    ref = VersionRef(chance.choice(roots))
    is_live = service.read.steps.beliefs.heads([ref.root])[ref.root].restore_until is None
    if kind == "revise" and is_live:
        service.revise(OWNER, ref, Revision(f"The parcel {n} was moved"))
    elif kind == "annotate" and is_live:
        service.annotate(OWNER, ref, Annotation(tags=(f"tag-{n}",)))
    elif kind == "forget" and is_live:
        service.forget(OWNER, ref)
    elif kind == "restore" and not is_live:
        service.restore(OWNER, ref)


@pytest.mark.parametrize("kept", [1_000, 5])
def test_a_kept_tail_equals_a_fresh_one_after_any_history(tmp_path: Path, kept: int) -> None:
    memory = install(tmp_path)
    warm = Tails(ChangeLog(memory.table, kept), TIMING)
    spaces, roots, chance = memory.wired.service.read.steps.spaces, list[RootId](), random.Random(kept)

    for n in range(50):
        step(memory, roots, chance)
        if n % 10 == 0:
            memory.clock.turn(timedelta(seconds=3))
        for name in ("one", "two"):
            space = spaces.ensure(name)
            fresh = Tails(ChangeLog(memory.table), TIMING).read(space, None, memory.clock.now())
            assert as_told(warm.read(space, None, memory.clock.now())) == as_told(fresh)

    assert len(warm.log._decoded) <= kept
