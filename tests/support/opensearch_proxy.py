"""A proxy before a real OpenSearch that is as narrow as a Serverless collection.

It takes the requests that a collection takes and refuses the others, shows writes only when its refresh time is over,
and can fall asleep. Time is the test's: `let_time_pass` ends the refresh time, `wake` the sleep.
"""

from __future__ import annotations

import http.client
import http.server
import json
import re
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import urlsplit


class Kind(Enum):
    """The two generations of the service."""

    CLASSIC = "classic"
    NEXTGEN = "nextgen"


_PATHS = (
    ("PUT", r"/[^/_][^/]*"),
    ("HEAD", r"/[^/_][^/]*"),
    ("DELETE", r"/[^/_][^/]*"),
    ("GET", r"/[^/_][^/]*/_mapping"),
    ("POST", r"/[^/_][^/]*/_(search|msearch|bulk)"),
)


@dataclass
class Collection:
    """The state of the proxy. `asked`: how many requests came while it slept."""

    kind: Kind
    server: str
    url: str = ""
    indexes: set[str] = field(default_factory=set)
    awake: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    asked: int = 0

    def let_time_pass(self) -> None:
        """The refresh time is over: what was written shows."""
        for index in sorted(self.indexes):
            self.forward("POST", f"/{index}/_refresh", None)

    def fall_asleep(self) -> None:
        """Take connections and answer nothing."""
        self.asked = 0
        self.awake.clear()

    def wake(self) -> None:
        self.awake.set()

    def is_left_asleep(self) -> bool:
        """Wait while the collection sleeps; True when the test ended before it woke."""
        if self.awake.is_set():
            return False
        self.asked += 1
        while not self.awake.wait(0.05):
            if self.ended.is_set():
                return True
        return False

    def forward(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """What the server answers."""
        address = urlsplit(self.server)
        connection = http.client.HTTPConnection(str(address.hostname), address.port or 80, timeout=30)
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """What the collection answers."""
        if not any(method == allowed and re.fullmatch(pattern, path) for allowed, pattern in _PATHS):
            return _refusal(404, "not_found")
        if path.endswith("/_bulk"):
            return self._bulk(path, body)
        if method == "PUT":
            return self._create(path, json.loads(body))
        status, answered = self.forward(method, path, body or None)
        if method == "DELETE" and status == 200:
            self.indexes.discard(path[1:])
        return status, answered

    def _create(self, path: str, body: Any) -> tuple[int, bytes]:
        if body.get("settings") != {"index": {"knn": True}}:
            return _refusal(400, "illegal_argument_exception")
        vector = body["mappings"]["properties"]["vector"]
        method = vector.get("method", {})
        if self.kind is Kind.NEXTGEN and ("engine" in method or "engine" in vector or "mode" in vector):
            return _refusal(400, "illegal_argument_exception")
        if self.kind is Kind.CLASSIC and method.get("engine", "faiss") != "faiss":
            return _refusal(400, "mapper_parsing_exception")
        # The server behind it has the one engine that needs no native library.
        vector["method"] = {"name": "hnsw", "space_type": vector.pop("space_type", "l2"), **method, "engine": "lucene"}
        body["settings"]["index"]["refresh_interval"] = "-1"
        status, answered = self.forward("PUT", path, json.dumps(body).encode())
        if status == 200:
            self.indexes.add(path[1:])
        return status, answered

    def _bulk(self, path: str, body: bytes) -> tuple[int, bytes]:
        """The actions that the collection takes are done; the others are refused one by one."""
        kept: list[bytes] = []
        refused: list[dict[str, Any] | None] = []
        lines = iter(body.splitlines())
        for line in lines:
            [(word, about)] = json.loads(line).items()
            document = next(lines) if word == "index" else None
            if reason := self._refuses(word, about):
                error = {"type": "illegal_argument_exception", "reason": reason}
                refused.append({word: {"_id": about.get("_id"), "status": 400, "error": error}})
            else:
                refused.append(None)
                kept += [line] if document is None else [line, document]
        if not kept:
            return 200, json.dumps({"errors": True, "items": refused}).encode()
        status, answered = self.forward("POST", path, b"\n".join(kept) + b"\n")
        if status != 200:
            return status, answered
        done = iter(json.loads(answered)["items"])
        return 200, json.dumps({"items": [each or next(done) for each in refused]}).encode()

    def _refuses(self, word: str, about: dict[str, Any]) -> str:
        if "version" in about:
            return "versions are not supported"
        if word == "index" and self.kind is Kind.CLASSIC and "_id" in about:
            return "Document ID is not supported in create/index operation request"
        return ""


def _refusal(status: int, kind: str) -> tuple[int, bytes]:
    return status, json.dumps({"status": status, "error": {"type": kind, "reason": "refused"}}).encode()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, state: Collection) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.state = state
        state.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def answer(self) -> None:
        state = self.server.state
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if state.is_left_asleep():
            return
        path, _, parameters = self.path.partition("?")
        status, answered = _refusal(400, "illegal") if parameters else state.answer(self.command, path, body)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answered)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answered)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer  # noqa: N815 - the server's names

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client left while the collection slept
            super().handle()


@contextmanager
def collection(kind: Kind, server: str) -> Iterator[Collection]:
    """A collection for the time of a `with`, over the server at that address."""
    state = Collection(kind, server)
    state.awake.set()
    with _Server(state) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        state.ended.set()
        listening.shutdown()
        thread.join()


def unused_prefix() -> str:
    """A name for indexes that no other test has."""
    return f"test{uuid.uuid4().hex[:12]}"
