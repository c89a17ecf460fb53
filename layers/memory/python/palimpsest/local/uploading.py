"""Uploads to one machine: bytes that come by a signed path go to the disk as they come, never into memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from palimpsest.api.failures import TooLarge
from palimpsest.domain.errors import NotFound, TooLong
from palimpsest.domain.ids import parse_upload
from palimpsest.usecases.upload_document import UploadDocument
from palimpsest.usecases.upload_paths import UPLOADS

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
_SECONDS: Final = 60.0
"""For each part of a body."""


class Gone(Exception):
    """The client went away."""


@dataclass(frozen=True, slots=True)
class UploadDoor:
    """Takes what comes to the paths of uploads; `pool`: where disks are waited for."""

    uploads: Callable[[], UploadDocument]
    pool: Executor

    def is_for(self, scope: Message) -> bool:
        """This request brings the bytes of an upload."""
        return scope["method"] == "PUT" and str(scope["path"]).startswith(UPLOADS)

    async def take(self, scope: Message, receive: Receive) -> None:
        """Keep the bytes.

        Raises:
            NotFound: Nobody gave out this address, or its time is over.
            TooLarge: It is longer than was announced; told before any of it is read when its length says so.
            Invalid: It is shorter.
            Gone: The client went away.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self.pool, self._put, scope, _body(receive, loop))

    def _put(self, scope: Message, content: Iterator[bytes]) -> None:
        upload = parse_upload(str(scope["path"]).removeprefix(UPLOADS))
        if upload is None:
            raise NotFound("upload")
        url = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        try:
            self.uploads().put(upload, url, int(length) if length.isdigit() else None, content)
        except TooLong as error:
            raise TooLarge(error.limit) from error


def _body(receive: Receive, loop: asyncio.AbstractEventLoop) -> Iterator[bytes]:
    """The body, part by part, for a thread: each is asked for when the one before is on the disk."""
    while True:
        message = asyncio.run_coroutine_threadsafe(_within(receive), loop).result()
        if message["type"] == "http.disconnect":
            raise Gone
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _within(receive: Receive) -> Message:
    try:
        return await asyncio.wait_for(receive(), _SECONDS)
    except TimeoutError:
        raise Gone from None
