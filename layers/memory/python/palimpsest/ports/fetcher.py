"""Fetches pages of the web, and nothing that lies inside a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from palimpsest.domain.errors import Invalid, Unreadable
from palimpsest.domain.library.web_address import WebAddress

LIMIT_BYTES: Final = 10 * 1024 * 1024
"""Of a page, also unpacked."""

WantedType: TypeAlias = Callable[[str, str | None], str | None]
"""The media type by a path and by what the server says; None when nobody reads it."""


@dataclass(frozen=True, slots=True)
class Validators:
    """By what a server knows again what it gave last; empty where it said nothing."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server gave. `charset`: as it says; None when it says none."""

    content: bytes
    media_type: str
    charset: str | None
    validators: Validators


class Fetcher(Protocol):
    """Follows at most five redirects. It waits and reads no longer than 20 s, and no more than 10 MiB."""

    def check(self, address: WebAddress) -> None:
        """Raise Invalid when it lies inside, as far as can be told in a second; asks a name server alone."""
        ...

    def fetch(self, address: WebAddress, known: Validators, wanted: WantedType) -> Fetched | None:
        """What lies there; None when it is what was given before.

        Raises:
            Unreadable: It can't be had, with the word that says why.
        """
        ...


class FetchesNothing:
    """Where nobody asks the web."""

    def check(self, address: WebAddress) -> None:
        raise Invalid("url", "nobody here fetches links; send the text of the page itself")

    def fetch(self, address: WebAddress, known: Validators, wanted: WantedType) -> Fetched | None:
        raise Unreadable("unreachable")
