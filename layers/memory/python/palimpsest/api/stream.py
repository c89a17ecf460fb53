"""The table's stream as an entry point: its records are doorbells, handed on as keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from palimpsest.ports.table import Key
from palimpsest.stores.keys import is_log

IndexChanges = Callable[[Sequence[Key]], list[Key]]


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


def stream_handler(index_changes: Callable[[], IndexChanges]) -> Callable[[StreamEvent, object], PartialFailure]:
    """The Lambda handler that brings the index up to the change logs that a batch of records names.

    The stream tells of every item of the table; only new rows of change logs ring.
    """

    def handle(event: StreamEvent, context: object) -> PartialFailure:
        rung = {record["dynamodb"]["SequenceNumber"]: _key(record) for record in event["Records"] if _rings(record)}
        failed = set(index_changes()(list(rung.values())))
        return {"batchItemFailures": [{"itemIdentifier": n} for n, key in rung.items() if key in failed]}

    return handle


def _rings(record: StreamRecord) -> bool:
    return record["eventName"] != "REMOVE" and is_log(_key(record))


def _key(record: StreamRecord) -> Key:
    keys = record["dynamodb"]["Keys"]
    return Key(keys["pk"]["S"], keys["sk"]["S"])
