"""Laws 1 to 4 and 10 over any history: steps, crashes between any two table operations, doorbells that go astray."""

from __future__ import annotations

import contextlib
import random
import tempfile
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from palimpsest.domain.belief import State
from palimpsest.domain.errors import Conflict, NotFound
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.lineage import broken_links
from palimpsest.domain.version import Version
from palimpsest.ports.table import Key
from palimpsest.stores.beliefs import Beliefs
from palimpsest.usecases.drafts import Annotation, Draft, Revision
from palimpsest.usecases.readings import ListQuery
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.examples import examples
from tests.support.installation import OWNER, Installation, install
from tests.support.weather import Weather, WeatheredTable

SPACES = ("north", "south")
WORDS = ("amber", "birch", "cobalt", "dune", "ember", "fjord", "granite", "heron", "iris", "juniper")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
crash_points = st.none() | st.tuples(st.integers(0, 12), st.booleans())


@dataclass
class Expected:
    """What the test knows of a belief: its texts, oldest first, and whether it is forgotten."""

    space: str
    texts: list[str]
    is_forgotten: bool = False
    rows: dict[int, Version] = field(default_factory=dict)


class Laws(RuleBasedStateMachine):
    """Each rule is a step that may crash; after a crash the truth is read, and has to be one of two."""

    roots: Bundle[RootId] = Bundle("roots")

    @initialize(seed=st.integers(0, 1_000))
    def begin(self, seed: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.weathered = WeatheredTable(Weather(seed, short_page=0.3, index_lag=6))
        self.sqlite = self.weathered.table
        self.crashing = CrashingTable(self.weathered)
        self.installation: Installation = install(
            Path(self.folder.name), table=self.crashing, sqlite=self.sqlite, refresh=timedelta(seconds=60)
        )
        self.expected: dict[RootId, Expected] = {}
        self.waiting: list[Key] = []

    def teardown(self) -> None:
        self.sqlite.close()
        self.folder.cleanup()

    # --- steps ---

    @rule(target=roots, space=st.sampled_from(SPACES), text=texts, crash=crash_points)
    def save(self, space: str, text: str, crash: tuple[int, bool] | None) -> RootId:
        same = [r for r, e in self.expected.items() if e.space == space and e.texts[-1] == text and not e.is_forgotten]
        self._arm(crash)
        try:
            saved = self.installation.wired.service.remember(OWNER, Draft(text, space=space))
        except Crashed:
            self.crashing.live_on()
            saved = self.installation.wired.service.remember(OWNER, Draft(text, space=space))
        self.crashing.live_on()
        root = saved.memory.head.root
        if same:
            assert saved.outcome == "unchanged" or root in self.expected
        self.expected.setdefault(root, Expected(space, [text]))
        assert self.expected[root].texts[-1] == text
        return root

    @rule(root=roots, text=texts, crash=crash_points)
    def update(self, root: RootId, text: str, crash: tuple[int, bool] | None) -> None:
        expected = self.expected[root]
        step = lambda: self.installation.wired.service.revise(OWNER, VersionRef(root), Revision(text))  # noqa: E731
        done = self._attempt(step, crash)
        if done is None:
            self._settle_version(root, text)
        elif done:
            expected.texts += [text] if text != expected.texts[-1] else []
        else:
            assert expected.is_forgotten

    @rule(root=roots, back=st.integers(1, 5), crash=crash_points)
    def revert(self, root: RootId, back: int, crash: tuple[int, bool] | None) -> None:
        expected = self.expected[root]
        number = max(1, len(expected.texts) - back)
        step = lambda: self.installation.wired.service.revert(OWNER, VersionRef(root), number)  # noqa: E731
        done = self._attempt(step, crash)
        text = expected.texts[number - 1]
        if done is None:
            self._settle_version(root, text)
        elif done:
            is_said = expected.rows[number].statement == expected.rows[len(expected.texts)].statement
            expected.texts += [] if is_said else [text]
        else:
            assert expected.is_forgotten or number == len(expected.texts)

    @rule(root=roots, tag=st.sampled_from(WORDS), crash=crash_points)
    def annotate(self, root: RootId, tag: str, crash: tuple[int, bool] | None) -> None:
        step = lambda: self.installation.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=(tag,)))  # noqa: E731
        if self._attempt(step, crash) is False:
            assert self.expected[root].is_forgotten

    @rule(root=roots, crash=crash_points)
    def forget(self, root: RootId, crash: tuple[int, bool] | None) -> None:
        done = self._attempt(lambda: self.installation.wired.service.forget(OWNER, VersionRef(root)), crash)
        self._settle_state(root, done, is_forgotten=True)

    @rule(root=roots, crash=crash_points)
    def restore(self, root: RootId, crash: tuple[int, bool] | None) -> None:
        done = self._attempt(lambda: self.installation.wired.service.restore(OWNER, VersionRef(root)), crash)
        self._settle_state(root, done, is_forgotten=False)

    # --- doorbells and time ---

    @rule(seed=st.integers(0, 1_000), share=st.floats(0, 1), crash=crash_points)
    def ring(self, seed: int, share: float, crash: tuple[int, bool] | None) -> None:
        """Some doorbells ring, in any order, some of them twice; those that don't may be lost for good."""
        self.waiting += self.installation.doorbells()
        chance = random.Random(seed)
        rung = [key for key in self.waiting for _ in range(chance.choice((1, 1, 2))) if chance.random() < share]
        chance.shuffle(rung)
        self._arm(crash)
        with contextlib.suppress(Crashed):
            self.installation.wired.index_changes(rung)
        self.crashing.live_on()
        self.waiting = [key for key in self.waiting if chance.random() < 0.5]

    @rule(seconds=st.integers(1, 200))
    def wait(self, seconds: int) -> None:
        """No index lags as long as a search index refreshes."""
        self.installation.clock.turn(timedelta(seconds=seconds))
        self.weathered.pass_time()

    # --- laws ---

    @invariant()
    def nothing_is_rewritten(self) -> None:
        """Law 1: versions 1..n without gaps, each row as it was when first seen, hashes in a chain."""
        for root, expected in self.__dict__.get("expected", {}).items():
            beliefs = self._beliefs()
            head = beliefs.heads([root])[root]
            versions = beliefs.versions_before(root, head.count + 1, limit=1_000)[::-1]
            assert [v.number for v in versions] == list(range(1, head.count + 1))
            assert [v.statement.content for v in versions] == expected.texts
            assert not broken_links(versions)
            assert head.current == head.count
            for version in versions:
                assert expected.rows.setdefault(version.number, version) == version

    @invariant()
    def what_is_believed_is_recalled_at_once_and_nothing_else(self) -> None:
        """Laws 3, 4 and 10: recall and list show each live belief's current text, and no other."""
        for space in SPACES if self.__dict__.get("expected") else ():
            live = [e.texts[-1] for e in self.expected.values() if e.space == space and not e.is_forgotten]
            listed = self.installation.wired.service.list_memories(OWNER, ListQuery(space=space, limit=200))
            assert sorted(m.version.statement.content for m in listed.memories) == sorted(live)
            for text in live[-2:]:
                found = self.installation.recalled(text, space, limit=100)
                assert text in found
                assert set(found) <= set(live)

    @invariant()
    def what_was_believed_is_told_of_any_time_since(self) -> None:
        """Of a moment of the past a list shows what each belief said then, unless it is forgotten now."""
        rows = [row for e in self.__dict__.get("expected", {}).values() for row in e.rows.values()]
        if not rows:
            return
        moment = sorted(row.recorded_at for row in rows)[len(rows) // 2]
        filters = Filters(believed_at=moment)
        for space in SPACES:
            expected = []
            for belief in self.expected.values():
                then = [row for row in belief.rows.values() if row.recorded_at <= moment]
                if then and belief.space == space and not belief.is_forgotten:
                    expected.append(max(then, key=lambda row: row.number).statement.content)
            query = ListQuery(space=space, filters=filters, limit=200)
            listed = self.installation.wired.service.list_memories(OWNER, query)
            assert sorted(m.version.statement.content for m in listed.memories) == sorted(expected)

    # --- how a rule is tried and judged ---

    def _beliefs(self) -> Beliefs:
        return self.installation.wired.service.remember.steps.beliefs

    def _arm(self, crash: tuple[int, bool] | None) -> None:
        if crash is not None:
            self.crashing.crash_at(crash[0], is_after=crash[1])

    def _attempt(self, step: object, crash: tuple[int, bool] | None) -> bool | None:
        """True: done; False: refused; None: the process died, and only the table knows."""
        self._arm(crash)
        try:
            step()  # type: ignore[operator]
        except Crashed:
            return None
        except (Conflict, NotFound):
            return False
        finally:
            self.crashing.live_on()
        return True

    def _settle_version(self, root: RootId, text: str) -> None:
        count = self._beliefs().heads([root])[root].count
        assert count - len(self.expected[root].texts) in (0, 1)
        if count > len(self.expected[root].texts):
            self.expected[root].texts.append(text)

    def _settle_state(self, root: RootId, done: bool | None, *, is_forgotten: bool) -> None:
        expected = self.expected[root]
        if done is False:
            assert expected.is_forgotten is is_forgotten
        elif done:
            expected.is_forgotten = is_forgotten
        else:
            expected.is_forgotten = self._beliefs().heads([root])[root].state is State.FORGOTTEN


TestLaws = Laws.TestCase
TestLaws.settings = settings(max_examples=examples(30), stateful_step_count=25, deadline=None)
