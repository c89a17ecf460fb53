"""A gateway event, read once: everything that the edge wants to know of a request."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol
from urllib.parse import parse_qsl

from palimpsest.api.failures import Fault, InvalidRequest, TooLarge, Unreadable
from palimpsest.domain.idempotency import Idempotency

BODY_LIMIT_BYTES = 4 * 1024 * 1024
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_VERSION_PREFIX = "/v1"


class LambdaContext(Protocol):
    """The one thing that the edge asks of Lambda's context."""

    @property
    def aws_request_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request.

    Attributes:
        path: Without the stage and without ``/v1``.
        headers: Names in lower case.
        raw_body: As the event holds it; `body_text` reads it.
    """

    request_id: str
    method: str
    path: str
    raw_query: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    raw_body: str
    is_base64: bool

    @property
    def is_head(self) -> bool:
        """Only the status and the headers of a GET are asked for."""
        return self.method == "HEAD"

    @property
    def routed_method(self) -> str:
        """The method whose route answers: that of GET answers HEAD, too."""
        return "GET" if self.is_head else self.method

    @property
    def repeated(self) -> frozenset[str]:
        """The names that the query string has more than once; the gateway joins their values by commas."""
        counts = Counter(name for name, _ in parse_qsl(self.raw_query, keep_blank_values=True))
        return frozenset(name for name, count in counts.items() if count > 1)

    @classmethod
    def of(cls, event: Mapping[str, Any], context: LambdaContext | None) -> Incoming:
        """The request in an API Gateway event of version 2.0."""
        about: Mapping[str, Any] = event.get("requestContext") or {}
        http: Mapping[str, Any] = about.get("http") or {}
        headers: Mapping[str, str] = event.get("headers") or {}
        return cls(
            request_id=str(about.get("requestId") or getattr(context, "aws_request_id", "unknown")),
            method=str(http.get("method", "GET")).upper(),
            path=_without_prefixes(str(event.get("rawPath") or http.get("path") or "/"), about.get("stage")),
            raw_query=event.get("rawQueryString") or "",
            query=event.get("queryStringParameters") or {},
            headers={name.lower(): value for name, value in headers.items()},
            raw_body=event.get("body") or "",
            is_base64=bool(event.get("isBase64Encoded")),
        )

    def body_text(self) -> str:
        """The body; empty when there is none.

        Raises:
            TooLarge: More than `BODY_LIMIT_BYTES`.
            Unreadable: Not UTF-8, or base64 that is none.
        """
        if not self.is_base64:
            if (
                len(self.raw_body) > BODY_LIMIT_BYTES
                or len(self.raw_body.encode("utf-8", "replace")) > BODY_LIMIT_BYTES
            ):
                raise TooLarge(BODY_LIMIT_BYTES)
            return self.raw_body
        if len(self.raw_body) // 4 * 3 > BODY_LIMIT_BYTES + 2:
            raise TooLarge(BODY_LIMIT_BYTES)
        try:
            data = base64.b64decode(self.raw_body, validate=True)
            text = data.decode("utf-8")
        except (binascii.Error, ValueError) as error:
            raise Unreadable("the body is not UTF-8; send JSON in UTF-8") from error
        if len(data) > BODY_LIMIT_BYTES:
            raise TooLarge(BODY_LIMIT_BYTES)
        return text

    def idempotency(self, body: str) -> Idempotency | None:
        """The mark of a retry, when the caller sent an Idempotency-Key.

        The same request again is the same method, the same path without ``/v1``, and the same JSON value: white space
        and the order of names may differ.

        Raises:
            InvalidRequest: The header is not 1 to 255 visible ASCII characters.
        """
        key = self.headers.get("idempotency-key")
        if key is None:
            return None
        if not _IDEMPOTENCY_KEY.fullmatch(key):
            message = "an Idempotency-Key is 1 to 255 visible ASCII characters"
            raise InvalidRequest([Fault(("header", "idempotency-key"), "invalid", message)])
        value = json.dumps(parse_json(body) if body else {}, sort_keys=True, separators=(",", ":"))
        return Idempotency(key, f"{self.method} {self.path}\n{value}".encode())


def parse_json(text: str) -> dict[str, Any]:
    """The JSON object that a body has to be.

    Raises:
        Unreadable: Not JSON, too deep, with a number past a double or 4,300 digits, or with a name given twice.
        InvalidRequest: JSON, but no object.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_float=_float, parse_constant=_no_constant)
    except RecursionError as error:
        raise Unreadable("the body is nested too deep") from error
    except ValueError as error:
        raise Unreadable("the body is not JSON; check the quotes, the commas and the numbers") from error
    if not isinstance(value, dict):
        raise InvalidRequest([Fault(("body",), "object_type", "must be a JSON object")])
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("an object in the body has the same name twice; send each name once")
    return value


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise Unreadable("a number in the body is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is not JSON; send a number or null")


def _without_prefixes(path: str, stage: str | None) -> str:
    for prefix in (f"/{stage}" if stage and stage != "$default" else "", _VERSION_PREFIX):
        if prefix and (path == prefix or path.startswith(f"{prefix}/")):
            path = path[len(prefix) :] or "/"
    return path
