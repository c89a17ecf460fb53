"""Name and password for an OpenSearch server, kept in AWS Secrets Manager and read when the first request is sent."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable
from threading import Lock
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.aws.opensearch_errors import unavailable
from palimpsest.adapters.aws.secrets import Get

_KEPT_SECONDS: Final = 300.0
_ATTEMPTS: Final = 2


class SecretLogin:
    """Adds basic authentication to each request. A password that is replaced is sent within five minutes.

    Args:
        name: Name or ARN of a secret whose text is an object with `username` and `password`.
        get: Gets the secret's value; made at the first use from the environment when None.
        monotonic: Seconds.
    """

    def __init__(self, name: str, get: Get | None = None, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._get = get
        self._monotonic = monotonic
        self._lock = Lock()
        self._header: str | None = None
        self._read_at = 0.0

    def __call__(self, method: str, url: str, body: object) -> dict[str, str]:
        """The header of a request. Raises IndexUnavailable ``index_refused`` when the secret can't be had."""
        with self._lock:
            now = self._monotonic()
            if self._header is None or now - self._read_at >= _KEPT_SECONDS:
                self._header, self._read_at = self._read(), now
            return {"authorization": self._header}

    def _read(self) -> str:
        try:
            value = self._getter()(SecretId=self._name).get("SecretString")
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            raise unavailable("index_refused", f"Secrets Manager does not give its login: {code}") from error
        except BotoCoreError as error:
            raise unavailable("index_refused", "Secrets Manager can't be reached for its login") from error
        return _basic(value)

    def _getter(self) -> Get:
        if self._get is None:
            get: Get = client("secretsmanager", attempts=_ATTEMPTS).get_secret_value
            self._get = get
        return self._get


def _basic(text: object) -> str:
    try:
        told = json.loads(str(text))
        user, password = str(told["username"]), str(told["password"])
    except (ValueError, KeyError, TypeError):
        # Without the cause: its words would be those of the secret.
        raise unavailable("index_refused", "its secret is no object with username and password") from None
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode("ascii")
