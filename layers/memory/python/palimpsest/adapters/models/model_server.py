"""The way to one server of language models over HTTP: one request, within its time, errors in the domain's words."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final, TypeAlias

import urllib3

from palimpsest.adapters.models.model_answers import refused
from palimpsest.domain.errors import ModelAnswerUnusable, ModelFailure, ModelUnavailable, SecretUnavailable

Key: TypeAlias = Callable[[], str | None]
"""The key as it is now; SecretUnavailable when it can't be had."""

_CONNECTIONS: Final = 8
_MOST_BYTES: Final = 2_000_000
_CHUNK: Final = 65_536
_CONNECT_SECONDS: Final = 2.0
_SPENT: Final = ("insufficient_quota", "billing_hard_limit_reached", "enforced_spend_limit_reached")


class ModelServer:
    """Sends requests over a pool of connections, each once.

    Args:
        url: The whole address.
        headers: Of each request, given the key.
        setting: Which one gives the address, for people.

    Raises:
        ValueError: The address is none of ``http`` or ``https``.
    """

    def __init__(
        self,
        url: str,
        key: Key,
        headers: Callable[[str], Mapping[str, str]],
        *,
        setting: str = "PALIMPSEST_MODEL_URL",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        address = urllib3.util.parse_url(url)
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError(f"{setting} has to begin with http:// or https://")
        self._url = url
        self._who = f"the model server {address.host}"
        self._key = key
        self._headers = headers
        self._monotonic = monotonic
        self._pool = urllib3.PoolManager(maxsize=_CONNECTIONS, retries=False)

    def post(self, document: Mapping[str, object], within: timedelta) -> Mapping[str, object]:
        """The object that the server answers.

        Raises:
            ModelUnavailable: It answers none.
            ModelAnswerUnusable: It answers something else.
        """
        headers = {"Content-Type": "application/json", **self._headers(self._current_key())}
        status, answered, body = self._send(json.dumps(document).encode(), headers, within)
        if status != 200:
            raise refused(self._who, status, answered, is_spent=any(word.encode() in body for word in _SPENT))
        if len(body) > _MOST_BYTES:
            raise ModelAnswerUnusable(f"the answer of {self._who} is far too long")
        try:
            told = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ModelAnswerUnusable(f"the answer of {self._who} is not JSON") from error
        if not isinstance(told, dict):
            raise ModelAnswerUnusable(f"the answer of {self._who} is not a JSON object")
        return told

    def close(self) -> None:
        """Give the connections back."""
        self._pool.clear()

    def _send(self, body: bytes, headers: Mapping[str, str], within: timedelta) -> tuple[int, Mapping[str, str], bytes]:
        seconds = max(within.total_seconds(), 0.001)
        until = self._monotonic() + seconds
        timeout = urllib3.Timeout(connect=min(_CONNECT_SECONDS, seconds), total=seconds)
        try:
            with self._pool.request(
                "POST",
                self._url,
                body=body,
                headers=headers,
                redirect=False,
                preload_content=False,
                timeout=timeout,
            ) as response:
                answered = {name.lower(): value for name, value in response.headers.items()}
                return response.status, answered, self._read(response, until)
        except urllib3.exceptions.HTTPError as error:
            raise self._not_answered(error) from error

    def _read(self, response: urllib3.BaseHTTPResponse, until: float) -> bytes:
        """All of it. A server that sends a little again and again is stopped, too."""
        parts, size = [], 0
        while part := response.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                break
            if self._monotonic() > until:
                raise self._late()
        return b"".join(parts)

    def _current_key(self) -> str:
        try:
            key = self._key() or ""
        except SecretUnavailable as error:
            raise ModelUnavailable(ModelFailure.REFUSED, f"the model's key: {error}", may_cost=False) from error
        if key and not re.fullmatch(r"[!-~]+", key):
            message = "the model's key may hold printable ASCII characters only, and no space"
            raise ModelUnavailable(ModelFailure.REFUSED, message, may_cost=False)
        return key

    def _not_answered(self, error: urllib3.exceptions.HTTPError) -> ModelUnavailable:
        never_sent = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
        if isinstance(error, never_sent):
            message = f"there is no connection to {self._who}"
            return ModelUnavailable(ModelFailure.FAILED, message, may_cost=False)
        if isinstance(error, urllib3.exceptions.TimeoutError):
            return self._late()
        return ModelUnavailable(ModelFailure.FAILED, f"the connection to {self._who} broke", may_cost=True)

    def _late(self) -> ModelUnavailable:
        return ModelUnavailable(ModelFailure.LATE, f"{self._who} gave no answer in time", may_cost=True)
