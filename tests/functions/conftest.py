"""One pool of threads for all installations of these tests, and one installation for what changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

from palimpsest.usecases.service import Service
from tests.functions.seeds import seeded_service


@pytest.fixture(scope="session")
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.fixture(scope="session")
def unchanged(tmp_path_factory: pytest.TempPathFactory, executor: Executor) -> Iterator[Service]:
    """A service for requests that leave nothing behind."""
    with seeded_service(tmp_path_factory.mktemp("unchanged"), executor) as service:
        yield service


@pytest.fixture
def fresh(tmp_path: Path, executor: Executor) -> Iterator[Service]:
    """A service of this test's own."""
    with seeded_service(tmp_path, executor) as service:
        yield service
