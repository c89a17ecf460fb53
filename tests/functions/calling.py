"""Calls of the api function as the gateway makes them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from palimpsest.api.app import LambdaHandler
from tests.functions.seeds import OWNER_KEY


@dataclass(frozen=True)
class Told:
    """An answer of the handler."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


def event(
    method: str,
    path: str,
    body: object = None,
    *,
    key: str | None = OWNER_KEY,
    headers: Mapping[str, str] | None = None,
    request_id: str = "request-1",
) -> dict[str, Any]:
    """An API Gateway event; `body` is sent as JSON, or as it is when it is text."""
    path, _, query = path.partition("?")
    values: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        values[name] = f"{values[name]},{value}" if name in values else value
    authorization = {"authorization": f"Bearer {key}"} if key else {}
    made: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "ANY /{proxy+}",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {**authorization, **(headers or {})},
        "requestContext": {
            "requestId": request_id,
            "stage": "$default",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
        },
        "isBase64Encoded": False,
    }
    if values:
        made["queryStringParameters"] = values
    if body is not None:
        made["body"] = body if isinstance(body, str) else json.dumps(body)
    return made


def call(handler: LambdaHandler, method: str, path: str, body: object = None, **more: Any) -> Told:
    """What the handler answers."""
    answer = handler(event(method, path, body, **more), None)
    text = base64.b64decode(answer["body"]).decode("utf-8", "replace") if answer["isBase64Encoded"] else answer["body"]
    return Told(answer["statusCode"], answer["headers"], text)
