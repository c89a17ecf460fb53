"""A server that answers what a test says, and a data folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.scripted_server import ScriptedServer, scripted_server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that the settings name."""
    monkeypatch.setenv("PALIMPSEST_DATA_DIR", str(tmp_path))
    return tmp_path
