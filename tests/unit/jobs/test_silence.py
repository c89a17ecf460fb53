"""Messages, events and logs carry ids only: nothing that is saved, forgotten or erased is ever in one of them."""

from __future__ import annotations

import io
import logging
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.api.app import http_handler
from palimpsest.api.stream import stream_handler
from palimpsest.api.work import queue_handler
from palimpsest.local.pump import stream_event
from palimpsest.ports.work_queue import Work, written
from palimpsest.settings import Settings
from tests.functions.calling import call
from tests.support.installation import Installation, install

OWNER_KEY = "plm_silence_" + "0" * 43
WORDS = ("zanzibarquokka", "velvetnarwhal", "cobaltheron", "mossyokapi", "quokka", "narwhal")


@dataclass
class Overheard(MemoryQueue):
    """A queue that remembers every message."""

    heard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        MemoryQueue.__init__(self)

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> None:
        self.heard.append(written(work))
        super().send(work, after=after)


class Context:
    """A function's time."""

    aws_request_id = "request"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


def drain(memory: Installation, told: list[str]) -> None:
    """Every doorbell, every plan and every message, as the functions get them."""
    records = memory.stream.read_stream(10_000)
    event: dict[str, Any] = dict(stream_event(records))
    told.append(str(event))
    told.append(str(stream_handler(lambda: memory.wired.index_changes)(event, Context())))  # type: ignore[arg-type]
    if records:
        memory.stream.acknowledge(records[-1].position)
    memory.wired.plan()
    while (delivery := memory.queue.take(0.0)) is not None:
        told.append(delivery.body)
        message = {"Records": [{"messageId": "1", "body": delivery.body}]}
        told.append(str(queue_handler(lambda: memory.wired.worker)(message, Context())))  # type: ignore[arg-type]


def test_no_message_event_or_log_line_holds_what_was_saved_forgotten_or_erased(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    queue = Overheard()
    memory = install(tmp_path, settings=Settings(key=OWNER_KEY), queue=queue)
    handler, out = http_handler(lambda: memory.wired.service), io.StringIO()
    told: list[str] = []
    fields = {"tags": ["mossyokapi"], "metadata": {"mossyokapi": "cobaltheron"}, "attributed_to": "cobaltheron"}

    def ask(method: str, path: str, body: object = None) -> Any:
        return call(handler, method, path, body, key=OWNER_KEY).json

    caplog.set_level(logging.DEBUG)
    with redirect_stdout(out), redirect_stderr(out):
        saved = [
            ask("POST", "/memory/save", {"content": f"the {word} swims in the harbour", **fields})["memory"]["root_id"]
            for word in ("zanzibarquokka", "velvetnarwhal")
        ]
        ask("POST", "/memory/save", {"content": "\0 cobaltheron"})
        ask("POST", f"/memory/{saved[0]}/update", {"content": "the zanzibarquokka sleeps", "because": "cobaltheron"})
        ask("POST", f"/memory/{saved[0]}/update", {"content": "the zanzibarquokka sleeps"})
        drain(memory, told)
        ask("POST", "/memory/recall", {"query": "who sleeps: zanzibarquokka or velvetnarwhal"})
        ask("POST", f"/memory/{saved[1]}/forget")
        drain(memory, told)
        erasures = [ask("POST", f"/memory/{root}/erase")["erasure"]["id"] for root in saved]
        drain(memory, told)
        told += [str(ask("GET", f"/erasures/{erasure}")) for erasure in erasures]
        told += [str(ask("GET", f"/memory/{root}")) for root in saved]
    lines = [record.getMessage() + str(record.__dict__) for record in caplog.records]
    everything = "\n".join([*told, *queue.heard, *lines, out.getvalue()]).lower()

    assert [word for word in WORDS if word in everything] == []
    assert all(f'"subject":"{erasure}"' in "".join(queue.heard) for erasure in erasures)
    assert sum("'verified'" in each for each in told) == len(erasures)
    memory.sqlite.close()
