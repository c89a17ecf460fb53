"""The server of one machine as a process of its own, as people start it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from typing import BinaryIO, TypeVar
from urllib.parse import urlsplit

from palimpsest.local.cli.client import ApiClient, Json

ROOT = Path(__file__).resolve().parents[2]
OWNER_KEY = "plm_e2e_" + "k" * 40
_GREETING = re.compile(r"^Palimpsest \S+ is at (http://\S+)$", re.MULTILINE)
_START_SECONDS = 60.0
"""A bound, not an aim: several of these run on the same cores."""

Found = TypeVar("Found")


@dataclass
class ServerProcess:
    """A server with a data folder of its own, on a port that the system gives it."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    url: str = ""
    has_terminal: bool = False
    command: Sequence[str] = (sys.executable, "-m", "palimpsest.local.cli", "serve")
    _process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        """Begin to start; the output goes to a file."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PALIMPSEST_", "AWS_"))}
        own = {
            "PYTHONPATH": str(ROOT / "layers/memory/python"),
            "PALIMPSEST_DATA_DIR": str(self.folder),
            "PALIMPSEST_PORT": "0",
            "PALIMPSEST_LOG_LEVEL": "WARNING",
        }
        with self._output() as out:
            self._process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=inherited | own | self.settings,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start(self) -> ServerProcess:
        """Start and wait until it answers."""
        self.launch()
        self.url = self.wait_for(lambda: (match := _GREETING.search(self.output)) and match[1], "the greeting")
        assert self.get("/health", None)["status"] == "ok"
        return self

    def wait_for(self, probe: Callable[[], Found | None], what: str) -> Found:
        """What the probe finds, as soon as it finds something; fails when the process ends before, or in a minute."""
        until = time.monotonic() + _START_SECONDS
        while not (found := probe()):
            assert time.monotonic() < until, f"{what} did not come: {self.output}"
            assert self.ended_within(0.02) is None, f"the server ended while waiting for {what}: {self.output}"
        return found

    def client(self, key: str | None = OWNER_KEY) -> ApiClient:
        """A client with a connection of its own, which whoever asks for it closes."""
        return ApiClient(self.url, key, 30.0)

    def get(self, path: str, key: str | None = OWNER_KEY) -> Json:
        """The answer to one GET."""
        with closing(self.client(key)) as client:
            return client.get(path)

    def post(self, path: str, body: Json, key: str | None = OWNER_KEY) -> Json:
        """The answer to one POST."""
        with closing(self.client(key)) as client:
            return client.post(path, body)

    def connection(self) -> http.client.HTTPConnection:
        """A bare connection."""
        parts = urlsplit(self.url)
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)

    def signal(self, number: Signals) -> None:
        """Send a signal to the process."""
        assert self._process is not None
        self._process.send_signal(number)

    def signal_group(self, number: Signals) -> None:
        """Send a signal to the process and to all that it has started."""
        assert self._process is not None
        os.killpg(self._process.pid, number)

    def ended(self, timeout_seconds: float = 30.0) -> int:
        """The exit code, when it has ended; negative for the signal that ended it."""
        code = self.ended_within(timeout_seconds)
        assert code is not None, f"it still runs: {self.output}"
        return code

    def stop(self) -> int:
        """Stop gracefully; the exit code."""
        self.signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """End it as a crash would, if it still runs."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):  # what it has started may outlive it
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)

    @contextmanager
    def _output(self) -> Iterator[int]:
        """Where the process writes to: the file, or a terminal whose screen is kept in the file."""
        if not self.has_terminal:
            with self.output_file.open("wb") as out:
                yield out.fileno()
            return
        screen, terminal = os.openpty()
        threading.Thread(target=_keep, args=(screen, self.output_file.open("wb")), daemon=True).start()
        try:
            yield terminal
        finally:
            os.close(terminal)

    @property
    def output(self) -> str:
        return self.output_file.read_text("utf-8")

    @property
    def output_file(self) -> Path:
        return self.folder.parent / f"{self.folder.name}.out"

    def ended_within(self, seconds: float) -> int | None:
        """The exit code; None when it still runs after so many seconds."""
        assert self._process is not None
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


def _keep(screen: int, file: BinaryIO) -> None:
    with file, os.fdopen(screen, "rb", buffering=0) as shown, suppress(OSError):  # Linux ends a terminal with EIO
        while part := shown.read(4096):
            file.write(part)
            file.flush()
