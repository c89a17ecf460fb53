"""Arrays that grow at the end while others read what was there before."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)

_SPARE = 1.25


class Growing(Generic[T]):
    """Rows of one type. What `view` gave never changes: rows are only added behind it, or elsewhere when room is out.

    Args:
        kind: The rows' type.
        width: Numbers in a row; None for plain numbers.
        room: Rows that are expected.
    """

    def __init__(self, kind: type[T], width: int | None = None, room: int = 0) -> None:
        self._rows: npt.NDArray[T] = np.empty((room,) if width is None else (room, width), kind)
        self._used = 0

    @property
    def nbytes(self) -> int:
        """Memory, with what is kept for more."""
        return self._rows.nbytes

    def add(self, rows: npt.NDArray[Any]) -> None:
        """Put rows at the end, cast to the type."""
        end = self._used + len(rows)
        if end > len(self._rows):
            more = np.empty((max(end, int(end * _SPARE)), *self._rows.shape[1:]), self._rows.dtype)
            more[: self._used] = self._rows[: self._used]
            self._rows = more
        self._rows[self._used : end] = rows
        self._used = end

    def view(self) -> npt.NDArray[T]:
        """All rows so far."""
        return self._rows[: self._used]
