"""Writers that come at the same time share one commit, and each of them is told of its own fate only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from palimpsest.adapters.embedded.commits import GroupCommit, Transaction
from palimpsest.adapters.embedded.database import MEMORY, Database
from palimpsest.domain.errors import TableUnavailable

INSERT = "INSERT INTO stream (pk, sk, event) VALUES (?, 'sk', 'INSERT')"


class Group:
    """A group commit whose first transaction goes on when it is let."""

    def __init__(self) -> None:
        self.database = Database(MEMORY, busy_timeout_seconds=1)
        self.commits = GroupCommit(self.database, self.note)
        self.sizes: list[int] = []
        self.entered = threading.Event()
        self.let_on = threading.Event()

    def note(self, transactions: Sequence[Transaction]) -> None:
        self.sizes.append(len(transactions))

    def hold(self, _: Transaction) -> str:
        self.entered.set()
        assert self.let_on.wait(10)
        return "held"

    def waiting(self, count: int) -> bool:
        return len(self.commits._waiting) == count

    def rows(self) -> list[str]:
        with self.database.reading() as connection:
            return [row[0] for row in connection.execute("SELECT pk FROM stream ORDER BY seq")]


def insert(name: str) -> Callable[[Transaction], str]:
    def work(transaction: Transaction) -> str:
        transaction.connection.execute(INSERT, (name,))
        return name

    return work


def fail_after_writing(transaction: Transaction) -> None:
    transaction.connection.execute(INSERT, ("half",))
    raise KeyError("mine")


@pytest.fixture
def group() -> Iterator[Group]:
    made = Group()
    yield made
    made.database.close()


def run_behind_one_that_holds(group: Group, works: Sequence[Callable[[Transaction], object]]) -> list[Future[object]]:
    """The works, all of them waiting while the first transaction is under way, and then let on."""
    with ThreadPoolExecutor(len(works) + 1) as pool:
        first = pool.submit(group.commits.run, group.hold)
        assert group.entered.wait(10)
        futures = []
        for number, work in enumerate(works, start=1):
            futures.append(pool.submit(group.commits.run, work))
            while not group.waiting(number):
                threading.Event().wait(0.001)
        group.let_on.set()
        assert first.result(10) == "held"
        return futures


def test_all_who_wait_share_the_next_commit(group: Group) -> None:
    futures = run_behind_one_that_holds(group, [insert(name) for name in "abcde"])

    assert [future.result() for future in futures] == list("abcde")
    assert group.sizes == [1, 5]
    assert group.rows() == list("abcde")


def test_one_that_fails_is_told_so_and_takes_nobody_with_it(group: Group) -> None:
    futures = run_behind_one_that_holds(group, [insert("a"), fail_after_writing, insert("b")])

    assert isinstance(futures[1].exception(), KeyError)
    assert (futures[0].result(), futures[2].result()) == ("a", "b")
    assert group.rows() == ["a", "b"]


def test_a_broken_file_fails_the_whole_group_and_the_next_one_works(group: Group) -> None:
    def break_it(transaction: Transaction) -> None:
        transaction.connection.execute("INSERT INTO no_such_table VALUES (1)")

    futures = run_behind_one_that_holds(group, [insert("a"), break_it, insert("b")])

    assert {type(future.exception()) for future in futures} == {TableUnavailable}
    assert group.rows() == []
    assert group.commits.run(insert("c")) == "c"


def test_a_leader_that_is_interrupted_leaves_nobody_waiting(group: Group) -> None:
    def interrupt(_: Transaction) -> None:
        group.entered.set()
        assert group.let_on.wait(10)
        raise KeyboardInterrupt

    def lead() -> None:
        with pytest.raises(KeyboardInterrupt):
            group.commits.run(interrupt)

    with ThreadPoolExecutor(2) as pool:
        leader = pool.submit(lead)
        assert group.entered.wait(10)
        follower = pool.submit(group.commits.run, insert("a"))
        while not group.waiting(1):
            threading.Event().wait(0.001)
        group.let_on.set()

        assert leader.exception(10) is None
        assert follower.result(10) == "a"
