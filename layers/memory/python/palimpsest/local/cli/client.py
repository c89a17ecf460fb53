"""Calls of the HTTP API over one connection that is kept."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, TypeAlias
from urllib.parse import quote, urlencode, urlsplit

from palimpsest.local.cli import naming
from palimpsest.local.exits import Exit, Refusal

Json: TypeAlias = dict[str, Any]
"""An answer of the API."""

Query: TypeAlias = Mapping[str, str | int | bool | Sequence[str] | None]
"""Parameters of a query string; a sequence is repeated, None and empty ones are left out."""

_CODES = {
    401: Exit.UNAUTHORISED,
    403: Exit.UNAUTHORISED,
    404: Exit.NOT_FOUND,
    409: Exit.CONFLICT,
    429: Exit.BUSY,
    502: Exit.BUSY,
    503: Exit.BUSY,
    504: Exit.BUSY,
}


class Problem(Refusal):
    """The API refused; the message is its detail and, for a body that is not valid, what is wrong where."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        refused = Exit.REFUSED if 400 <= status < 500 else Exit.UNEXPECTED
        super().__init__(_CODES.get(status, refused), _told(status, document))
        self.status = status


class ApiClient:
    """The API at a URL. Not for several threads at once.

    Args:
        key: Sent as the bearer token; None sends none.
        timeout_seconds: For connecting, and for each answer.
    """

    def __init__(self, url: str, key: str | None, timeout_seconds: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Refusal(Exit.USAGE, f"{url!r} is no URL of a server; write http://host:port")
        self.url = url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._timeout_seconds = timeout_seconds
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, _port(parts.netloc, url), timeout=timeout_seconds)
        self._headers = {"accept": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})

    def get(self, path: str, query: Query | None = None) -> Json:
        """The answer to a GET."""
        return self._call("GET", path + query_string(query or {}), None, {})

    def post(self, path: str, body: Json, *, idempotency_key: str | None = None) -> Json:
        """The answer to a POST."""
        return self._call("POST", path, body, {"idempotency-key": idempotency_key} if idempotency_key else {})

    def patch(self, path: str, body: Json) -> Json:
        """The answer to a PATCH."""
        return self._call("PATCH", path, body, {})

    def delete(self, path: str) -> Json:
        """The answer to a DELETE."""
        return self._call("DELETE", path, None, {})

    def upload(self, url: str, headers: Mapping[str, str], content: BinaryIO) -> None:
        """Send a file by PUT to an address that needs no key: a path of this server, or one of another."""
        parts = urlsplit(url if "//" in url else self.url + url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self._timeout_seconds)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may have answered before it hung up
                connection.request("PUT", f"{parts.path}?{parts.query}", content, dict(headers))
            with connection.getresponse() as response:
                status, raw = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Refusal(Exit.UNREACHABLE, f"{parts.hostname} did not take the file ({_reason(error)})") from error
        finally:
            connection.close()
        if status >= 300:
            raise Problem(status, _parsed(raw) or {"title": f"{parts.hostname} did not take the file"})

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._connection.close()

    def _call(self, method: str, path: str, body: Json | None, headers: Mapping[str, str]) -> Json:
        data = None if body is None else json.dumps(body).encode("ascii")
        sent = {**self._headers, **headers} | ({"content-type": "application/json"} if data is not None else {})
        try:
            status, raw = self._exchange(method, self._prefix + path, data, sent)
        except TimeoutError:
            raise self._unreachable(f"did not answer within {self._timeout_seconds:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(f"can't be reached ({_reason(error)}); 'palimpsest serve' starts one") from error
        document = _parsed(raw)
        if document is None or (status >= 300 and "title" not in document and "message" not in document):
            raise Refusal(Exit.UNEXPECTED, f"what answers at {self.url} is no palimpsest server (status {status})")
        if status == 401 and "authorization" not in self._headers:
            raise Refusal(Exit.UNAUTHORISED, f"the server at {self.url} wants a key: set PALIMPSEST_KEY")
        if status == 401:
            why = "it is mistyped, revoked or past its end; give another one with PALIMPSEST_KEY"
            raise Refusal(Exit.UNAUTHORISED, f"the server at {self.url} does not take this key: {why}")
        if status >= 300:
            raise Problem(status, document)
        return document

    def _exchange(self, method: str, target: str, data: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        if self._connection.sock is None:
            self._connection.connect()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may have answered before it hung up
            self._connection.request(method, target, data, dict(headers))
        with self._connection.getresponse() as response:
            return response.status, response.read()

    def _unreachable(self, why: str) -> Refusal:
        self._connection.close()
        return Refusal(Exit.UNREACHABLE, f"the server at {self.url} {why}")


def query_string(query: Query) -> str:
    """``?a=1&b=2``, or nothing."""
    given = [(name, value) for name, value in query.items() if value is not None and value != () and value != []]
    return f"?{urlencode([(name, _written(value)) for name, value in given], doseq=True)}" if given else ""


def part(text: str) -> str:
    """Text as one part of a path."""
    return quote(text, safe="@", errors="replace")


def _written(value: str | int | bool | Sequence[str] | None) -> str | Sequence[str]:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) or value is None else value


def _port(netloc: str, url: str) -> int | None:
    try:
        return urlsplit(f"//{netloc}").port
    except ValueError:
        raise Refusal(Exit.USAGE, f"{url!r} has no valid port") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _parsed(raw: bytes) -> Json | None:
    try:
        document = json.loads(raw) if raw else {}
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _told(status: int, document: Mapping[str, Any]) -> str:
    first, *others = naming.lines(document)
    if status >= 500 and document.get("request_id"):
        others.append(f"request {document['request_id']}")
    return "\n".join([first, *(f"  {other}" for other in others)])
