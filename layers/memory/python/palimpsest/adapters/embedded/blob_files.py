"""Blobs of one machine: a file each, under a folder that belongs to its owner alone."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from palimpsest.domain.errors import BlobMissing, BlobsUnavailable
from palimpsest.ports.blobs import PAGE_LIMIT, BlobPage, checked_key, checked_prefix

_CHUNK: Final = 256 * 1024
_UNFINISHED: Final = ".new"
_RANDOM: Final = 8
_ANY: Final = "[0-9a-f]" * 2 * _RANDOM


class BlobFiles:
    """The `Blobs` port over the files of a folder, which is made at the first `put`.

    What a `put` writes goes to a file whose name begins with a dot, which no key does; it gets its own name when it is
    whole and on the disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, content: bytes | Iterable[bytes]) -> None:
        path = self._path(key)
        with _told(self._folder):
            _make(path.parent)
        unfinished = path.with_name(f".{path.name}.{secrets.token_hex(_RANDOM)}{_UNFINISHED}")
        try:
            self._write(unfinished, content)
            with _told(self._folder):
                unfinished.replace(path)
                _settle(path.parent)
        except BaseException:  # also when the process is told to stop: half a file would stay
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise

    def read(self, key: str, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        path = self._path(key)
        with _told(self._folder, key):
            file = path.open("rb")
        return self._chunks(file, start, end)

    def size(self, key: str) -> int | None:
        with suppress(BlobMissing), _told(self._folder, key):
            return self._path(key).stat().st_size
        return None

    def delete(self, key: str) -> None:
        path = self._path(key)
        with suppress(BlobMissing), _told(self._folder, key):
            path.unlink(missing_ok=True)
            for left in path.parent.glob(f".{path.name}.{_ANY}{_UNFINISHED}"):
                left.unlink(missing_ok=True)
            _settle(path.parent)

    def list(self, prefix: str, *, after: str = "", limit: int = PAGE_LIMIT) -> BlobPage:
        wanted = min(limit, PAGE_LIMIT)
        with _told(self._folder):
            found = list(islice(_keys(self._folder, "", checked_prefix(prefix), after), wanted + 1))
        return BlobPage(tuple(found[:wanted]), found[wanted - 1] if len(found) > wanted else None)

    def _path(self, key: str) -> Path:
        return self._folder.joinpath(*checked_key(key).split("/"))

    def _write(self, path: Path, content: bytes | Iterable[bytes]) -> None:
        """Only what the disk says is told as ours; what a stream raises is its own."""
        with _told(self._folder):
            out = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        with out:
            for chunk in (content,) if isinstance(content, bytes) else content:
                with _told(self._folder):
                    out.write(chunk)
            with _told(self._folder):
                out.flush()
                _sync(out.fileno())

    def _chunks(self, file: BinaryIO, start: int, end: int | None) -> Iterator[bytes]:
        with file, _told(self._folder):
            file.seek(start)
            left = None if end is None else max(0, end - start)
            while left is None or left > 0:
                chunk = file.read(_CHUNK if left is None else min(_CHUNK, left))
                if not chunk:
                    return
                left = None if left is None else left - len(chunk)
                yield chunk


def _keys(folder: Path, above: str, prefix: str, after: str) -> Iterator[str]:
    """The keys under a folder in their order; a folder sorts by its name with the slash that all its keys have."""
    try:
        entries = sorted((f"{e.name}/" if e.is_dir() else e.name) for e in os.scandir(folder) if e.name[0] != ".")
    except FileNotFoundError:
        return
    for name in entries:
        key = above + name
        if key.endswith("/"):
            may_hold = key.startswith(prefix) or prefix.startswith(key)
            if may_hold and (key > after or after.startswith(key)):
                yield from _keys(folder / name, key, prefix, after)
        elif key.startswith(prefix) and key > after:
            yield key


def _make(folder: Path) -> None:
    """A new folder outlives a loss of power only when the one above it is on the disk, too."""
    if folder.is_dir():
        return
    _make(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    _settle(folder.parent)


def _settle(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(descriptor: int) -> None:
    """Onto the disk itself; macOS's fsync alone leaves the data in the drive's cache."""
    fully: int | None = getattr(fcntl, "F_FULLFSYNC", None)
    if fully is None:
        os.fsync(descriptor)
    else:
        fcntl.fcntl(descriptor, fully)


@contextmanager
def _told(folder: Path, key: str | None = None) -> Iterator[None]:
    """What the disk says in the port's words; `key`: what is missing is its blob."""
    try:
        yield
    except OSError as error:
        if key is not None and isinstance(error, FileNotFoundError):
            raise BlobMissing(f"there is no blob {key}") from error
        raise BlobsUnavailable(f"the folder {folder} can't be used ({error.strerror})") from error
