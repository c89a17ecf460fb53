"""Which addresses lie inside a network, so that nothing is fetched from there for somebody outside of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network
from typing import Final, TypeAlias

IpAddress: TypeAlias = IPv4Address | IPv6Address

_NAMES: Final = ("localhost", "local", "localdomain", "internal", "home.arpa", "onion")
"""Names that mean something inside alone, and what ends with them."""
_IN_THE_LAST_BITS: Final = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))
"""NAT64 (RFC 6052, 8215) and compatible addresses (RFC 4291): the last 32 bits are an address of version 4."""
_NUMBER: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_DIGITS: Final = re.compile(r"0[0-7]*|[1-9][0-9]*|0x[0-9a-f]*", re.IGNORECASE)


def is_inside(address: IpAddress) -> bool:
    """It is private, loopback, link-local, multicast, unspecified or reserved, or wraps an address that is."""
    return not address.is_global or address.is_multicast or any(map(is_inside, _wrapped(address)))


def is_inside_name(host: str) -> bool:
    """The name means a machine inside, whatever it may resolve to."""
    return any(host == name or host.endswith(f".{name}") for name in _NAMES)


def legacy_address(host: str) -> IPv4Address | None:
    """The address that a host of numbers means, in any of the forms that resolvers take; None for a name.

    Raises:
        ValueError: It ends with a number and means no address.
    """
    parts = host.split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return None
    if len(parts) > 4 or not all(map(_DIGITS.fullmatch, parts)):
        raise ValueError("no address")
    *first, last = map(_number, parts)
    if any(number > 255 for number in first):
        raise ValueError("no address")
    high = int.from_bytes(bytes(first), "big") << 8 * (4 - len(first))
    if last >= 256 ** (4 - len(first)):
        raise ValueError("no address")
    return IPv4Address(high + last)


def _number(digits: str) -> int:
    if digits[:2].lower() == "0x":
        return int(digits[2:] or "0", 16)
    return int(digits, 8 if digits[0] == "0" else 10)


def _wrapped(address: IpAddress) -> Iterator[IPv4Address]:
    """Addresses of version 4 that one of version 6 leads to."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if any(isinstance(network, IPv6Network) and address in network for network in _IN_THE_LAST_BITS):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
