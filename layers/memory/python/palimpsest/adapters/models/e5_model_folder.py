"""The folder that keeps the converted model: made once by a program of its own, whole or not at all."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

import palimpsest
from palimpsest.adapters.models.e5_weights import WEIGHTS_SHA256

_CONVERSION = 1  # raise it when `e5_conversion` writes other files
_MARKER = "made-from.json"
_CONVERTER = "palimpsest.adapters.models.e5_conversion"
_MAKING = "e5-making-"
_TIMEOUT_SECONDS = 120
_MARGIN_SECONDS = 60


class Marker(TypedDict):
    """What the model was made from; a folder that says anything else is not used."""

    weights_sha256: str
    ctranslate2: str
    conversion: int
    sizes: dict[str, int]


class ConversionFailed(Exception):
    """The model could not be made; the message says why."""


def prepared_folder(weights: Path, cache: Path, version: str) -> Path:
    """The folder in `cache` with the model for that version of CTranslate2, made now if it is not there.

    Any number of processes may ask at once: each makes its own, and the first to finish is used by all.

    Raises:
        ConversionFailed: The weights are not the known ones, or there is no room, right or memory to convert them.
    """
    folder = cache / f"e5-{WEIGHTS_SHA256[:12]}-ct2-{version}-{_CONVERSION}"
    if _is_whole(folder, version):
        return folder
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=_MAKING, dir=cache, ignore_cleanup_errors=True) as made:
            _convert(weights, Path(made))
            _mark(Path(made), version)
            _put(Path(made), folder, version)
        _sweep(cache, folder)
    except (OSError, subprocess.SubprocessError) as error:
        raise ConversionFailed(f"the model for CTranslate2 could not be made in {cache}: {_reason(error)}") from error
    return folder


def _convert(weights: Path, folder: Path) -> None:
    # From the folder that holds the package, so that the program finds it however this process did.
    subprocess.run(  # noqa: S603 - this Python and our own module
        [sys.executable, "-m", _CONVERTER, str(weights.resolve()), str(folder.resolve())],
        cwd=Path(palimpsest.__file__).parent.parent,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=_TIMEOUT_SECONDS,
    )


def _mark(folder: Path, version: str) -> None:
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    marker = Marker(weights_sha256=WEIGHTS_SHA256, ctranslate2=version, conversion=_CONVERSION, sizes=sizes)
    (folder / _MARKER).write_text(json.dumps(marker, indent=2), encoding="utf-8")
    for file in folder.iterdir():
        file.chmod(0o600)  # like everything in a data folder


def _put(made: Path, folder: Path, version: str) -> None:
    if folder.exists() and not _is_whole(folder, version):
        shutil.rmtree(folder)
    try:
        made.rename(folder)
    except OSError:
        if not _is_whole(folder, version):  # else another process was first
            raise


def _sweep(cache: Path, kept: Path) -> None:
    """Remove the models of other versions, 120 MB each, and what a killed process left behind."""
    for folder in cache.glob("e5-*"):
        if folder != kept and (not folder.name.startswith(_MAKING) or _is_left_behind(folder)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_left_behind(folder: Path) -> bool:
    with suppress(OSError):  # another process has just finished with it
        return folder.stat().st_mtime < time.time() - _TIMEOUT_SECONDS - _MARGIN_SECONDS
    return False


def _is_whole(folder: Path, version: str) -> bool:
    """True if the marker is there and each file has the size it had."""
    try:
        marker = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
        sizes = {name: (folder / name).stat().st_size for name in marker["sizes"]}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    expected = Marker(weights_sha256=WEIGHTS_SHA256, ctranslate2=version, conversion=_CONVERSION, sizes=sizes)
    return bool(marker == expected)


def _reason(error: Exception) -> str:
    """The last line that the program wrote, or what the system said."""
    said = getattr(error, "stderr", None)
    return said.strip().splitlines()[-1] if isinstance(said, str) and said.strip() else str(error)
