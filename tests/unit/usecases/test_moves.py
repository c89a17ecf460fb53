"""Steps of several beliefs in one transaction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from palimpsest.domain import lineage
from palimpsest.domain.errors import ConditionFailed, HeadMoved
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Because
from palimpsest.ports.table import Check, Exists, Key
from palimpsest.stores.moves import Move
from palimpsest.stores.texts import Words
from palimpsest.usecases.drafts import Draft, Revision
from tests.support.installation import OWNER, Installation


class Undecided(ConditionFailed):
    """What the test's own condition stands for."""


def revision_of(memory: Installation, root: RootId, content: str) -> Move:
    steps = memory.wired.service.remember.steps
    space, belief = steps.find(OWNER, root)
    statement = replace(belief.current.statement, content=content)
    stamp = Stamp(memory.clock.now(), OWNER.key)
    step = lineage.revise(belief.head, belief.current, statement, stamp, because=Because.CHANGED, embedded=False)
    return Move(step, space, None, Words.of(belief.current.statement))


def test_both_beliefs_move_or_none_does(memory: Installation) -> None:
    service = memory.wired.service
    one, two = (service.remember(OWNER, Draft(text)).memory.head.root for text in ("Tea is hot", "Ice is cold"))
    moves = [revision_of(memory, one, "Tea is warm"), revision_of(memory, two, "Ice is freezing")]
    beliefs = service.remember.steps.beliefs
    service.revise(OWNER, VersionRef(two), Revision("Ice melts"))

    with pytest.raises(HeadMoved):
        beliefs.commit_all(moves)

    assert [beliefs.read(root).current.statement.content for root in (one, two)] == ["Tea is hot", "Ice melts"]
    beliefs.commit_all([moves[0], revision_of(memory, two, "Ice is freezing")])
    assert [beliefs.read(root).head.current for root in (one, two)] == [2, 3]


def test_the_failure_of_a_further_write_is_told_by_its_own_name(memory: Installation) -> None:
    service = memory.wired.service
    root = service.remember(OWNER, Draft("Tea is hot")).memory.head.root
    guard = Check(Key("M#nobody", "H"), Exists("pk"))

    with pytest.raises(Undecided):
        service.remember.steps.beliefs.commit_all([revision_of(memory, root, "Tea is warm")], also=[(guard, Undecided)])

    assert service.remember.steps.beliefs.read(root).head.current == 1


def test_a_belief_that_comes_to_say_what_another_says_leaves_it_its_text(memory: Installation) -> None:
    service = memory.wired.service
    one, two = (service.remember(OWNER, Draft(text)).memory.head.root for text in ("Tea is hot", "Ice is cold"))

    beliefs = service.remember.steps.beliefs
    done = beliefs.commit_all([revision_of(memory, one, "Ice is cold")])

    assert (done[0].after.owns_text, beliefs.read(one).head.owns_text, beliefs.read(two).head.owns_text) == (
        False,
        False,
        True,
    )
