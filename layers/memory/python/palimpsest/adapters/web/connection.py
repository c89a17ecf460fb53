"""One request over a connection to the very address that was looked at, stopped when its time is up."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Final

from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.inside import IpAddress
from palimpsest.domain.library.web_address import WebAddress

_CONNECT_SECONDS: Final = 5.0


class _To(HTTPConnection):
    """A connection to one address, whatever its host resolves to by now."""

    def __init__(self, address: WebAddress, ip: IpAddress, cut: _Cut, context: ssl.SSLContext | None) -> None:
        super().__init__(address.host, address.port)
        self._ip = str(ip)
        self._cut = cut
        self._context = context

    def connect(self) -> None:
        self.sock = socket.create_connection((self._ip, self.port), min(_CONNECT_SECONDS, self._cut.seconds))
        self.sock.settimeout(self._cut.seconds)
        self._cut.watch(self.sock)
        if self._context is not None:
            secured = self._context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock = secured
            self._cut.watch(self.sock)
            secured.do_handshake()


@dataclass
class _Cut:
    """Ends a connection when its time is up, also of a server that sends a byte now and then."""

    seconds: float
    is_over: bool = False
    sock: socket.socket | None = None

    def watch(self, sock: socket.socket) -> None:
        self.sock = sock

    def __call__(self) -> None:
        self.is_over = True
        if self.sock is not None:
            try:
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # of TLS too: the reader must not lose its state
            except OSError:
                return


@contextmanager
def asked(
    address: WebAddress,
    ip: IpAddress,
    headers: Mapping[str, str],
    seconds: float,
    context: Callable[[], ssl.SSLContext],
) -> Iterator[HTTPResponse]:
    """The answer, to be read within the same time.

    Raises:
        Unreadable: `too_slow` or `unreachable`, also while it is read.
    """
    if seconds <= 0:
        raise Unreadable("too_slow")
    cut = _Cut(seconds)
    connection = _To(address, ip, cut, context() if address.scheme == "https" else None)
    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        connection.request("GET", address.target, headers={"Host": address.authority, **headers})
        with connection.getresponse() as answer:
            yield answer
    except (OSError, HTTPException, ValueError) as error:
        if cut.is_over or isinstance(error, TimeoutError):
            raise Unreadable("too_slow") from error
        raise Unreadable("unreachable") from error
    finally:
        timer.cancel()
        connection.close()
    if cut.is_over:
        raise Unreadable("too_slow")  # what looks like the end of the body is where it was cut
