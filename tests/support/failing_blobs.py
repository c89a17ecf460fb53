"""Blobs under a process that dies, or in front of a store that does not answer, at a chosen operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from palimpsest.domain.errors import BlobsUnavailable
from palimpsest.ports.blobs import PAGE_LIMIT, BlobPage, Blobs
from tests.support.crashing_table import Crashed

T = TypeVar("T")


class FailingBlobs:
    """Hands everything on, until the operation that `crash_at` names, and unless `is_away`.

    Attributes:
        calls: The names of the operations that were asked for.
    """

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._left: int | None = None
        self._is_after = False
        self.is_away = False
        self.calls: list[str] = []

    def crash_at(self, operation: int, *, is_after: bool) -> None:
        """Die at that operation from now, counted from 0; with `is_after` it is done, but nobody learns it."""
        self._left = operation
        self._is_after = is_after

    def live_on(self) -> None:
        """No crash any more: the next process has started."""
        self._left = None

    def put(self, key: str, content: bytes | Iterable[bytes]) -> None:
        self._pass("put", lambda: self._blobs.put(key, content))

    def read(self, key: str, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        return self._pass("read", lambda: self._blobs.read(key, start=start, end=end))

    def size(self, key: str) -> int | None:
        return self._pass("size", lambda: self._blobs.size(key))

    def delete(self, key: str) -> None:
        self._pass("delete", lambda: self._blobs.delete(key))

    def list(self, prefix: str, *, after: str = "", limit: int = PAGE_LIMIT) -> BlobPage:
        return self._pass("list", lambda: self._blobs.list(prefix, after=after, limit=limit))

    def _pass(self, name: str, operation: Callable[[], T]) -> T:
        self.calls.append(name)
        if self.is_away:
            raise BlobsUnavailable("the disk is not there")
        if self._left == 0 and not self._is_after:
            raise Crashed
        result = operation()
        if self._left == 0:
            raise Crashed
        if self._left is not None:
            self._left -= 1
        return result
