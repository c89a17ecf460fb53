"""Uploads through the gateway of one machine: straight to the disk, refused before they are read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palimpsest.local.asgi import Gateway, Message
from palimpsest.local.uploading import UploadDoor
from palimpsest.ports.work_queue import Job, Work, written
from palimpsest.usecases.upload_document import Announced, UploadBegun
from tests.support.installation import OWNER, Installation, install

PIECE, PIECES = b"tide table\n" * 6_000, 100


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    made = install(tmp_path)
    yield made
    made.sqlite.close()


def upload(memory: Installation, begun: UploadBegun, length: int, pieces: int, url: str = "") -> tuple[int, Any, int]:
    """Status, answer, and how many pieces of the body were asked for."""
    path, _, query = (url or begun.place.url).partition("?")
    scope = {
        "type": "http", "method": "PUT", "path": path, "query_string": query.encode(),
        "headers": [(b"content-length", str(length).encode())],
    }  # fmt: skip
    asked, told = [0], []

    async def receive() -> Message:
        asked[0] += 1
        return {"type": "http.request", "body": PIECE, "more_body": asked[0] < pieces}

    async def send(message: Message) -> None:
        told.append(message)

    with ThreadPoolExecutor(1) as pool:
        door = UploadDoor(lambda: memory.wired.service.upload_document, pool)
        gateway = Gateway([], pool, now=lambda: datetime.now(UTC), monotonic=lambda: 0.0, uploads=door)
        asyncio.run(gateway(scope, receive, send))
    body = told[1]["body"]
    return told[0]["status"], json.loads(body) if body else None, asked[0]


def test_bytes_go_to_the_disk_and_are_asked_for_as_a_document(memory: Installation, tmp_path: Path) -> None:
    begun = memory.wired.service.upload_document(OWNER, Announced("tides.txt", len(PIECE) * PIECES))

    status, answer, _ = upload(memory, begun, len(PIECE) * PIECES, PIECES)

    assert (status, answer) == (204, None)
    kept = tmp_path / "documents" / begun.upload.blob
    assert kept.stat().st_size == len(PIECE) * PIECES
    assert written(Work(Job.RECEIVE, begun.upload.id)) in bodies(memory)


def bodies(memory: Installation) -> list[str]:
    """The messages that wait."""
    taken = []
    while (delivery := memory.queue.take(0.0)) is not None:
        taken.append(delivery.body)
    return taken


def test_a_body_that_is_too_long_is_refused_before_any_of_it_is_read(memory: Installation, tmp_path: Path) -> None:
    begun = memory.wired.service.upload_document(OWNER, Announced("tides.txt", len(PIECE)))

    status, answer, asked = upload(memory, begun, 1_000_000_000, 15_000)

    assert (status, answer["type"], asked) == (413, "/docs/errors#too-large", 0)
    assert not list((tmp_path / "documents").rglob("upl_*"))


def test_a_body_that_lies_about_its_length_is_cut_off(memory: Installation) -> None:
    begun = memory.wired.service.upload_document(OWNER, Announced("tides.txt", len(PIECE)))

    status, _, asked = upload(memory, begun, len(PIECE), 15_000)

    assert (status, asked) == (413, 2)


def test_an_address_that_nobody_gave_out_is_no_address(memory: Installation) -> None:
    begun = memory.wired.service.upload_document(OWNER, Announced("tides.txt", len(PIECE)))

    for url in ("/uploads/", "/uploads/nobody?signature=1", begun.place.url.replace("signature=", "signature=0")):
        status, answer, asked = upload(memory, begun, len(PIECE), 1, url)

        assert (status, answer["type"], asked) == (404, "/docs/errors#not-found", 0)
