"""Secrets in AWS Secrets Manager; the owner's key is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.domain.errors import SecretUnavailable

_SHORTEST: Final = 32
_ATTEMPTS: Final = 2

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
