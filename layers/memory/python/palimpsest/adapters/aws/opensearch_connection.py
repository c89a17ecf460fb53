"""A connection whose time holds for an answer as a whole, however slowly it comes.

The time-out of a socket counts from one piece to the next, so that an answer of which a byte comes now and then would
keep its thread for minutes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opensearchpy.connection.http_urllib3 import Urllib3HttpConnection
from urllib3 import BaseHTTPResponse, HTTPConnectionPool
from urllib3.exceptions import ReadTimeoutError

_READ_AT_ONCE = 65_536


class TimedConnection(Urllib3HttpConnection):
    """The client's own connection over a pool that reads in time."""

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        self.pool = TimedPool(self.pool)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    data: bytes


class TimedPool:
    """As much of a pool as the client uses."""

    def __init__(self, pool: HTTPConnectionPool) -> None:
        self._pool = pool

    def urlopen(self, method: str, url: str, body: Any, *, timeout: float, **more: Any) -> _Answer:  # noqa: ANN401 - the client's
        """The answer, whole; ReadTimeoutError when it is not there in time."""
        ends = time.monotonic() + timeout
        response = self._pool.urlopen(method, url, body, timeout=timeout, preload_content=False, **more)
        try:
            data = self._read(response, url, ends)
        except BaseException:
            response.close()  # what is left of the answer must not meet the next request
            raise
        response.release_conn()
        return _Answer(response.status, response.headers, data)

    def close(self) -> None:
        """End its connections."""
        self._pool.close()

    def _read(self, response: BaseHTTPResponse, url: str, ends: float) -> bytes:
        parts = []
        while part := response.read1(_READ_AT_ONCE):
            parts.append(part)
            if time.monotonic() > ends:
                raise ReadTimeoutError(self._pool, url, "the answer took too long")
        return b"".join(parts)
