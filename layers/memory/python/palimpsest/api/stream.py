"""The table's stream as an entry point: its records are doorbells, handed on as keys."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypedDict

from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.table import Key
from palimpsest.stores.keys import LogPartition, is_log

_LOG = logging.getLogger(__name__)
_PAUSE_SECONDS: Final = 5.0
_MARGIN_SECONDS: Final = 15.0
"""Kept for the request to the engine that is under way when the time is up; it waits for 10 s at most."""
_ENOUGH_SECONDS: Final = 10.0

Hears = Callable[[Sequence[Key], SecondsLeft], list[Key]]


class Failure(TypedDict):
    """One record to be sent again."""

    itemIdentifier: str


class PartialFailure(TypedDict):
    """Lambda's answer to a stream: the first failed record and all after it come again."""

    batchItemFailures: list[Failure]


class StreamedKey(TypedDict):
    """A key as DynamoDB writes it."""

    pk: dict[str, str]
    sk: dict[str, str]


class StreamedChange(TypedDict):
    """What a record says of the item; the stream carries keys only."""

    Keys: StreamedKey
    SequenceNumber: str


class StreamRecord(TypedDict):
    """One record; its event is INSERT, MODIFY or REMOVE."""

    eventName: str
    dynamodb: StreamedChange


class StreamEvent(TypedDict):
    """A batch of records."""

    Records: list[StreamRecord]


class Context(Protocol):
    """What is needed of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int: ...


def stream_handler(
    hear: Callable[[], Hears], *, pause: Callable[[float], None] = time.sleep
) -> Callable[[StreamEvent, Context | None], PartialFailure]:
    """The Lambda handler that brings the index up to the change logs that a batch of records names.

    The stream tells of every item of the table; only new rows of change logs ring. A record that can't be read is
    passed over and logged: it would be the same each time, and hold up all that come after it. The rows of a log that
    could not be handled are tried again as long as there is time, since an engine that was asleep answers within half a
    minute; what is left then, or when the time is up before the batch's end, comes again, from the first of them on.
    """

    def handle(event: StreamEvent, context: Context | None) -> PartialFailure:
        rung = _rung(event)

        def seconds_left() -> float:
            return math.inf if context is None else context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS

        failed = set(hear()(list(rung.values()), seconds_left)) if rung else set()
        while failed and context is not None and seconds_left() > _ENOUGH_SECONDS:
            pause(_PAUSE_SECONDS)
            failed = set(hear()([key for key in rung.values() if key in failed], seconds_left))
        first = next((number for number, key in rung.items() if key in failed), None)
        return {"batchItemFailures": [] if first is None else [{"itemIdentifier": first}]}

    return handle


def _rung(event: StreamEvent) -> dict[str, Key]:
    """The rows of change logs that are new, by sequence number in the order of the stream."""
    rung: dict[str, Key] = {}
    for record in event["Records"]:
        try:
            key = _key(record)
            if record["eventName"] != "REMOVE" and is_log(key):
                LogPartition.of(key.pk)
                rung[record["dynamodb"]["SequenceNumber"]] = key
        except (KeyError, TypeError, ValueError) as error:
            _LOG.warning("a record of the stream can't be read and is passed over: %s", type(error).__name__)
    return rung


def _key(record: StreamRecord) -> Key:
    keys = record["dynamodb"]["Keys"]
    pk, sk = keys["pk"]["S"], keys["sk"]["S"]
    if not pk or not sk:
        raise ValueError("no key of this table")
    return Key(pk, sk)
