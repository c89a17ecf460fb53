"""Addresses at which anybody may put the bytes of one upload, for a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from palimpsest.domain.upload import Upload


@dataclass(frozen=True, slots=True)
class UploadPlace:
    """Where the bytes go by PUT. `url`: may be a path of this server. `headers`: to be sent as they are."""

    url: str
    headers: Mapping[str, str]


class UploadPlaces(Protocol):
    """Gives addresses that hold for one upload until it expires; whoever puts other bytes there is refused."""

    def place(self, upload: Upload) -> UploadPlace:
        """Where its bytes go. BlobsUnavailable when nobody can say."""
        ...
