"""The work queue as an entry point: messages of SQS, handed on one by one as what they ask for."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import TypedDict

from palimpsest.api.stream import Context, PartialFailure
from palimpsest.domain.errors import PalimpsestError
from palimpsest.domain.ids import parse_upload
from palimpsest.domain.upload import UPLOADS
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.work_queue import Job, Work, read

_LOG = logging.getLogger(__name__)
_S3 = "aws.s3"
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


def arrival(body: str) -> Work | None:
    """What asks to take in an upload, when the message is EventBridge's word that S3 has it; None for others."""
    try:
        told = json.loads(body)
        key = told["detail"]["object"]["key"] if told["source"] == _S3 else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    upload = parse_upload(str(key).removeprefix(UPLOADS)) if str(key).startswith(UPLOADS) else None
    return None if upload is None else Work(Job.RECEIVE, upload)


def _is_done(message: Message, worker: Callable[[], Worker], context: Context) -> bool:
    try:
        work = arrival(message["body"]) or read(message["body"])
        worker()(work, lambda: context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS)
    except PalimpsestError as error:
        _LOG.warning("a message was not worked on: %s: %s", type(error).__name__, error)
        return False
    return True
