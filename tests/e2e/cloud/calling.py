"""The API as any program calls it: the status, the headers and the body of each answer."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

Found = TypeVar("Found")
_SECONDS = 60.0
_spaces = itertools.count()


@dataclass(frozen=True)
class Answer:
    """One answer; names of headers are small."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw) if self.raw else None

    def expect(self, *statuses: int) -> Any:
        """The body, when the status is one of these."""
        assert self.status in statuses, f"status {self.status}, wanted {statuses}: {self.raw[:400]!r}"
        return self.body

    def problem(self, status: int) -> Any:
        """The problem document of a refusal."""
        body = self.expect(status)
        assert self.headers["content-type"].startswith("application/problem+json")
        assert {"type", "title", "status", "detail", "request_id"} <= body.keys()
        assert body["status"] == status
        return body


@dataclass(frozen=True)
class Caller:
    """Somebody with a key, or without."""

    url: str
    key: str | None

    def call(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, once: str | None = None
    ) -> Answer:
        """One request on a connection of its own. `once`: the idempotency key."""
        parts = urlsplit(self.url)
        sent = {"idempotency-key": once} if once else {}
        if self.key is not None:
            sent["authorization"] = f"Bearer {self.key}"
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_SECONDS)
        try:
            connection.request(method, parts.path + path, data, sent)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Answer:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None, *, once: str | None = None) -> Answer:
        return self.call("POST", path, {} if body is None else body, once=once)

    def save(self, content: str, space: str, **fields: Any) -> Any:
        """The answer to a save that has to succeed."""
        return self.post("/memory/save", {"content": content, "space": space, **fields}).expect(200, 201)

    def texts(self, query: str, space: str, **fields: Any) -> list[str]:
        """What a recall finds, best first."""
        answer = self.post("/memory/recall", {"query": query, "space": space, **fields}).expect(200)
        return [result["memory"]["content"] for result in answer["results"]]

    def history(self, root: str) -> Any:
        return self.get(f"/memory/{root}/history").expect(200)["versions"]


def fresh_space(name: str) -> str:
    """A space that no other test uses."""
    return f"{name}-{next(_spaces)}-{time.time_ns() % 10**9}"


def root_of(saved: Any) -> str:
    root: str = saved["memory"]["root_id"]
    return root


def eventually(probe: Callable[[], Found], what: str, seconds: float = 60.0) -> Found:
    """What the probe finds, as soon as it finds something."""
    until = time.monotonic() + seconds
    while not (found := probe()):
        assert time.monotonic() < until, f"{what} did not come true in {seconds:.0f} s"
        time.sleep(0.2)
    return found
