"""A proxy before a search engine: the way there and back is as bad as the test says.

It delays, drips, drops, cuts and garbles what comes back, answers in the engine's place, and lets shards fail.
"""

from __future__ import annotations

import http.client
import http.server
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlsplit

Answer: TypeAlias = tuple[int, bytes]
Change: TypeAlias = Callable[[Answer], Answer]

_DRIP_SECONDS = 0.15


@dataclass
class BadWay:
    """What the test turns; a fair way at first. It holds for searches alone when `only_searches`.

    Attributes:
        delay_seconds: Before each answer begins.
        is_silent: Nothing comes back, ever.
        drips: The body comes one byte at a time.
        drops: So many connections from now on are reset before anything comes back.
        cut_at: Bytes of the body after which the connection ends.
        change: What becomes of an answer on the way.
        asked: How many requests came.
    """

    server: str
    url: str = ""
    delay_seconds: float = 0.0
    is_silent: bool = False
    drips: bool = False
    drops: int = 0
    cut_at: int | None = None
    change: Change = lambda answer: answer
    asked: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def forward(self, method: str, path: str, body: bytes | None) -> Answer:
        """What the engine answers."""
        address = urlsplit(self.server)
        connection = http.client.HTTPConnection(str(address.hostname), address.port or 80, timeout=30)
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def says(status: int, document: object) -> Change:
    """Whatever the engine said, this comes back: an object, or bytes as they are."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return lambda _: (status, body)


def of_each_search(change: Callable[[dict[str, Any]], object]) -> Change:
    """`change` is made of the answer to each search."""

    def changed(answer: Answer) -> Answer:
        status, body = answer
        document = json.loads(body)
        for each in document.get("responses", [document]):
            change(each)
        return status, json.dumps(document).encode()

    return changed


def half_of_the_shards_fail(answer: dict[str, Any]) -> None:
    """Every other hit lay on one that failed."""
    failure = {"shard": 1, "reason": {"type": "node_disconnected_exception"}}
    answer["_shards"] = {"total": 2, "successful": 1, "failed": 1, "failures": [failure]}
    answer["hits"]["hits"] = answer["hits"]["hits"][::2]


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def answer(self) -> None:
        way = self.server.way
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        way.asked += 1
        if way.drops:
            way.drops -= 1
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._end()
            return
        if way.is_silent or way.delay_seconds:
            way.ended.wait(None if way.is_silent else way.delay_seconds)
        if way.is_silent:
            self._end()
            return
        status, answered = way.change(way.forward(self.command, self.path, body or None))
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answered)))
        self.end_headers()
        if self.command != "HEAD":
            self._send(way, answered)

    def _send(self, way: BadWay, body: bytes) -> None:
        if way.drips:
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if way.ended.wait(_DRIP_SECONDS):
                    return
        elif way.cut_at is not None:
            self.wfile.write(body[: way.cut_at])
            self._end()
        else:
            self.wfile.write(body)

    def _end(self) -> None:
        self.close_connection = True
        self.connection.close()

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer  # noqa: N815 - the server's names

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError, ValueError):  # whoever asked has left
            super().handle()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, way: BadWay) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.way = way
        way.url = f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def way_to(server: str) -> Iterator[BadWay]:
    """A way to the server at that address, for the time of a `with`."""
    way = BadWay(server)
    with _Server(way) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield way
        way.ended.set()
        listening.shutdown()
        thread.join()
