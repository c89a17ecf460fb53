"""One pool of threads for all installations of these tests, and one installation for what changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

from palimpsest.usecases.service import Service
from tests.functions.seeds import Seeded, seeded


@pytest.fixture(scope="session")
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.fixture(scope="session")
def at_first(tmp_path_factory: pytest.TempPathFactory, executor: Executor) -> Seeded:
    """What every service holds at first: made once, since that takes longer than most tests."""
    return seeded(tmp_path_factory.mktemp("seeded"), executor)


@pytest.fixture(scope="session")
def unchanged(at_first: Seeded, tmp_path_factory: pytest.TempPathFactory, executor: Executor) -> Iterator[Service]:
    """A service for requests that leave nothing behind."""
    with at_first.service(tmp_path_factory.mktemp("unchanged"), executor) as service:
        yield service


@pytest.fixture
def fresh(at_first: Seeded, tmp_path: Path, executor: Executor) -> Iterator[Service]:
    """A service of this test's own."""
    with at_first.service(tmp_path, executor) as service:
        yield service
