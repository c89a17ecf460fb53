"""Writes until it is killed, and says after each transaction that it is done."""

from __future__ import annotations

import os
import sys
from threading import Thread

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Add, Key, Missing, Put, Update

THREADS, PARTS = 4, 3


def run(table: SqliteTable, writer: int) -> None:
    for number in range(1_000_000):
        parts = [
            Put({"pk": f"W#{writer}", "sk": f"{number:06}#{part}", "text": "x" * 700}, Missing("pk"))
            for part in range(PARTS)
        ]
        log = Put({"pk": "T#1", "sk": f"{number:06}#{writer}"})
        table.transact([*parts, log, Update(Key(f"W#{writer}", "count"), (Add("count", 1),))])
        os.write(1, f"{writer} {number}\n".encode())


if __name__ == "__main__":
    shared = SqliteTable(sys.argv[1])
    for each in range(THREADS):
        Thread(target=run, args=(shared, each)).start()
