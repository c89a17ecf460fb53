"""Pages fetched by HTTP/1.1: each address is looked at after its name is resolved, and after each redirect."""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPResponse
from typing import Final

from palimpsest import __version__
from palimpsest.adapters.web.connection import asked
from palimpsest.adapters.web.names import Resolve, resolved
from palimpsest.domain.errors import Invalid, Unreadable
from palimpsest.domain.library import web_address
from palimpsest.domain.library.inside import IpAddress, is_inside
from palimpsest.domain.library.web_address import WebAddress
from palimpsest.ports.fetcher import LIMIT_BYTES, Fetched, Validators, WantedType

_REDIRECTS: Final = 5
_REDIRECTED: Final = frozenset((301, 302, 303, 307, 308))
_CHUNK: Final = 64 * 1024
_VALIDATOR_CHARACTERS: Final = 512
_HEADERS: Final = {
    "User-Agent": f"palimpsest/{__version__}",
    "Accept": "text/html, text/markdown, text/plain, */*;q=0.5",
    "Accept-Encoding": "gzip",
    "Connection": "close",
}


@dataclass(frozen=True, slots=True)
class HttpFetcher:
    """Fetches.

    Attributes:
        is_inside: Which addresses are never asked.
        seconds: For everything: names, redirects and the body.
        check_seconds: For a name within a request.
    """

    is_inside: Callable[[IpAddress], bool] = is_inside
    resolve: Resolve = resolved
    limit_bytes: int = LIMIT_BYTES
    seconds: float = 20.0
    check_seconds: float = 1.0
    monotonic: Callable[[], float] = time.monotonic
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context

    def check(self, address: WebAddress) -> None:
        if any(map(self.is_inside, self._addresses(address, self.check_seconds))):
            raise web_address.inside()

    def fetch(self, address: WebAddress, known: Validators, wanted: WantedType) -> Fetched | None:
        until = self.monotonic() + self.seconds
        for _ in range(_REDIRECTS + 1):
            ip = self._outside(address, until - self.monotonic())
            headers = {**_HEADERS, **_conditions(known)}
            with asked(address, ip, headers, until - self.monotonic(), self.context) as answer:
                if answer.status not in _REDIRECTED:
                    return self._read(answer, address, wanted)
                address = _redirected(answer, address)
        raise Unreadable("too_many_redirects")

    def _outside(self, address: WebAddress, seconds: float) -> IpAddress:
        """The address to be asked; Unreadable when there is none, or one of them lies inside."""
        found = self._addresses(address, max(seconds, 0.0))
        if any(map(self.is_inside, found)):
            raise Unreadable("inside")
        if not found:
            raise Unreadable("unreachable")
        return found[0]

    def _addresses(self, address: WebAddress, seconds: float) -> list[IpAddress]:
        literal = address.literal
        found = self.resolve(address.host, seconds) if literal is None else [literal]
        return sorted(found, key=lambda each: each.version)  # a way by version 4 is the more common one

    def _read(self, answer: HTTPResponse, address: WebAddress, wanted: WantedType) -> Fetched | None:
        if answer.status == 304:
            return None
        if answer.status != 200:
            raise _refused(answer.status)
        said, charset = _media_type(answer.headers)
        media_type = wanted(address.path, said)
        if media_type is None:
            raise Unreadable("unknown_format")
        validators = Validators(_header(answer, "ETag"), _header(answer, "Last-Modified"))
        return Fetched(b"".join(self._unpacked(answer)), media_type, charset, validators)

    def _unpacked(self, answer: HTTPResponse) -> Iterator[bytes]:
        """The body, not packed; Unreadable when either form of it is over the limit."""
        if int(answer.headers.get("Content-Length") or 0) > self.limit_bytes:
            raise Unreadable("too_large")
        unpack, received, given = _unpacker(answer.headers.get("Content-Encoding")), 0, 0
        while packed := answer.read1(_CHUNK):
            received += len(packed)
            piece = unpack(packed, self.limit_bytes - given + 1)
            given += len(piece)
            if max(received, given) > self.limit_bytes:
                raise Unreadable("too_large")
            yield piece
        if answer.length:
            raise Unreadable("unreachable")  # the connection ended before the body


def _unpacker(encoding: str | None) -> Callable[[bytes, int], bytes]:
    """Gives at most so many bytes of what is packed; what is packed behind them is lost."""
    named = (encoding or "identity").strip().lower()
    if named == "identity":
        return lambda packed, _: packed
    if named not in ("gzip", "x-gzip"):
        raise Unreadable("unknown_format")
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)

    def unpacked(packed: bytes, most: int) -> bytes:
        try:
            return unpack.decompress(packed, max(most, 1))
        except zlib.error as error:
            raise Unreadable("damaged") from error

    return unpacked


def _redirected(answer: HTTPResponse, address: WebAddress) -> WebAddress:
    try:
        return web_address.read(answer.headers.get("Location") or "", base=address)
    except Invalid as error:
        raise Unreadable("bad_redirect") from error


def _conditions(known: Validators) -> dict[str, str]:
    named = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in named.items() if value}


def _header(answer: HTTPResponse, name: str) -> str:
    """A validator as it may be sent back; empty when it is none."""
    value = answer.headers.get(name) or ""
    return value if len(value) <= _VALIDATOR_CHARACTERS and value.isascii() and value.isprintable() else ""


def _media_type(headers: Message) -> tuple[str | None, str | None]:
    said = headers.get("Content-Type")
    return (None, None) if said is None else (headers.get_content_type(), headers.get_content_charset())


def _refused(status: int) -> Unreadable:
    if status in (404, 410):
        return Unreadable("not_found")
    return Unreadable("server_failed") if status >= 500 else Unreadable("server_refused")
