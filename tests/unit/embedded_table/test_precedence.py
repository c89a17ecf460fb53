"""Whoever answers somebody goes first; who works in the background still gets on."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Key

MISSING = Key("S#space", "nothing")


def _reads_a_second(table: SqliteTable, *, in_background: bool) -> float:
    """How often another thread reads while somebody is being answered."""

    def read() -> float:
        if in_background:
            table.precedence.work_in_background()
        begun = time.perf_counter()
        for _ in range(10):
            table.get([MISSING])
        return 10 / (time.perf_counter() - begun)

    with ThreadPoolExecutor(1) as other, table.precedence.answering():
        return other.submit(read).result()


def test_a_thread_of_the_background_waits_a_little_at_each_call_while_somebody_is_answered() -> None:
    with SqliteTable() as table:
        assert _reads_a_second(table, in_background=True) < 100


def test_other_threads_do_not_wait() -> None:
    with SqliteTable() as table:
        assert _reads_a_second(table, in_background=False) > 200


def test_without_a_request_nobody_waits() -> None:
    with SqliteTable() as table:
        table.precedence.work_in_background()
        begun = time.perf_counter()
        for _ in range(50):
            table.get([MISSING])

        assert time.perf_counter() - begun < 0.25
