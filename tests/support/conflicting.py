"""Two beliefs that contradict each other, as tests of conflicts begin and decide them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.belief import Memory, State
from palimpsest.domain.conflict import Action, ConflictState
from palimpsest.domain.ids import ConflictId, KeyId, RootId, VersionRef
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.source import Trust
from palimpsest.usecases.drafts import Choice, Draft, Saved
from palimpsest.usecases.judging import Asked
from palimpsest.usecases.readings import ConflictQuery, ShownConflict
from tests.support.installation import OWNER, Installation

WRITER = Caller(KeyId("writer"), Role.WRITER, spaces=("default",), max_trust=Trust.A2)
STRANGER = Caller(KeyId("stranger"), Role.WRITER, spaces=("elsewhere",), max_trust=Trust.A1)
KEEP_NEW, KEEP_EXISTING, KEEP_BOTH = map(Choice, (Action.KEEP_NEW, Action.KEEP_EXISTING, Action.KEEP_BOTH))
MERGE = Choice(Action.MERGE, content="Ola lived in Gdańsk until May and lives in Kraków now")


def opinion(of: Saved, relation: Relation = Relation.CONTRADICTORY) -> Opinion:
    version = of.memory.version
    return Opinion(VersionRef(version.root, version.number), relation, 0.91, "two towns", "a model")


def save(
    memory: Installation,
    draft: Draft,
    *against: Saved,
    same: Saved | None = None,
    doubts: Sequence[Saved] = (),
    by: Caller = OWNER,
) -> Saved:
    """Save what contradicts some beliefs, says the same as another one, and may contradict more, as a judge finds."""
    identical = None if same is None else opinion(same, Relation.IDENTICAL)
    verdict = Verdict("a model", identical, tuple(map(opinion, against)), tuple(map(opinion, doubts)))

    def judge(asked: Sequence[Asked]) -> Sequence[Verdict]:
        return [verdict] * len(asked)

    return replace(memory.wired.service.remember, judge=judge)(by, draft)


@dataclass(frozen=True)
class Towns:
    """Two beliefs in conflict."""

    memory: Installation
    old: RootId
    new: RootId
    id: ConflictId

    def resolve(self, choice: Choice, by: Caller = OWNER) -> ShownConflict:
        return self.memory.wired.service.resolve(by, self.id, choice)

    def take_back(self, by: Caller = OWNER) -> ShownConflict:
        return self.memory.wired.service.take_back(by, self.id)

    def read(self, root: RootId) -> Memory:
        return self.memory.wired.service.read(OWNER, VersionRef(root))

    def stand(self) -> list[tuple[State, str, bool]]:
        """How both sides stand: state, current text, disputed."""
        sides = [self.read(root) for root in (self.old, self.new)]
        return [(each.head.state, each.version.statement.content, each.head.is_disputed) for each in sides]


def pending(memory: Installation, state: ConflictState = ConflictState.PENDING) -> list[ConflictId]:
    listed = memory.wired.service.conflicts(OWNER, ConflictQuery(state=state)).conflicts
    return [shown.conflict.id for shown in listed]


def begin(memory: Installation) -> Towns:
    """Save what can't both be true."""
    old = memory.wired.service.remember(OWNER, Draft("Ola lives in Gdańsk"))
    new = save(memory, Draft("Ola lives in Kraków"), old)
    assert new.conflict_id is not None
    return Towns(memory, old.memory.head.root, new.memory.head.root, ConflictId(new.conflict_id))


LIVES_IN_BOTH = [(State.LIVE, "Ola lives in Gdańsk", True), (State.LIVE, "Ola lives in Kraków", True)]
