"""The work queue as an entry point: messages of SQS, handed on one by one as what they ask for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypedDict

from palimpsest.api.stream import Context, PartialFailure
from palimpsest.domain.errors import PalimpsestError
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.work_queue import Work, read

_LOG = logging.getLogger(__name__)
_MARGIN_SECONDS = 10.0
"""Kept for what is under way when the time is up, and for the next message."""

Worker = Callable[[Work, SecondsLeft], None]


class Message(TypedDict):
    """One message; more fields come with it."""

    messageId: str
    body: str


class QueueEvent(TypedDict):
    """A batch of messages."""

    Records: list[Message]


def queue_handler(worker: Callable[[], Worker]) -> Callable[[QueueEvent, Context], PartialFailure]:
    """The Lambda handler that works on each message; those that fail come again and end in the dead-letter queue."""

    def handle(event: QueueEvent, context: Context) -> PartialFailure:
        failed = [each["messageId"] for each in event["Records"] if not _is_done(each, worker, context)]
        return {"batchItemFailures": [{"itemIdentifier": message} for message in failed]}

    return handle


def plan_handler(plan: Callable[[], Callable[[], int]]) -> Callable[[object, object], dict[str, int]]:
    """The Lambda handler that a schedule calls: it asks for the work that is due and says how much that was."""

    def handle(event: object, context: object) -> dict[str, int]:
        return {"asked": plan()()}

    return handle


def _is_done(message: Message, worker: Callable[[], Worker], context: Context) -> bool:
    try:
        worker()(read(message["body"]), lambda: context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS)
    except PalimpsestError as error:
        _LOG.warning("a message was not worked on: %s: %s", type(error).__name__, error)
        return False
    return True
