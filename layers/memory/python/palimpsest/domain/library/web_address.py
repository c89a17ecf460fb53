"""Addresses of the web: taken apart strictly, spelled in one way, and the identity of the page behind one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from typing import Final
from unicodedata import normalize
from urllib.parse import quote, urljoin, urlsplit

from palimpsest.domain.errors import Invalid
from palimpsest.domain.library.inside import IpAddress, is_inside_name, legacy_address

LONGEST: Final = 2_048
_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\]")
_KEPT: Final = "%/:?#[]@!$&'()*+,;=~-._|"
_TRACKING: Final = frozenset(
    [
        "fbclid",
        "gclid",
        "gbraid",
        "wbraid",
        "msclkid",
        "mc_cid",
        "mc_eid",
        "igshid",
        "ref",
        "ref_src",
        "s_kwcid",
        "_hsenc",
        "_hsmi",
    ]
)
_TRACKING_PREFIX: Final = "utm_"


@dataclass(frozen=True, slots=True)
class WebAddress:
    """Where something is fetched from.

    Attributes:
        host: In small ASCII letters; an address of version 6 without its brackets.
        target: Path and query, as they are asked for.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def literal(self) -> IpAddress | None:
        """The address where the host is one."""
        return IPv6Address(self.host) if ":" in self.host else legacy_address(self.host)

    @property
    def authority(self) -> str:
        """The host, with its port where that is not its scheme's."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def path(self) -> str:
        """Without its query."""
        return self.target.partition("?")[0]

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def identity(self) -> str:
        """The same for all addresses of a page that differ in what only tracks readers."""
        path, _, query = self.target.partition("?")
        kept = "&".join(each for each in query.split("&") if not _is_tracking(each))
        return replace(self, target=f"{path}?{kept}" if kept else path).url


def read(url: str, base: WebAddress | None = None) -> WebAddress:
    """The address in a text; `base`: where a relative one is found.

    Raises:
        Invalid: It is none of the web, names a user, or its host is a name that means something inside alone.
    """
    if len(url) > LONGEST or _FORBIDDEN.search(url.strip()):
        raise _refused(f"is no address of the web of at most {LONGEST:,} characters; give it as a browser shows it")
    try:
        parts = urlsplit(urljoin(base.url, url.strip()) if base else url.strip())
        port = parts.port
    except ValueError:
        raise _refused("is no address of the web; give it as a browser shows it") from None
    if parts.scheme not in _PORTS:
        raise _refused("has to begin with https:// or http://")
    if "@" in parts.netloc:
        raise _refused("names a user; take the name and the password out")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return WebAddress(parts.scheme, _host(parts.hostname or ""), port or _PORTS[parts.scheme], quote(target, _KEPT))


def inside() -> Invalid:
    """Why what lies inside a network is not fetched."""
    return _refused("leads to an address inside a network; send the text of the page itself")


def _host(written: str) -> str:
    if ":" in written:
        try:
            return str(IPv6Address(written.partition("%")[0]))
        except ValueError:
            raise _refused("has no host") from None
    try:
        host = normalize("NFKC", written).encode("idna").decode("ascii").lower().rstrip(".")
        literal = legacy_address(host)
    except (UnicodeError, ValueError):
        raise _refused("has no host") from None
    if literal is not None:
        return str(literal)
    if not _HOST.fullmatch(host) or len(host) > 253:
        raise _refused("has no host")
    if is_inside_name(host):
        raise inside()
    return host


def _is_tracking(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return not name or name in _TRACKING or name.startswith(_TRACKING_PREFIX)


def _refused(message: str) -> Invalid:
    return Invalid("url", message)
