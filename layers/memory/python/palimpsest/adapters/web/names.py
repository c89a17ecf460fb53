"""The addresses of a host, asked of the machine's resolver within a time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TypeAlias

from palimpsest.domain.library.inside import IpAddress

Resolve: TypeAlias = Callable[[str, float], Sequence[IpAddress]]
"""The addresses of a name, asked for so many seconds at most; none when it has none or nobody answers in time."""


def resolved(host: str, seconds: float) -> Sequence[IpAddress]:
    """As the machine's own resolver says; it can't be told to stop, so a late one is left alone."""
    found: list[IpAddress] = []
    asking = threading.Thread(target=lambda: found.extend(_asked(host)), name="resolve", daemon=True)
    asking.start()
    asking.join(seconds)
    return () if asking.is_alive() else found


def _asked(host: str) -> Sequence[IpAddress]:
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return [ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]
