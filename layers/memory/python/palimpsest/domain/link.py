"""A link: where a document is fetched from, and when next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain.ids import KeyId

FETCHED_AGAIN: Final = timedelta(days=1)
"""How long after one look at a watched link the next one is."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a document.

    Attributes:
        url: What is asked for; it may hold what nobody is to see.
        shown: The same as people are told.
        is_watched: It is looked at again every day.
        wanted_at: When it is to be looked at next; None: never.
        etag, last_modified: By what its server knows again what it gave last.
        failure: The word that says why the last look brought nothing; empty when it did.
    """

    url: str
    shown: str
    is_watched: bool
    wanted_at: datetime | None
    wanted_by: KeyId
    etag: str = ""
    last_modified: str = ""
    failure: str = ""
    fetched_at: datetime | None = None

    def is_like(self, other: Link) -> bool:
        """It leads to the same, and is watched alike."""
        return (self.url, self.is_watched) == (other.url, other.is_watched)

    def looked_at(self, at: datetime) -> Link:
        """It gave what it gave before."""
        return replace(self, wanted_at=self._next(at), failure="", fetched_at=at)

    def gave(self, etag: str, last_modified: str, at: datetime) -> Link:
        """It gave something, by which its server knows it again."""
        return replace(self.looked_at(at), etag=etag, last_modified=last_modified)

    def failed(self, failure: str, at: datetime) -> Link:
        """It gave nothing."""
        return replace(self, wanted_at=self._next(at), failure=failure)

    def _next(self, at: datetime) -> datetime | None:
        return at + FETCHED_AGAIN if self.is_watched else None
