"""The emulator of AWS that the suite runs on, as a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

REGION = "eu-central-1"
_START_SECONDS = 30.0
_POLL_SECONDS = 0.05
_STOP_SECONDS = 10.0


@contextmanager
def ministack(folder: Path) -> Iterator[str]:
    """The address of a server that lives as long as the context. What it says goes to a file in the folder."""
    port = _free_port()
    endpoint = f"http://127.0.0.1:{port}"
    environment = os.environ | {
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",  # it would listen on every interface
        "SFTP_ENABLED": "0",
        "MINISTACK_REGION": REGION,
        "TMPDIR": str(folder),
    }
    with (folder / "ministack.log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "ministack"], env=environment, stdout=log, stderr=log)
        try:
            _wait_until_it_answers(server, endpoint, folder)
            yield endpoint
        finally:
            server.terminate()
            try:
                server.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_until_it_answers(server: subprocess.Popen[bytes], endpoint: str, folder: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{endpoint}/_ministack/health", timeout=1):
                return
        except (URLError, ConnectionError, TimeoutError):
            try:
                server.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            break
    raise RuntimeError("ministack did not start: " + (folder / "ministack.log").read_text()[-2_000:])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
