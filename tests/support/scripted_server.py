"""A server on loopback that answers what a test says, for clients of the HTTP API."""

from __future__ import annotations

import http.server
import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_SILENT = 0
_BROKEN = -1


@dataclass
class Asked:
    """One request that came."""

    method: str
    target: str
    headers: dict[str, str]
    body: Any


@dataclass
class ScriptedServer:
    """Answers each request with the next of its answers; the last one stays.

    Attributes:
        released: Ends the waiting of requests that get no answer.
    """

    url: str
    answers: list[tuple[int, Any]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def will_be_silent(self) -> None:
        """Take the request and answer nothing."""
        self.answers.append((_SILENT, None))

    def will_break(self) -> None:
        """Take the request and reset the connection."""
        self.answers.append((_BROKEN, None))

    def will_answer(self, document: Any, status: int = 200) -> None:
        self.answers.append((status, document))


def _body(raw: bytes) -> Any:
    """The object in a body; a list of them when each line is one; None without a body."""
    if raw.count(b"\n") > 1 and raw.endswith(b"}\n"):
        return [json.loads(line) for line in raw.splitlines()]
    return json.loads(raw) if raw else None


@contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """A server for the time of a `with`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            body = _body(raw)
            headers = {name.lower(): value for name, value in self.headers.items()}
            scripted.asked.append(Asked(self.command, self.path, headers, body))
            status, document = scripted.answers.pop(0) if len(scripted.answers) > 1 else scripted.answers[0]
            if status == _BROKEN:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if status == _SILENT:
                scripted.released.wait(30)
            if status <= 0:
                self.close_connection = True
                self.connection.close()
                return
            data = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_PATCH = do_HEAD = do_DELETE = answer  # noqa: N815 - the server's names

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        scripted = ScriptedServer(f"http://127.0.0.1:{listening.server_address[1]}")
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield scripted
        scripted.released.set()
        listening.shutdown()
        thread.join()
