"""Processes of our own that run the product, in the environment that `make serve` gives it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_BENCH = Path(__file__).resolve().parents[1]
_SECONDS = 3_600.0
_LEFT_OUT = ("PALIMPSEST_", "PYTHON")
"""Settings are ours to choose, and PYTHONDONTWRITEBYTECODE would let every start compile all sources anew."""

_WITHOUT_EXTRA = (
    "import runpy, sys; sys.modules['ctranslate2'] = None; runpy.run_module(sys.argv.pop(1), run_name='__main__')"
)


class Failed(Exception):
    """A process of ours ended with an error; the message is the end of what it said."""


def environment(folder: Path) -> dict[str, str]:
    """Of a process that runs the product over the data folder `folder`.

    The package and the modules of this folder can be imported there as they can here.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    return kept | {
        "PALIMPSEST_DATA_DIR": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "VECLIB_MAXIMUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(_BENCH), *filter(None, sys.path[1:])]),
    }


def module(name: str, *, has_extra: bool = True) -> list[str]:
    """The command that runs a module; without the extra `fast` it can't be imported there, installed or not."""
    return [sys.executable, *(["-m", name] if has_extra else ["-c", _WITHOUT_EXTRA, name])]


def run(
    command: Sequence[str], environment: dict[str, str], text: str | None = None
) -> subprocess.CompletedProcess[str]:
    """What a command said; `text` is what it reads. Failed when it ends with an error."""
    done = subprocess.run(
        command, input=text, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode:
        raise Failed(done.stderr[-2000:])
    return done


def seed(folder: Path, space: str, memories: int, *, has_extra: bool) -> None:
    """Make a data folder with so many memories (`harness.seeding`)."""
    command = [*module("harness.seeding"), str(folder), space, str(memories), *["extra"] * has_extra]
    run(command, environment(folder))
