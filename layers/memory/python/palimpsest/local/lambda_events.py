"""HTTP as Lambda sees it: requests become API Gateway v2 events, handlers' answers become HTTP again.

As an HTTP API with payload format 2.0 does it: header names in lower case and repeated ones joined by commas, cookies
apart, the path percent-decoded, the query both raw and decoded, bodies of other than text types in base64.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl

from palimpsest.local.manifest import Manifest

_TEXT_TYPES = ("text/", "application/json", "application/javascript", "application/xml")
_TEXT_SUFFIXES = ("+json", "+xml")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NO_ACCOUNT = "000000000000"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request that was read in full.

    Attributes:
        path: Percent-decoded.
        query: As it came, without the question mark.
        headers: As they came, names in lower case.
    """

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    client: str = "127.0.0.1"
    protocol: str = "HTTP/1.1"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An answer; header names in lower case, ``set-cookie`` possibly several times."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def has(self, name: str) -> bool:
        """There is such a header."""
        return any(key == name for key, _ in self.headers)


class MalformedAnswer(Exception):
    """A handler returned what the gateway can't make an HTTP answer of."""


@dataclass(frozen=True, slots=True)
class LambdaContext:
    """What a handler learns about its call; the names are Lambda's."""

    function_name: str
    memory_limit_in_mb: int
    aws_request_id: str
    remaining_seconds: Callable[[], float]
    function_version: str = "$LATEST"

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:local:{_NO_ACCOUNT}:function:{self.function_name}"

    @property
    def log_group_name(self) -> str:
        return f"/aws/lambda/{self.function_name}"

    @property
    def log_stream_name(self) -> str:
        return "local"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until whoever called gives up; never negative."""
        return max(0, int(self.remaining_seconds() * 1000))


def context_of(manifest: Manifest, request_id: str, monotonic: Callable[[], float]) -> LambdaContext:
    """The context of a call that begins now; `monotonic` gives seconds."""
    ends = monotonic() + manifest.timeout_seconds
    return LambdaContext(f"palimpsest-{manifest.name}", manifest.memory_mb, request_id, lambda: ends - monotonic())


def request_event(request: HttpRequest, *, request_id: str, at: datetime) -> dict[str, Any]:
    """The API Gateway v2 event of a request that came `at` this instant, in UTC."""
    headers = _joined((name, value) for name, value in request.headers if name != "cookie")
    text, is_base64 = _encoded(request.body, headers.get("content-type", ""))
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": request.path,
        "rawQueryString": request.query,
        "headers": headers,
        "requestContext": _request_context(request, headers, request_id, at),
        "isBase64Encoded": is_base64,
    }
    cookies = [c.strip() for name, value in request.headers if name == "cookie" for c in value.split(";") if c.strip()]
    query = _joined(parse_qsl(request.query, keep_blank_values=True))
    optional = {"cookies": cookies, "queryStringParameters": query, "body": text}
    return event | {name: value for name, value in optional.items() if value}


def http_response(answer: object) -> HttpResponse:
    """The HTTP answer that a handler's return value stands for; without ``statusCode`` it is the JSON body of a 200.

    Raises:
        MalformedAnswer: The gateway would answer 500.
    """
    if not isinstance(answer, Mapping) or "statusCode" not in answer:
        return HttpResponse(200, (("content-type", "application/json"),), _json(answer))
    status = answer["statusCode"]
    if not isinstance(status, int) or not 200 <= status <= 599:
        raise MalformedAnswer("statusCode is no HTTP status")
    headers = _answer_headers(answer)
    body = _decoded(answer.get("body"), bool(answer.get("isBase64Encoded")))
    if body and all(name != "content-type" for name, _ in headers):
        headers.append(("content-type", "text/plain;charset=utf-8"))
    return HttpResponse(status, tuple(headers), body)


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, value in pairs:
        values[name] = f"{values[name]},{value}" if name in values else value
    return values


def _encoded(body: bytes, content_type: str) -> tuple[str, bool]:
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type.startswith(_TEXT_TYPES) or media_type.endswith(_TEXT_SUFFIXES):
        try:
            return body.decode("utf-8"), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(body).decode("ascii"), bool(body)


def _request_context(request: HttpRequest, headers: Mapping[str, str], request_id: str, at: datetime) -> dict[str, Any]:
    host = headers.get("host", "localhost")
    return {
        "accountId": _NO_ACCOUNT,
        "apiId": "local",
        "domainName": host,
        "domainPrefix": host.partition(".")[0],
        "http": {
            "method": request.method,
            "path": request.path,
            "protocol": request.protocol,
            "sourceIp": request.client,
            "userAgent": headers.get("user-agent", ""),
        },
        "requestId": request_id,
        "routeKey": "$default",
        "stage": "$default",
        "time": f"{at:%d}/{_MONTHS[at.month - 1]}/{at:%Y:%H:%M:%S} +0000",
        "timeEpoch": int(at.timestamp() * 1000),
    }


def _answer_headers(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    headers = [(str(name).lower(), _plain(value)) for name, value in (answer.get("headers") or {}).items()]
    headers += [("set-cookie", str(cookie)) for cookie in answer.get("cookies") or ()]
    if any("\r" in part or "\n" in part for header in headers for part in header):
        raise MalformedAnswer("a header holds a line break")
    return headers


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _decoded(body: object, is_base64: bool) -> bytes:
    if body is None:
        return b""
    if not isinstance(body, str):
        raise MalformedAnswer("body is no text")
    try:
        return base64.b64decode(body, validate=True) if is_base64 else body.encode("utf-8")
    except ValueError as error:
        raise MalformedAnswer("body is no base64 or no text") from error


def _json(value: object) -> bytes:
    try:
        return json.dumps(value).encode("ascii")
    except (TypeError, ValueError) as error:
        raise MalformedAnswer("the answer is no JSON") from error
