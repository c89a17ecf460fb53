"""Which files of those that were named are sent, under which paths, and why others are not."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from palimpsest.local.cli.ignoring import Ignored

REQUEST_BYTES: Final = 3_000_000
"""As base64 that is what a request holds; what is larger is uploaded."""

LIMIT_BYTES: Final = 100_000_000

_SAYS_ITS_CHARSET: Final = frozenset((".csv", ".docx", ".eml", ".htm", ".html", ".pdf", ".tsv", ".xhtml"))
"""Formats that need not be UTF-8."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A file to be sent. `path`: what identifies it in its space; `size`: in bytes."""

    path: str
    file: Path
    size: int

    @property
    def is_large(self) -> bool:
        """No request holds it."""
        return self.size > REQUEST_BYTES


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not sent. `is_refused`: it was named, or the server would not have it."""

    path: str
    reason: str
    is_refused: bool = False


def chosen(given: Path, here: Path, named: str | None = None) -> Iterator[Chosen | LeftOut]:
    """The files that `given` means, in order; `named` takes the place of its own path."""
    if not given.exists():
        yield LeftOut(given.as_posix(), "there is no such file", is_refused=True)
        return
    place = named or _place(given, here)
    if not given.is_dir():
        yield _file(given, place, is_named=True)
        return
    inside = given.resolve()
    for each, is_ignored in _walk(given, Ignored.around(given)):
        path = "/".join(part for part in (place.rstrip("/"), each.relative_to(given).as_posix()) if part != ".")
        if each.name.startswith("."):
            yield LeftOut(path, "hidden")
        elif is_ignored:
            yield LeftOut(path, "in .gitignore")
        elif each.is_dir() and each.is_symlink():
            yield LeftOut(path, "a link to a folder")
        elif not each.resolve().is_relative_to(inside):
            yield LeftOut(path, "a link out of the folder")
        else:
            yield _file(each, path, is_named=each == given)


def _place(given: Path, here: Path) -> str:
    """Relative to where the command runs; of what lies elsewhere its name alone, which tells nothing of the machine."""
    whole = given.resolve() if given.is_dir() else given.parent.resolve() / given.name
    root = here.resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else whole.name


def _walk(folder: Path, above: Ignored) -> Iterator[tuple[Path, bool]]:
    """Files, and folders that are not entered: hidden ones, links, unreadable ones, those git ignores (then True)."""
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        yield folder, False
        return
    ignored = above.below(folder)
    for each in inside:
        is_folder = each.is_dir() and not each.is_symlink()
        is_ignored = ignored.has(each, is_folder=is_folder)
        if is_folder and not is_ignored and not each.name.startswith("."):
            yield from _walk(each, ignored)
        else:
            yield each, is_ignored


def _file(file: Path, path: str, *, is_named: bool) -> Chosen | LeftOut:
    try:
        if not file.is_file():
            return LeftOut(path, "it can't be read" if file.is_dir() else "no file", is_named)
        size = file.stat().st_size
        if size > LIMIT_BYTES:
            return LeftOut(path, f"over {LIMIT_BYTES // 1_000_000} MB", is_named)
        with file.open("rb") as opened:
            first = opened.read(REQUEST_BYTES)
    except OSError as error:
        return LeftOut(path, error.strerror or "it can't be read", is_named)
    if not first.strip():
        return LeftOut(path, "empty", is_named)
    if Path(path).suffix.lower() not in _SAYS_ITS_CHARSET and not _is_text(first, is_whole=size <= REQUEST_BYTES):
        return LeftOut(path, "no text in UTF-8", is_named)
    return Chosen(path, file, size)


def _is_text(content: bytes, *, is_whole: bool) -> bool:
    """As far as one can see; a part may end within a character."""
    try:
        return "\0" not in getincrementaldecoder("utf-8")().decode(content, final=is_whole)
    except UnicodeDecodeError:
        return False
