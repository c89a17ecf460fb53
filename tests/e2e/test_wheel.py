"""What `pip install palimpsest` brings is enough to start a server, without a checkout."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from tests.architecture import tree
from tests.e2e.conftest import NO_MODEL


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--wheel-dir", folder, tree.ROOT], check=True, timeout=120)
    (built,) = folder.glob("palimpsest-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel; its dependencies are those of the running one."""
    home = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True, timeout=60)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(home / "bin/python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True, timeout=120)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / "bin"


def test_the_wheel_holds_the_package_and_the_functions_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    folders = {name.split("/")[0] for name in names}
    manifests = {name for name in names if name.endswith("function.toml")}

    assert folders == {"palimpsest", f"{wheel.name.split('-py3')[0]}.dist-info"}
    assert manifests == {f"palimpsest/functions/{path.parent.name}/function.toml" for path in _manifests()}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_command_explains_itself(installed: Path, tmp_path: Path) -> None:
    told = subprocess.run(
        [installed / "palimpsest", "--help"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert told.returncode == 0, told.stderr
    assert {"save", "recall", "serve"} <= set(told.stdout.replace(",", " ").split())


def test_the_installed_server_answers_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    where = "import palimpsest; print(palimpsest.__file__)"
    found = subprocess.run(
        [installed / "python", "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    settings = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PALIMPSEST_PORT": "0", **NO_MODEL}

    with _program([installed / "palimpsest", "serve"], settings, tmp_path) as server:
        health = json.load(urllib.request.urlopen(f"{_url(server)}/health", timeout=10))
        server.send_signal(signal.SIGTERM)
        rest, _ = server.communicate(timeout=30)

    assert Path(found.stdout.strip()).is_relative_to(installed.parent)
    assert set(health) == {"status", "version"}
    assert server.returncode == 0, rest


@contextmanager
def _program(command: list[str | Path], settings: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, env=settings, cwd=folder, text=True, stdout=PIPE, stderr=STDOUT) as process:
        patience = threading.Timer(60, process.kill)
        patience.start()
        try:
            yield process
        finally:
            patience.cancel()
            process.kill()


def _url(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    greeting = []
    for line in server.stdout:
        greeting.append(line)
        if line.startswith("try "):
            return next(line.split()[-1] for line in greeting if " is at http" in line)
    raise AssertionError(f"the server ended at once: {''.join(greeting)}")


def _manifests() -> list[Path]:
    return list((tree.ROOT / "functions").glob("*/function.toml"))
