"""Secrets in AWS Secrets Manager: the owner's key, and the key of a language model."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.domain.errors import SecretUnavailable

_SHORTEST: Final = 32
_ATTEMPTS: Final = 2
_KEPT_SECONDS: Final = 300.0

Get = Callable[..., Mapping[str, object]]
"""`get_secret_value` of a client of Secrets Manager."""


class SecretReader:
    """Reads one secret.

    Args:
        name: Name or ARN of the secret.
        get: Gets the secret's value; made at the first use from the environment when None.
    """

    def __init__(self, name: str, get: Get | None = None) -> None:
        self._name = name
        self._get = get

    def read(self) -> str:
        """The text of its current version, empty when it holds none. Raises SecretUnavailable, which says why."""
        if self._get is None:
            self._get = client("secretsmanager", attempts=_ATTEMPTS).get_secret_value
        try:
            value = self._get(SecretId=self._name).get("SecretString")
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            raise SecretUnavailable(f"Secrets Manager does not give it ({code})") from error
        except BotoCoreError as error:
            raise SecretUnavailable("Secrets Manager can't be reached") from error
        return value if isinstance(value, str) else ""


class KeptSecret:
    """What one secret says, read when it is first asked for; one that is replaced is known within five minutes.

    Args:
        name: Name or ARN of the secret.
        get: Gets the secret's value; made at the first use from the environment when None.
        meaning: What its text says; whatever this raises comes each time anew.
        monotonic: Seconds.
    """

    def __init__(
        self,
        name: str,
        get: Get | None = None,
        *,
        meaning: Callable[[str], str] = str.strip,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = SecretReader(name, get)
        self._meaning = meaning
        self._monotonic = monotonic
        self._lock = Lock()
        self._kept: str | None = None
        self._read_at = 0.0

    def __call__(self) -> str:
        """What it says now. Raises SecretUnavailable, which says why."""
        with self._lock:
            now = self._monotonic()
            if self._kept is None or now - self._read_at >= _KEPT_SECONDS:
                self._kept, self._read_at = self._meaning(self._reader.read()), now
            return self._kept


class SecretsManagerSecret:
    """The `Secret` port over one secret that holds an owner key as plain text.

    Args:
        name: Name or ARN of the secret.
        get: Gets the secret's value; made at the first use from the environment when None.
    """

    def __init__(self, name: str, get: Get | None = None) -> None:
        self._reader = SecretReader(name, get)

    def read(self) -> str:
        """The key in the secret's current version."""
        try:
            text = self._reader.read().strip()
        except SecretUnavailable as error:
            raise SecretUnavailable(_told(str(error))) from error
        if len(text) < _SHORTEST or not text.isascii():
            raise SecretUnavailable(_told(f"the secret holds no key of at least {_SHORTEST} ASCII characters"))
        return text


def _told(why: str) -> str:
    return f"the owner key that PALIMPSEST_KEY_SECRET names can't be read: {why}; other keys work"
