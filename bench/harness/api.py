"""Calls of the HTTP API, each with the time that it took."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

Json: TypeAlias = dict[str, Any]


class Refused(Exception):
    """The server answered with a problem."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    Attributes:
        seconds: From sending the request until the last byte of the answer was there.
    """

    status: int
    raw: bytes
    seconds: float

    @property
    def document(self) -> Json:
        """The JSON in it, read anew each time, so that reading it is no part of `seconds`."""
        document: Json = json.loads(self.raw)
        return document


class Api:
    """The API over one connection that is kept. For one thread."""

    def __init__(self, url: str, key: str | None, *, timeout_seconds: float = 120.0) -> None:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=timeout_seconds)
        self._prefix = parts.path.rstrip("/")
        self._headers = {"authorization": f"Bearer {key}"} if key else {}

    def get(self, path: str) -> Answer:
        """The answer to a GET; Refused for a problem, OSError when nobody answers."""
        return self._call("GET", path, None, self._headers)

    def post(self, path: str, body: Json) -> Answer:
        """The answer to a POST; Refused for a problem, OSError when nobody answers."""
        return self._call("POST", path, json.dumps(body).encode(), self._headers | {"content-type": "application/json"})

    def patch(self, path: str, body: Json) -> Answer:
        """The answer to a PATCH; Refused for a problem, OSError when nobody answers."""
        headers = self._headers | {"content-type": "application/json"}
        return self._call("PATCH", path, json.dumps(body).encode(), headers)

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _call(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        if self._connection.sock is None:
            self._connection.connect()
        began = time.perf_counter()
        self._connection.request(method, self._prefix + path, data, headers)
        with self._connection.getresponse() as response:
            raw = response.read()
        answer = Answer(response.status, raw, time.perf_counter() - began)
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status} {raw[:300].decode(errors='replace')}")
        return answer
