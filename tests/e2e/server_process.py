"""A server as people start it: a process of its own over loopback, with a data folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 60


@dataclass(frozen=True)
class Running:
    """A server that answers.

    Attributes:
        greeting: What it printed until it was ready, and the lines that say how to go on.
    """

    url: str
    key: str
    data: Path
    greeting: str
    process: subprocess.Popen[str]


@contextmanager
def running(
    command: Sequence[str | Path], data: Path, *, home: Path, more: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """Start a server on a free port, and stop it as Ctrl-C would."""
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "OPENBLAS_NUM_THREADS": "1",
        "PALIMPSEST_DATA_DIR": str(data),
        "PALIMPSEST_PORT": "0",
        **(more or {}),
    }
    process = subprocess.Popen(
        command, env=environment, cwd=home, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    patience = threading.Timer(START_SECONDS, process.kill)
    patience.start()
    try:
        greeting = _read_greeting(process)
        patience.cancel()
        url = next(line.rpartition(" ")[2] for line in greeting if " is at http" in line)
        yield Running(url, (data / "key").read_text("ascii").strip(), data, "\n".join(greeting), process)
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=30)
        assert process.returncode == 0, rest
    finally:
        patience.cancel()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _read_greeting(process: subprocess.Popen[str]) -> list[str]:
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("try "):
            return lines
    raise AssertionError("the server ended at once:\n" + "\n".join(lines))
