"""Servers as processes: one that tests share when they only use it, and others to be stopped and killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.server_process import OWNER_KEY, ServerProcess

MakeServer = Callable[..., ServerProcess]

NO_MODEL = {
    "PALIMPSEST_EMBEDDER": "http",
    "PALIMPSEST_EMBEDDER_URL": "http://127.0.0.1:9",
    "PALIMPSEST_EMBEDDER_MODEL": "x",
}
"""For servers that come and go: nothing listens there, so nothing is embedded, and nothing is loaded either."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server that nobody stops; each test uses a space of its own."""
    running = ServerProcess(tmp_path_factory.mktemp("shared") / "data", {"PALIMPSEST_KEY": OWNER_KEY})
    try:
        yield running.start()
        assert running.stop() == 0, running.output
    finally:
        running.kill()


@pytest.fixture
def make_server(tmp_path: Path) -> Iterator[MakeServer]:
    """Makes servers that are not started; whatever still runs after the test is killed."""
    made: list[ServerProcess] = []

    def make(folder: str | Path = "data", **settings: str) -> ServerProcess:
        server = ServerProcess(tmp_path / folder, settings)
        made.append(server)
        return server

    yield make
    for server in made:
        server.kill()
