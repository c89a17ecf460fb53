"""The gateway of one machine: an ASGI application that answers HTTP with Lambda handlers."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from palimpsest.api import problem
from palimpsest.api.failures import NoSuchRoute, TooLarge, Unreadable
from palimpsest.api.incoming import BODY_LIMIT_BYTES
from palimpsest.domain.errors import PalimpsestError, TableThrottled
from palimpsest.local import lambda_events
from palimpsest.local.failures import described
from palimpsest.local.lambda_events import HttpRequest, HttpResponse
from palimpsest.local.manifest import LambdaHandler, Manifest
from palimpsest.local.uploading import Gone, UploadDoor

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

_READ_LIMIT_BYTES = BODY_LIMIT_BYTES + 64 * 1024
"""Up to here the handlers say themselves that it is too much, to callers with a key."""
_DRAIN_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES
"""A client that sends too much hears why only when it has sent it; past this the connection is cut instead."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HttpFunction:
    """A function behind the gateway."""

    manifest: Manifest
    handler: LambdaHandler


@dataclass(frozen=True, slots=True)
class Limits:
    """What the gateway does not wait for.

    Attributes:
        body_seconds: For a whole body.
        calls: Requests that are answered or waiting for a thread.
    """

    body_seconds: float = 60.0
    calls: int = 512


class _Gone(Exception):
    """The client went away."""


class Overloaded(TableThrottled):
    """More at once than there are threads for."""

    def __init__(self, message: str) -> None:
        super().__init__()
        self._message = message

    def __str__(self) -> str:
        return self._message


class Gateway:
    """Answers as API Gateway would; handlers run in `pool`, so the event loop never waits for one.

    Attributes:
        calls: Calls that a handler works on or that wait for a thread.

    Args:
        answering: Is entered for as long as a handler works on a call.
    """

    def __init__(
        self,
        functions: Sequence[HttpFunction],
        pool: Executor,
        *,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
        limits: Limits = Limits(),
        uploads: UploadDoor | None = None,
        answering: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._functions = functions
        self._pool = pool
        self._now = now
        self._monotonic = monotonic
        self._limits = limits
        self._uploads = uploads
        self._answering = answering
        self.calls = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        request_id = str(uuid.uuid4())
        if self._uploads is not None and self._uploads.is_for(scope):
            await self._upload(self._uploads, scope, receive, send, request_id)
            return
        try:
            body = await asyncio.wait_for(_read(scope, receive), self._limits.body_seconds)
        except _Gone:
            return
        except TooLarge as error:
            answer = _refusal(error, request_id, closes=True)
        except TimeoutError:
            answer = _refusal(Unreadable("the body did not arrive in time; send it again"), request_id, closes=True)
        else:
            answer = await self._answer(_request(scope, body), request_id)
        await _send(answer, request_id, send, is_head=scope["method"] == "HEAD")

    async def _upload(self, uploads: UploadDoor, scope: Message, receive: Receive, send: Send, request_id: str) -> None:
        try:
            await uploads.take(scope, receive)
        except Gone:
            return
        except PalimpsestError as error:
            answer = _refusal(error, request_id, closes=True)
        else:
            answer = HttpResponse(204, (), b"")
        await _send(answer, request_id, send, is_head=False)

    async def _answer(self, request: HttpRequest, request_id: str) -> HttpResponse:
        function = self._route(request)
        if function is None:
            return _refusal(NoSuchRoute(), request_id)
        if self.calls >= self._limits.calls:
            return _refusal(Overloaded("too many requests at once; try again shortly"), request_id)
        self.calls += 1
        call = asyncio.get_running_loop().run_in_executor(self._pool, self._invoke, function, request, request_id)
        call.add_done_callback(self._done)
        try:
            return await asyncio.wait_for(asyncio.shield(call), function.manifest.timeout_seconds + 1)
        except TimeoutError:
            return _refusal(Overloaded("this took too long; try again shortly"), request_id)

    def _done(self, _: object) -> None:
        self.calls -= 1

    def _route(self, request: HttpRequest) -> HttpFunction | None:
        matching = [
            ((not route.is_greedy, len(route.path), route.method != "ANY"), index)
            for index, function in enumerate(self._functions)
            for route in function.manifest.routes
            if route.matches(request.method, request.path)
        ]
        return self._functions[max(matching)[1]] if matching else None

    def _invoke(self, function: HttpFunction, request: HttpRequest, request_id: str) -> HttpResponse:
        event = lambda_events.request_event(request, request_id=request_id, at=self._now())
        context = lambda_events.context_of(function.manifest, request_id, self._monotonic)
        try:
            with self._answering():
                return lambda_events.http_response(function.handler(event, context))
        except Exception as error:  # noqa: BLE001 - a handler's failure is an answer here, as it is behind the gateway
            _LOG.error("%s failed on request %s: %s", function.manifest.name, request_id, described(error))
            return _refusal(error, request_id)


def _refusal(error: Exception, request_id: str, *, closes: bool = False) -> HttpResponse:
    """The gateway's own answer; `closes`: what is left of the request is not waited for."""
    told = problem.of(error, request_id=request_id)
    headers = [("content-type", problem.CONTENT_TYPE), *told.headers.items()]
    headers += [("connection", "close")] if closes else []
    return HttpResponse(told.status, tuple(headers), told.text.encode("utf-8"))


async def _read(scope: Message, receive: Receive) -> bytes:
    declared = _declared_length(scope)
    if declared > _READ_LIMIT_BYTES and _header(scope, b"expect").lower() == b"100-continue":
        raise TooLarge(BODY_LIMIT_BYTES)  # nothing was sent yet, and nothing has to be
    body = bytearray()
    received = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        part = message.get("body", b"")
        received += len(part)
        if received <= _READ_LIMIT_BYTES:
            body += part
        more = message.get("more_body", False) and received <= _DRAIN_LIMIT_BYTES
    if received > _READ_LIMIT_BYTES:
        raise TooLarge(BODY_LIMIT_BYTES)
    return bytes(body)


def _header(scope: Message, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


def _declared_length(scope: Message) -> int:
    length = _header(scope, b"content-length")
    return int(length) if length.isdigit() else 0


def _request(scope: Message, body: bytes) -> HttpRequest:
    client = scope.get("client")
    return HttpRequest(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]),
        body=body,
        client=client[0] if client else "127.0.0.1",
        protocol=f"HTTP/{scope.get('http_version', '1.1')}",
    )


async def _send(answer: HttpResponse, request_id: str, send: Send, *, is_head: bool) -> None:
    headers = [(name, value) for name, value in answer.headers if name != "content-length"]
    if not is_head:  # the handler has left the body out, so how long it would be is not known
        headers.append(("content-length", str(len(answer.body))))
    if not answer.has("x-request-id"):
        headers.append(("x-request-id", request_id))
    encoded = [(name.encode("latin-1"), value.encode("utf-8")) for name, value in headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
    await send({"type": "http.response.body", "body": b"" if is_head else answer.body})
