"""The stacks, synthesized once for all workers of a run."""

from __future__ import annotations

import fcntl
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.cdk import ROOT, environment
from infra.layers import host_target, memory_layer, vendor_layer
from tests.infra.templates import Deployment, Template


@pytest.fixture(scope="session")
def synthesized(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder with one folder for each set of choices."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "synthesized"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "seconds").exists():
            (folder / "seconds").write_text(str(_synthesize(folder)), "ascii")
    return folder


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Callable[[str], Path]:
    """The folder to import from of a layer for this machine, unpacked once for all workers of a run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "unpacked"
    folder.mkdir(exist_ok=True)

    def place(layer: str) -> Path:
        packed = memory_layer(host_target()) if layer == "memory" else vendor_layer(layer, host_target())
        with (folder / f"{layer}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / f"{layer}.done").exists():
                with zipfile.ZipFile(packed) as archive:
                    archive.extractall(folder / layer)
                (folder / f"{layer}.done").touch()
        return folder / layer / "python"

    return place


def _synthesize(folder: Path) -> float:
    """The processor time that it took: other tests run beside it."""
    command = [sys.executable, str(ROOT / "tests" / "infra" / "synth.py"), str(folder)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr[-4_000:]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.fixture(scope="session")
def serverless(synthesized: Path) -> Deployment:
    """As `make deploy` makes it when nothing is chosen."""
    return Deployment(synthesized / "serverless")


@pytest.fixture(scope="session")
def external(synthesized: Path) -> Deployment:
    return Deployment(synthesized / "external")


@pytest.fixture(scope="session")
def emulator(synthesized: Path) -> Deployment:
    return Deployment(synthesized / "emulator")


@pytest.fixture(scope="session")
def everything(synthesized: Path) -> Deployment:
    """With every option that adds something."""
    return Deployment(synthesized / "everything")


@pytest.fixture(scope="session")
def service(serverless: Deployment) -> Template:
    return serverless["service"]


@pytest.fixture(scope="session")
def state(serverless: Deployment) -> Template:
    return serverless["state"]
