"""The server that is measured: a given one, or one of our own on a free port."""

from __future__ import annotations

import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from harness import processes
from harness.api import Api

_READY_SECONDS, _STOP_SECONDS, _POLL_SECONDS = 120.0, 20.0, 0.005
_MODULE = "palimpsest.local.cli"
_PATIENCE = {"PALIMPSEST_EMBED_SECONDS": "4", "PALIMPSEST_RECALL_SECONDS": "25"}


class NotServing(Exception):
    """Our own server did not come up; the message ends with what it printed."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where to call.

    Attributes:
        pid: Of our own server; None for one that was given.
        began: When it was started, by `time.perf_counter`.
        healthy: When it first answered /health, by the same clock.
    """

    url: str
    key: str | None
    pid: int | None = None
    began: float = 0.0
    healthy: float = 0.0

    def api(self) -> Api:
        """A connection to it."""
        return Api(self.url, self.key)


@contextmanager
def given_or_own(url: str | None, key: str | None, *, has_extra: bool = True) -> Iterator[Server]:
    """The server at `url`, or when there is none one over an empty folder that goes away with it.

    Ours waits for every arm as long as it may, so that what is found does not depend on how busy the machine is.
    """
    if url is not None:
        yield Server(url, key)
        return
    with (
        tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as folder,
        own(Path(folder), has_extra=has_extra, settings=_PATIENCE) as server,
    ):
        yield server


@contextmanager
def own(folder: Path, *, has_extra: bool = True, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server of our own over the data folder `folder`; `has_extra`: as where the extra `fast` is installed, or not.

    Raises:
        NotServing: It did not answer in time.
    """
    key = "bench-" + secrets.token_urlsafe(32)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = processes.environment(folder) | {"PALIMPSEST_PORT": str(port), "PALIMPSEST_KEY": key}
    environment |= settings or {}
    log = folder / "bench-server.log"
    with log.open("wb") as out:
        command = [*processes.module(_MODULE, has_extra=has_extra), "serve"]
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_healthy(url, process, log)
        yield Server(url, key, process.pid, began, time.perf_counter())
    finally:
        _stop(process)


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    api = Api(url, None, timeout_seconds=5.0)
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            api.get("/health")
        except OSError:
            api.close()
            time.sleep(_POLL_SECONDS)
        else:
            api.close()
            return
    raise NotServing(f"the server does not answer; it printed:\n{log.read_text(errors='replace')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End this one process, and no other."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_STOP_SECONDS)
        return
    process.kill()
    process.wait(_STOP_SECONDS)
