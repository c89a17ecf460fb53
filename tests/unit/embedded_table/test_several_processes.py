"""One file, several processes: also the first of them make it at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Key
from tests.unit.embedded_table import adding_process
from tests.unit.embedded_table.adding_process import THREADS, TIMES

PROCESSES = 3


def test_processes_that_share_a_new_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    running = [
        subprocess.Popen(
            [sys.executable, adding_process.__file__, str(path), str(number)], env=environment, stderr=subprocess.PIPE
        )
        for number in range(PROCESSES)
    ]
    said = [process.communicate(timeout=60)[1] for process in running]

    assert [process.returncode for process in running] == [0] * PROCESSES, said
    everything = PROCESSES * THREADS * TIMES
    with SqliteTable(path) as table:
        records = table.stream_reader().read_stream(10_000)
        assert table.get([Key("C", "C")]).items[Key("C", "C")]["count"] == everything
        assert [record.position for record in records] == list(range(1, everything + 1))


def test_one_process_sees_at_once_what_another_wrote(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    with SqliteTable(path) as table:
        assert table.get([Key("C", "C")]).items == {}
        subprocess.run(
            [sys.executable, adding_process.__file__, str(path), "1"], env=environment, timeout=60, check=True
        )

        assert table.get([Key("C", "C")]).items[Key("C", "C")]["count"] == THREADS * TIMES
