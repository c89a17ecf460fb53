"""Pages on loopback, for what fetches: each path answers as a test says."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TypeAlias

from palimpsest.adapters.web.fetcher import HttpFetcher
from palimpsest.domain.library.inside import IpAddress, is_inside

LOOPBACK = ip_address("127.0.0.1")
HTML = {"Content-Type": "text/html"}
Answer: TypeAlias = "tuple[int, Mapping[str, str], bytes] | Callable[[http.server.BaseHTTPRequestHandler], None]"


@dataclass
class WebPages:
    """A site. `asked`: each path with the headers that came, in order."""

    port: int = 0
    pages: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def url(self, path: str, host: str = "site.test") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


def outside_of_loopback(address: IpAddress) -> bool:
    """What is inside where loopback is let in: the tests' own rule, which no setting gives."""
    return address != LOOPBACK and is_inside(address)


def fetcher(names: Mapping[str, str] | None = None, **more: object) -> HttpFetcher:
    """One that asks loopback, where every name of `names` is resolved as it says; `site.test` is loopback."""
    known = {"site.test": "127.0.0.1", **(names or {})}

    def resolve(host: str, seconds: float) -> list[IpAddress]:
        return [ip_address(each) for each in known.get(host, "").split()]

    return HttpFetcher(is_inside=outside_of_loopback, resolve=resolve, **more)  # type: ignore[arg-type]


@contextmanager
def web_pages() -> Iterator[WebPages]:
    """A site that answers 404 until it gets pages."""
    site = WebPages()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            answer = site.pages.get(self.path, (404, {}, b""))
            if callable(answer):
                with suppress(OSError):
                    answer(self)
                return
            status, headers, body = answer
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        site.port = server.server_address[1]
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serving.start()
        yield site
        server.shutdown()
        serving.join()
