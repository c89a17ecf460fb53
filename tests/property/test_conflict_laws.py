"""Conflicts over any history: begun, decided, taken back, sides forgotten, restored and updated, with crashes anywhere.

A model of what ought to be is kept beside the memory; after a crash the table is read, and has to be one of two.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from palimpsest.domain.belief import State
from palimpsest.domain.conflict import Action, ConflictState
from palimpsest.domain.errors import BuiltUpon, Conflict, NotFound
from palimpsest.domain.ids import ConflictId, RootId, VersionRef, conflict_between
from palimpsest.domain.judgement import Opinion, Relation, Verdict
from palimpsest.domain.lineage import broken_links
from palimpsest.usecases.drafts import Choice, Draft, JudgeMode, Revision
from palimpsest.usecases.readings import ConflictQuery, ListQuery
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.examples import examples
from tests.support.installation import OWNER, Installation, install
from tests.support.weather import Weather, WeatheredTable

crash_points = st.none() | st.tuples(st.integers(0, 14), st.booleans())
ACTIONS = list(Action)
Ref: TypeAlias = tuple[RootId, int]


@dataclass
class Side:
    """What is expected of a belief; `made_of`: of each of its texts, the versions that it was made from."""

    texts: list[str]
    is_forgotten: bool = False
    into: RootId | None = None
    made_of: list[frozenset[Ref]] = field(default_factory=lambda: [frozenset()])

    def says(self, text: str, made_of: Iterable[Ref]) -> None:
        self.texts.append(text)
        self.made_of.append(frozenset(made_of))

    @property
    def is_live(self) -> bool:
        return not self.is_forgotten and self.into is None


@dataclass
class Pair:
    """What is expected of a conflict.

    `was_decided`: at least once, though that may be taken back; `seen`: the versions of both when it was decided.
    """

    existing: RootId
    incoming: RootId
    action: Action | None = None
    was_decided: bool = False
    loser: RootId | None = None
    count: int = 0
    cause: ConflictId | None = None
    seen: tuple[Ref, ...] = ()


@dataclass
class World:
    """All that is expected."""

    sides: dict[RootId, Side] = field(default_factory=dict)
    pairs: dict[ConflictId, Pair] = field(default_factory=dict)

    def is_shown(self, root: RootId) -> bool:
        """Neither forgotten nor made from what is; it may be retired."""
        side = self.sides[root]
        return not side.is_forgotten and not self.is_hidden((root, len(side.texts)))

    def is_hidden(self, ref: Ref) -> bool:
        """That version was made from what is not there."""
        sources = self.sides[ref[0]].made_of[ref[1] - 1]
        return any(self.sides[source[0]].is_forgotten or self.is_hidden(source) for source in sources)


class Disagreements(RuleBasedStateMachine):
    """Each rule is one call, which may crash between any two operations of the table, or just after one."""

    @initialize(seed=st.integers(0, 1_000))
    def begin(self, seed: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.weathered = WeatheredTable(Weather(seed, short_page=0.3, index_lag=6))
        self.crashing = CrashingTable(self.weathered)
        self.memory: Installation = install(
            Path(self.folder.name),
            table=self.crashing,
            sqlite=self.weathered.table,
            refresh=timedelta(seconds=60),
        )
        self.world = World()
        self.said = 0

    def teardown(self) -> None:
        self.weathered.table.close()
        self.folder.cleanup()

    # --- rules ---

    @rule(data=st.data(), against=st.integers(0, 2), crash=crash_points)
    def save(self, data: st.DataObject, against: int, crash: tuple[int, bool] | None) -> None:
        """Something new, against some of what is live."""
        live = self._live()
        chosen = data.draw(st.permutations(live))[:against] if live else []
        text = self._text()
        self._arm(crash)
        try:
            root = self._remember(text, chosen)
        except Crashed:
            self.crashing.live_on()
            listed = self.memory.wired.service.list_memories(OWNER, ListQuery(limit=200)).memories
            there = [each.version.root for each in listed if each.version.statement.content == text]
            root = there[0] if there else self._remember(text, chosen)
        self.crashing.live_on()
        self.world.sides[root] = Side([text])
        for other in chosen:
            self.world.pairs[self._between(other, root)] = Pair(other, root)

    @precondition(lambda self: "world" in self.__dict__ and bool(self.world.pairs))
    @rule(data=st.data(), action=st.sampled_from(ACTIONS), crash=crash_points)
    def resolve(self, data: st.DataObject, action: Action, crash: tuple[int, bool] | None) -> None:
        chosen = data.draw(st.sampled_from(sorted(self.world.pairs)))
        pair, text = self.world.pairs[chosen], self._text()
        winner = data.draw(st.sampled_from([None, pair.existing, pair.incoming]))
        choice = Choice(
            action,
            winner=winner if action is Action.KEEP_EXISTING else None,
            content=text if action is Action.MERGE else None,
        )
        is_allowed = pair.action is None and self._is_visible(pair)
        service = self.memory.wired.service
        self._attempt(
            lambda: service.resolve(OWNER, chosen, choice), is_allowed, lambda w: self._decide(w, chosen, choice), crash
        )

    @precondition(lambda self: "world" in self.__dict__ and bool(self.world.pairs))
    @rule(data=st.data(), crash=crash_points)
    def take_back(self, data: st.DataObject, crash: tuple[int, bool] | None) -> None:
        chosen = data.draw(st.sampled_from(sorted(self.world.pairs)))
        pair = self.world.pairs[chosen]
        is_shown = all(map(self.world.is_shown, (pair.existing, pair.incoming)))
        is_allowed = pair.action is not None and is_shown and not self._is_built_upon(chosen)
        self._attempt(
            lambda: self.memory.wired.service.take_back(OWNER, chosen),
            is_allowed,
            lambda world: self._undecide(world, chosen),
            crash,
        )

    @precondition(lambda self: "world" in self.__dict__ and bool(self.world.sides))
    @rule(data=st.data(), crash=crash_points)
    def update(self, data: st.DataObject, crash: tuple[int, bool] | None) -> None:
        root = data.draw(st.sampled_from(sorted(self.world.sides)))
        text = self._text()
        self._attempt(
            lambda: self.memory.wired.service.revise(OWNER, VersionRef(root), Revision(text)),
            root in self._live(),
            lambda world: world.sides[root].says(text, world.sides[root].made_of[-1]),
            crash,
        )

    @precondition(lambda self: "world" in self.__dict__ and bool(self.world.sides))
    @rule(data=st.data(), is_restore=st.booleans(), crash=crash_points)
    def forget_or_restore(self, data: st.DataObject, is_restore: bool, crash: tuple[int, bool] | None) -> None:
        root = data.draw(st.sampled_from(sorted(self.world.sides)))
        service = self.memory.wired.service
        verb = service.restore if is_restore else service.forget

        def change(world: World) -> None:
            world.sides[root].is_forgotten = not is_restore

        self._attempt(
            lambda: verb(OWNER, VersionRef(root)), self.world.sides[root].is_forgotten is is_restore, change, crash
        )

    # --- laws ---

    @invariant()
    def both_sides_are_as_they_ought_to_be(self) -> None:
        """Law 1, and nothing of a decision is half done."""
        beliefs = self.memory.wired.service.remember.steps.beliefs if self._has_begun() else None
        for root, side in self.world.sides.items() if beliefs else ():
            assert beliefs is not None
            head = beliefs.heads([root])[root]
            versions = beliefs.versions_before(root, head.count + 1, limit=1_000)[::-1]
            assert [version.statement.content for version in versions] == side.texts
            assert not broken_links(versions)
            assert (head.state is State.FORGOTTEN, head.merged_into) == (side.is_forgotten, side.into)
            if not side.is_forgotten:
                assert (head.state is State.RETIRED) is (side.into is not None)

    @invariant()
    def what_can_be_decided_is_listed_and_disputes_both_sides_and_nothing_else_does(self) -> None:
        if not self._has_begun():
            return
        service = self.memory.wired.service
        listed = {}
        for state in ConflictState:
            answer = service.conflicts(OWNER, ConflictQuery(state=state, limit=200))
            listed[state] = {shown.conflict.id for shown in answer.conflicts}
        pending = {name for name, pair in self.world.pairs.items() if pair.action is None and self._is_visible(pair)}
        there = {root for root, side in self.world.sides.items() if not side.is_forgotten}
        decided = {
            name
            for name, pair in self.world.pairs.items()
            if pair.action is not None
            and {pair.existing, pair.incoming} <= there
            and not any(map(self.world.is_hidden, pair.seen))
        }
        assert listed == {ConflictState.PENDING: pending, ConflictState.RESOLVED: decided}
        memories = service.list_memories(OWNER, ListQuery(limit=200)).memories
        disputed = {each.version.root for each in memories if each.head.is_disputed}
        pairs = [self.world.pairs[name] for name in pending]
        assert disputed == {root for pair in pairs for root in (pair.existing, pair.incoming)}
        live = {root: self.world.sides[root].texts[-1] for root in self._live()}
        assert {each.version.root: each.version.statement.content for each in memories} == live

    @invariant()
    def a_text_is_known_by_the_belief_that_says_it(self) -> None:
        for root, side in list(self.world.sides.items())[-2:] if self._has_begun() else ():
            if root in self._live():
                draft = Draft(side.texts[-1], judge=JudgeMode.OFF)
                said = self.memory.wired.service.remember(OWNER, draft)
                same = {each for each in self._live() if self.world.sides[each].texts[-1] == side.texts[-1]}
                assert said.memory.version.root in same
                assert root in same

    # --- the model ---

    def _decide(self, world: World, name: ConflictId, choice: Choice) -> None:
        pair = world.pairs[name]
        existing, incoming = world.sides[pair.existing], world.sides[pair.incoming]
        pair.action, pair.was_decided = choice.action, True
        pair.seen = ((pair.existing, len(existing.texts)), (pair.incoming, len(incoming.texts)))
        if choice.action.adds_version:
            heirs = [
                (other, each)
                for other, each in world.pairs.items()
                if other != name and each.action is None and pair.incoming in (each.existing, each.incoming)
            ]
            named = {*incoming.made_of[-1], pair.seen[1], *(existing.made_of[-1] if choice.content else ())}
            existing.says(choice.content or incoming.texts[-1], {each for each in named if each[0] != pair.existing})
            incoming.into, pair.loser, pair.count = pair.existing, pair.incoming, len(existing.texts)
            for _, each in heirs:
                partner = each.incoming if each.existing == pair.incoming else each.existing
                heir = self._between(partner, pair.existing)
                if partner != pair.existing and world.sides[partner].is_live and heir not in world.pairs:
                    world.pairs[heir] = Pair(partner, pair.existing, cause=name)
        elif choice.action is Action.KEEP_EXISTING:
            winner = choice.winner or pair.existing
            pair.loser = pair.incoming if winner == pair.existing else pair.existing
            world.sides[pair.loser].into = winner

    def _undecide(self, world: World, name: ConflictId) -> None:
        pair = world.pairs[name]
        if pair.action is not None and pair.action.adds_version:
            side = world.sides[pair.existing]
            side.says(side.texts[pair.count - 2], side.made_of[pair.count - 2])
            for heir in [other for other, each in world.pairs.items() if each.cause == name]:
                del world.pairs[heir]
        if pair.loser is not None:
            world.sides[pair.loser].into = None
        pair.action, pair.loser, pair.count = None, None, 0

    def _is_built_upon(self, name: ConflictId) -> bool:
        """Later versions, or decisions that saw what this one made; asked of the memory where only it knows."""
        pair = self.world.pairs[name]
        if pair.action is None or not pair.action.adds_version:
            return False
        if any(each.cause == name and each.was_decided for each in self.world.pairs.values()):
            return True
        if len(self.world.sides[pair.existing].texts) > pair.count:
            return True
        found = self.memory.wired.service.resolve.disputes.conflicts.find(sorted(self.world.pairs))
        later = [
            each.decision.seen(pair.existing).number or 0
            for other, each in found.items()
            if other != name and each.is_decided and each.decision is not None and pair.existing in each.roots
        ]
        return any(number >= pair.count for number in later)

    def _is_visible(self, pair: Pair) -> bool:
        return {pair.existing, pair.incoming} <= set(self._live())

    def _live(self) -> list[RootId]:
        return [root for root, side in self.world.sides.items() if side.is_live and self.world.is_shown(root)]

    # --- how a rule is tried and judged ---

    def _attempt(
        self,
        call: Callable[[], object],
        is_allowed: bool,
        change: Callable[[World], object],
        crash: tuple[int, bool] | None,
    ) -> None:
        """The call does all of it where it is allowed, else nothing; when it crashes, the one or the other."""
        before, after = self.world, copy.deepcopy(self.world)
        if is_allowed:
            change(after)
        self._arm(crash)
        try:
            call()
        except Crashed:
            self.crashing.live_on()
            self.world = after if is_allowed and self._is_so(after) else before
        except (Conflict, NotFound, BuiltUpon):
            assert not is_allowed
        else:
            assert is_allowed
            self.world = after
        self.crashing.live_on()

    def _is_so(self, world: World) -> bool:
        beliefs = self.memory.wired.service.remember.steps.beliefs
        heads = beliefs.heads(sorted(world.sides))
        conflicts = self.memory.wired.service.resolve.disputes.conflicts.find(sorted(world.pairs))
        same_heads = all(
            (heads[root].count, heads[root].state is State.FORGOTTEN) == (len(side.texts), side.is_forgotten)
            for root, side in world.sides.items()
        )
        decided = {name: each.decision for name, each in conflicts.items() if each.is_decided}
        actions = {name: decision.action for name, decision in decided.items() if decision is not None}
        expected = {name: pair.action for name, pair in world.pairs.items() if pair.action is not None}
        return same_heads and actions == expected

    def _remember(self, text: str, against: list[RootId]) -> RootId:
        service = self.memory.wired.service
        numbers = {root: len(self.world.sides[root].texts) for root in against}
        opinions = [Opinion(VersionRef(r, n), Relation.CONTRADICTORY, 0.9, "no", "a model") for r, n in numbers.items()]
        verdict = Verdict("a model", contradictory=tuple(opinions))
        judged = replace(service.remember, judge=lambda asked: [verdict] * len(asked))
        return judged(OWNER, Draft(text)).memory.version.root

    def _text(self) -> str:
        self.said += 1
        return f"statement number {self.said}"

    def _between(self, one: RootId, other: RootId) -> ConflictId:
        return conflict_between(one, other)

    def _arm(self, crash: tuple[int, bool] | None) -> None:
        if crash is not None:
            self.crashing.crash_at(crash[0], is_after=crash[1])

    def _has_begun(self) -> bool:
        return "world" in self.__dict__


TestDisagreements = Disagreements.TestCase
TestDisagreements.settings = settings(max_examples=examples(10), stateful_step_count=20, deadline=None)
