"""Group commit: writers that come while another one waits for the disk share the next wait."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Generic, TypeVar

from palimpsest.adapters.embedded.database import Database
from palimpsest.adapters.embedded.sqlite_errors import unavailable
from palimpsest.domain.errors import TableUnavailable
from palimpsest.ports.table import Item, Key

Result = TypeVar("Result")

_MOST_AT_ONCE: Final = 64
"""Bounds how long one group holds the file's write lock against other processes."""


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item before and after a write."""

    key: Key
    before: Item | None
    after: Item | None


@dataclass(slots=True)
class Transaction:
    """What a piece of work writes to, and what it says that it did."""

    connection: sqlite3.Connection
    changes: list[ItemChange] = field(default_factory=list)
    last_record: int | None = None


class _Job(Generic[Result]):
    """One piece of work and the thread that waits for it."""

    def __init__(self, work: Callable[[Transaction], Result]) -> None:
        self.work = work
        self.transaction: Transaction | None = None
        self.result: Result | None = None
        self.error: Exception | None = None
        self.is_done = False
        self.is_leader = False
        self._turn = Lock()
        self._turn.acquire()

    def wait(self) -> None:
        """Returns when the work is done, or when it is this thread's turn to lead."""
        self._turn.acquire()

    def wake(self) -> None:
        self._turn.release()

    def fail(self, error: Exception, cause: Exception | None = None) -> None:
        """Done, with nothing written."""
        error.__cause__ = cause
        self.error = error
        self.is_done = True


class GroupCommit:
    """Runs pieces of work in transactions of the file, several at once when several threads ask.

    The first thread that comes leads: it begins a transaction, does its own work and that of all who wait, each in a
    savepoint so that one that fails leaves the others alone, and commits once. Who came meanwhile forms the next group.

    Args:
        database: Where to write.
        committed: Called by the leader after each commit, before anybody is told, with what was written.
    """

    def __init__(self, database: Database, committed: Callable[[Sequence[Transaction]], None]) -> None:
        self._database = database
        self._committed = committed
        self._lock = Lock()
        self._waiting: deque[_Job[object]] = deque()
        self._has_leader = False

    def run(self, work: Callable[[Transaction], Result]) -> Result:
        """The result of the work; when this returns, it is on the disk.

        Raises:
            TableUnavailable: The file can't be written; the work was not done.
            Exception: Whatever the work raised; then nothing of it was written.
        """
        job = _Job(work)
        self._join(job)
        if not job.is_leader:
            self._wait(job)
        if not job.is_done:
            self._lead()
        if job.error is not None:
            raise job.error
        return job.result  # type: ignore[return-value]  # without an error there is a result

    def _join(self, job: _Job[Result]) -> None:
        with self._lock:
            self._waiting.append(job)  # type: ignore[arg-type]  # what results it has concerns only who waits
            job.is_leader = not self._has_leader
            self._has_leader = True

    def _wait(self, job: _Job[Result]) -> None:
        try:
            job.wait()
        except BaseException:
            # An interrupted thread leads nobody, and what it asked for and was not begun is not done.
            with self._lock:
                if job in self._waiting:
                    self._waiting.remove(job)  # type: ignore[arg-type]
                if job.is_leader:
                    self._promote()
            raise

    def _lead(self) -> None:
        with self._lock:
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST_AT_ONCE))]
        try:
            self._commit(group)
        finally:
            # Also when this thread is interrupted: the others must neither wait for ever nor believe in a write.
            for job in group:
                if not job.is_done:
                    job.fail(TableUnavailable("the write was interrupted; read again to see whether it was done"))
                job.wake()
            with self._lock:
                self._promote()

    def _promote(self) -> None:
        self._has_leader = bool(self._waiting)
        if self._waiting:
            self._waiting[0].is_leader = True
            self._waiting[0].wake()

    def _commit(self, group: Sequence[_Job[object]]) -> None:
        try:
            with self._database.writing() as connection:
                _write(connection, group)
        except sqlite3.Error as error:
            for job in group:
                job.fail(unavailable(error, self._database.path), error)
        else:
            for job in group:
                job.is_done = True
            self._committed([job.transaction for job in group if job.transaction is not None])


def _write(connection: sqlite3.Connection, group: Sequence[_Job[object]]) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in group:
            _do(job, connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _do(job: _Job[object], connection: sqlite3.Connection) -> None:
    transaction = Transaction(connection)
    connection.execute("SAVEPOINT work")
    try:
        job.result = job.work(transaction)
        job.transaction = transaction
    except sqlite3.Error:
        raise  # it concerns the file, so it concerns the whole group
    except Exception as error:  # noqa: BLE001 - it belongs to the thread that asked, not to the one that leads
        job.error = error
        connection.execute("ROLLBACK TO work")
    connection.execute("RELEASE work")
