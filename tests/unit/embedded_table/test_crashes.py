"""Nothing that was acknowledged is lost when the process is killed, and nothing is there by half."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Key, Query
from tests.unit.embedded_table import crash_writer
from tests.unit.embedded_table.crash_writer import PARTS, THREADS

ENOUGH = 400


def run_and_kill(path: Path, enough: int) -> set[tuple[int, int]]:
    """The transactions that the writer said were done, in the moment when it was killed in the midst of others."""
    writer = subprocess.Popen(
        [sys.executable, crash_writer.__file__, str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert writer.stdout is not None
    with writer.stdout as told:
        lines = [told.readline() for _ in range(enough)]
        writer.kill()
        lines += told.readlines()
    writer.wait(10)
    return {(int(line.split()[0]), int(line.split()[1])) for line in lines if line.endswith(b"\n")}


def found_by(table: SqliteTable, writer: int) -> dict[int, int]:
    """How many parts there are of each of the writer's transactions."""
    counts: dict[int, int] = {}
    query = Query(f"W#{writer}", high="9", consistent=True)
    while True:
        page = table.query(query)
        for item in page.items:
            number = int(str(item["sk"]).partition("#")[0])
            counts[number] = counts.get(number, 0) + 1
        if page.next_cursor is None:
            return counts
        query = Query(f"W#{writer}", high="9", consistent=True, after=page.next_cursor)


def test_a_killed_writer_loses_nothing_acknowledged_and_leaves_nothing_by_half(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    acknowledged = run_and_kill(path, ENOUGH)
    assert len(acknowledged) >= ENOUGH

    with SqliteTable(path) as table:
        streamed = {str(record.key.sk) for record in table.stream_reader().read_stream(1_000_000)}
        for writer in range(THREADS):
            parts = found_by(table, writer)
            count = table.get([Key(f"W#{writer}", "count")]).items[Key(f"W#{writer}", "count")]["count"]

            assert set(parts.values()) == {PARTS}
            assert {number for who, number in acknowledged if who == writer} <= parts.keys()
            assert sorted(parts) == list(range(len(parts)))
            assert count == len(parts)
            assert {f"{number:06}#{writer}" for number in parts} == {
                key for key in streamed if key.endswith(f"#{writer}")
            }
