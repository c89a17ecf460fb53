"""Adds to one counter from several threads, beside other processes that do the same."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Add, Key, Put, Update

THREADS, TIMES = 3, 15


def add(table: SqliteTable, process: str, thread: int) -> None:
    for number in range(TIMES):
        step = Put({"pk": f"T#{process}", "sk": f"{thread}#{number:02}"})
        table.transact([Update(Key("C", "C"), (Add("count", 1),)), step])


if __name__ == "__main__":
    with SqliteTable(sys.argv[1], busy_timeout_seconds=20) as shared, ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(add, shared, sys.argv[2], thread) for thread in range(THREADS)]:
            done.result()
