"""What holds for every test: hypothesis runs the same examples in CI, and nothing but loopback is reached."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "default"))

_LOOPBACK = ("127.", "::1", "localhost")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--opensearch", metavar="URL", help="a real OpenSearch server, whose tests are skipped without it")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--opensearch"):  # each step of an example is some requests
        settings.register_profile("server", settings.get_profile(settings.get_current_profile_name()), max_examples=4)
        settings.load_profile("server")


_TOGETHER = (
    "tests/contract/embedder/",
    "tests/contract/table/",
    "tests/e2e/cloud/",
    "tests/e2e/test_wheel.py",
    "tests/functions/test_cloud.py",
    "tests/infra/",
)
"""What one worker runs, one test after the other: they share a deployment, or something else that takes long to make.

xdist 3.8 has a mark for that, which has no effect with pytest 9.2: it is written to an attribute that nobody reads.
"""


class _Together(LoadScopeScheduling):  # type: ignore[misc]
    """Each test for itself, but for those that belong together."""

    def _split_scope(self, nodeid: str) -> str:
        return next((each for each in _TOGETHER if nodeid.startswith(each)), nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return _Together(config, log)


@pytest.fixture(autouse=True, scope="session")
def only_loopback() -> Iterator[None]:
    """Refuse every connection that would leave this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_LOOPBACK):
            raise PermissionError(f"tests reach nothing but loopback, not {address[0]}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        for name in [name for name in os.environ if name.startswith(("PALIMPSEST_", "AWS_"))]:
            patch.delenv(name)
        yield
