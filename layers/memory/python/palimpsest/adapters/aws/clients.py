"""Clients of AWS services other than the table: one attempt by default, short waits, nothing read at import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import boto3
from botocore.config import Config

CONNECT_SECONDS: Final = 1


def client(
    service: str, *, endpoint: str | None = None, read_seconds: float = 3.0, attempts: int = 1, connections: int = 8
) -> Any:  # noqa: ANN401 - boto3 makes its clients at run time, and there are stubs for the table's alone
    """A client in the region and with the credentials that the environment gives.

    Args:
        service: As boto3 calls it.
        endpoint: Another address than AWS's, for tests.
        read_seconds: How long to wait for an answer.
        attempts: How often a request is sent at most; only for what may be done twice.
        connections: How many requests may be under way at once.
    """
    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=read_seconds,
        retries={"total_max_attempts": attempts, "mode": "standard"},
        max_pool_connections=connections,
    )
    make: Callable[..., Any] = boto3.client  # its stubs know services by literal names only
    return make(service, endpoint_url=endpoint, config=config)
