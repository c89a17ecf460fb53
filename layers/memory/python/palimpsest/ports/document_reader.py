"""Reads documents of one format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Protocol

from palimpsest.domain.library.blocks import Reading

Endings = Mapping[str, str]
"""A media type for each ending of a path, in small letters and without its point."""


class DocumentReader(Protocol):
    """A reader of one format. It asks no network, follows no link, runs nothing that a file brings."""

    @property
    def endings(self) -> Endings:
        """What it reads."""
        ...

    def read(self, file: IO[bytes]) -> Reading:
        """The document in a file that can be sought and stays open until the last block is read.

        Each time the same blocks; of what a document may unfold to there is a bound.

        Raises:
            Unreadable: It can't be read; this may show only when the blocks are asked for.
        """
        ...
