"""The socket that a server listens on, and who can reach it."""

from __future__ import annotations

import errno
import ipaddress
import socket
from dataclasses import dataclass

from palimpsest.local.exits import Exit, Refusal

_ADVICE = {
    errno.EADDRINUSE: "something else listens there; stop it, or set PALIMPSEST_PORT",
    errno.EACCES: "this needs rights that you do not have; set PALIMPSEST_PORT to 1024 or more",
    errno.EADDRNOTAVAIL: "this machine has no such address; set PALIMPSEST_HOST",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. `is_private`: no other machine can reach it."""

    family: socket.AddressFamily
    host: str
    port: int
    is_private: bool

    def url(self, port: int) -> str:
        """How this machine reaches it at the port that it got."""
        host = self.host
        if ipaddress.ip_address(host.partition("%")[0]).is_unspecified:
            host = "::1" if self.family == socket.AF_INET6 else "127.0.0.1"
        return f"http://[{host}]:{port}" if self.family == socket.AF_INET6 else f"http://{host}:{port}"


def resolve(host: str, port: int) -> Address:
    """The address of a name or number.

    Raises:
        Refusal: There is none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise Refusal(Exit.PORT, f"PALIMPSEST_HOST: there is no address of the name {host!r}") from None
    hosts = [str(address[0]) for _, _, _, _, address in found]
    is_private = all(ipaddress.ip_address(each.partition("%")[0]).is_loopback for each in hosts)
    return Address(found[0][0], hosts[0], port, is_private)


def bind(address: Address) -> socket.socket:
    """A socket that is bound and does not listen yet.

    Raises:
        Refusal: The port is taken or not allowed.
    """
    # asyncio sets TCP_NODELAY only where the protocol is named; without it an answer waits 40 ms for the client's ACK
    bound = socket.socket(address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address.host, address.port))
    except OSError as error:
        bound.close()
        raise refusal(address, error) from error
    return bound


def refusal(address: Address, error: OSError) -> Refusal:
    """Why the address can't be used."""
    advice = _ADVICE.get(error.errno or 0, "set PALIMPSEST_HOST and PALIMPSEST_PORT")
    reason = error.strerror or type(error).__name__
    return Refusal(Exit.PORT, f"can't listen at {address.host} port {address.port} ({reason.lower()}): {advice}")
