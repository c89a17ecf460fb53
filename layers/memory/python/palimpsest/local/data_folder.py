"""The folder of one machine: made private, proved writable, and held by one server at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from palimpsest.domain import key_text
from palimpsest.domain.ids import KeyId, ulid
from palimpsest.local.exits import Exit, Refusal

_FULL = (errno.ENOSPC, errno.EDQUOT)
_LOCK_FILE = "server.lock"
_FOLDERS = ("index", "ledger", "models")


@contextmanager
def held(folder: Path) -> Iterator[bool]:
    """Make the folder if need be and keep it for this process; the system lets go of it however the process ends.

    Gives whether the server before this one ended in order: one that was killed, or lost its power, leaves its number.

    Raises:
        Refusal: It can't be made or written, or another server holds it.
    """
    with _refusing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        ended_in_order = _take(lock, folder)
        _close_to_others(folder)
        yield ended_in_order
        os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def make_key(path: Path, *, epoch_milliseconds: int) -> str:
    """A new owner key, kept in a file that only its owner may read.

    Raises:
        Refusal: It can't be written.
    """
    key = key_text.compose(KeyId(ulid(epoch_milliseconds, secrets.token_bytes(10))), secrets.token_bytes(32))
    unfinished = path.with_suffix(".new")
    with _refusing(path.parent):
        unfinished.unlink(missing_ok=True)
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="ascii") as out:
            out.write(f"{key}\n")
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(path)
        _settle(path.parent)
    return key


def _take(lock: int, folder: Path) -> bool:
    """Whether nobody had left a number there."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        who = f"another server (process {holder})" if holder else "another server"
        advice = "stop it, or give this one a folder of its own with PALIMPSEST_DATA_DIR"
        raise Refusal(Exit.SECOND_SERVER, f"{who} uses the data folder {folder}; {advice}") from None
    with _refusing(folder):
        was_empty = os.fstat(lock).st_size == 0
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode("ascii"), 0)
        os.fsync(lock)  # before anything is written that a loss of power could take
        _settle(folder)
    return was_empty


def _close_to_others(folder: Path) -> None:
    """What releases before made readable for everybody; the folder itself is as its owner wants it."""
    for own in (folder / name for name in _FOLDERS):
        for path in () if own.is_symlink() else (own, *own.rglob("*")):
            with suppress(OSError):  # it is not there, or belongs to another account
                mode = path.lstat().st_mode
                if mode & 0o077 and not stat.S_ISLNK(mode):
                    path.chmod(0o700 if stat.S_ISDIR(mode) else 0o600)


def _settle(folder: Path) -> None:
    """A renamed file outlives a loss of power only when its folder is on the disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _refusing(folder: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise Refusal(Exit.DATA_FOLDER, f"the data folder {folder} is a file; set PALIMPSEST_DATA_DIR") from None
    except OSError as error:
        advice = "make room" if error.errno in _FULL else "make it writable, or set PALIMPSEST_DATA_DIR"
        raise Refusal(
            Exit.DATA_FOLDER, f"the data folder {folder} can't be used ({error.strerror}); {advice}"
        ) from error
