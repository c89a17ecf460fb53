"""Whoever answers somebody goes first; who works in the background still gets on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from palimpsest.adapters.embedded.precedence import Precedence
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Key

MISSING = Key("S#space", "nothing")
_FOR_EVER = 60.0
_SOON = 5.0


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    """One whose background waits for as long as somebody is answered."""
    with SqliteTable() as made:
        made.precedence = Precedence(_FOR_EVER)
        yield made


def _reading(table: SqliteTable, other: ThreadPoolExecutor, *, in_background: bool) -> Future[None]:
    def read() -> None:
        if in_background:
            table.precedence.work_in_background()
        table.get([MISSING])

    return other.submit(read)


def test_a_thread_of_the_background_waits_until_nobody_is_answered(table: SqliteTable) -> None:
    with ThreadPoolExecutor(1) as other:
        with table.precedence.answering():
            read = _reading(table, other, in_background=True)
            with pytest.raises(TimeoutError):
                read.result(timeout=0.2)

        read.result(timeout=_SOON)


def test_it_never_waits_for_long(table: SqliteTable) -> None:
    table.precedence = Precedence(0.01)

    with ThreadPoolExecutor(1) as other, table.precedence.answering():
        _reading(table, other, in_background=True).result(timeout=_SOON)


def test_other_threads_do_not_wait(table: SqliteTable) -> None:
    with ThreadPoolExecutor(1) as other, table.precedence.answering():
        _reading(table, other, in_background=False).result(timeout=_SOON)


def test_without_a_request_nobody_waits(table: SqliteTable) -> None:
    with ThreadPoolExecutor(1) as other:
        _reading(table, other, in_background=True).result(timeout=_SOON)
