"""Name and password for an OpenSearch server, kept in AWS Secrets Manager and read when the first request is sent."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable

from palimpsest.adapters.aws.opensearch_errors import unavailable
from palimpsest.adapters.aws.secrets import Get, KeptSecret
from palimpsest.domain.errors import SecretUnavailable


class SecretLogin:
    """Adds basic authentication to each request. A password that is replaced is sent within five minutes.

    Args:
        name: Name or ARN of a secret whose text is an object with `username` and `password`.
        get: Gets the secret's value; made at the first use from the environment when None.
        monotonic: Seconds.
    """

    def __init__(self, name: str, get: Get | None = None, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._secret = KeptSecret(name, get, meaning=_basic, monotonic=monotonic)

    def __call__(self, method: str, url: str, body: object) -> dict[str, str]:
        """The header of a request. Raises IndexUnavailable ``index_refused`` when the secret can't be had."""
        try:
            return {"authorization": self._secret()}
        except SecretUnavailable as error:
            raise unavailable("index_refused", f"its login: {error}") from error


def _basic(text: str) -> str:
    try:
        told = json.loads(text)
        user, password = str(told["username"]), str(told["password"])
    except (ValueError, KeyError, TypeError):
        # Without the cause: its words would be those of the secret.
        raise unavailable("index_refused", "its secret is no object with username and password") from None
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")
