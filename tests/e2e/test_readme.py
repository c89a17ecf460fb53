"""The README's commands print what the README says, against a real server in an empty home."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import tree
from tests.e2e.conftest import MakeServer
from tests.support.server_process import ServerProcess

STEP = re.compile(r"^```sh\n(.*?)^```\n(?:\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
CHANGING = re.compile(r"mem_[0-9A-Z]{26}")
NEXT = "-- next --"


@pytest.fixture
def server(make_server: MakeServer) -> ServerProcess:
    """A server whose data lies where a home has it, with a key of its own making, warm."""
    one = make_server(".palimpsest").start()
    key = (one.folder / "key").read_text("ascii").strip()
    arms = []
    for _ in range(60):  # a new machine's first texts may come before the model is loaded
        one.post("/memory/save", {"content": "something", "space": "elsewhere"}, key)
        arms = one.post("/memory/recall", {"query": "anything", "space": "elsewhere"}, key)["arms"]
        if all(arm["state"] in ("ok", "empty", "skipped") for arm in arms):
            return one
    raise AssertionError(f"an arm never answered: {arms}")


def test_the_commands_of_the_readme_print_what_it_says(server: ServerProcess) -> None:
    section = (tree.ROOT / "README.md").read_text("utf-8").partition("## A first save")[2]
    steps = STEP.findall(section)
    script = f"\nprintf '%s\\n' '{NEXT}'\n".join(command for command, _ in steps)

    done = subprocess.run(
        ["sh", "-eu", "-c", script.replace("http://127.0.0.1:8377", server.url)],
        env={"HOME": str(server.folder.parent), "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert len(steps) >= 4
    assert [_settled(one) for one in done.stdout.split(f"{NEXT}\n")] == [_settled(told) for _, told in steps]


def _settled(text: str) -> str:
    return CHANGING.sub("mem_…", text)
