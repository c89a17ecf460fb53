"""The data folder: how the server before this one ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from palimpsest.local import data_folder
from palimpsest.local.exits import Exit, Refusal

HOLDER = """
import sys, time
from pathlib import Path
from palimpsest.local import data_folder
with data_folder.held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_folder_that_was_let_go_of_needs_no_second_look(tmp_path: Path) -> None:
    for _ in range(2):
        with data_folder.held(tmp_path) as ended_in_order:
            assert ended_in_order


def test_a_server_that_failed_did_not_end_in_order(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), data_folder.held(tmp_path):
        raise RuntimeError

    with data_folder.held(tmp_path) as ended_in_order:
        assert not ended_in_order


def test_a_server_that_was_killed_holds_nothing_and_did_not_end_in_order(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(data_folder.__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdout=subprocess.PIPE, env=environment) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Refusal) as refused, data_folder.held(tmp_path):
            pass
        holder.send_signal(signal.SIGKILL)

    assert refused.value.code is Exit.SECOND_SERVER
    with data_folder.held(tmp_path) as ended_in_order:
        assert not ended_in_order
