"""Which pages of other origins may call, and what their browsers are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from palimpsest.api.incoming import Incoming

_HEADERS = "authorization, content-type, idempotency-key"
_EXPOSED = "x-request-id, retry-after, www-authenticate"
_MAX_AGE_SECONDS = 600


class Cors:
    """The origins that may call."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = frozenset(origins)

    def headers(self, request: Incoming) -> Mapping[str, str]:
        """What every answer to a page of an allowed origin carries; nothing for others."""
        origin = request.headers.get("origin")
        if origin is None or not self._origins:
            return {}
        if not self._allows(origin):
            return {"vary": "origin"}
        return {"access-control-allow-origin": origin, "access-control-expose-headers": _EXPOSED, "vary": "origin"}

    def preflight(self, request: Incoming, methods: Sequence[str]) -> dict[str, Any] | None:
        """The answer to a browser that asks before it calls; None for other requests and other origins."""
        origin = request.headers.get("origin")
        asks = request.method == "OPTIONS" and "access-control-request-method" in request.headers
        if not asks or origin is None or not self._allows(origin):
            return None
        headers = {
            "access-control-allow-methods": ", ".join(methods),
            "access-control-allow-headers": _HEADERS,
            "access-control-max-age": str(_MAX_AGE_SECONDS),
        }
        return {"statusCode": 204, "headers": headers, "body": "", "isBase64Encoded": False}

    def _allows(self, origin: str) -> bool:
        return "*" in self._origins or origin in self._origins
