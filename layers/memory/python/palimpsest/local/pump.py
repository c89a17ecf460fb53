"""The table's stream on one machine: its records become DynamoDB Streams events for a function."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from palimpsest.local.failures import described
from palimpsest.local.lambda_events import context_of
from palimpsest.local.manifest import LambdaHandler, Manifest
from palimpsest.ports.table import Key

_ARN = "arn:aws:dynamodb:local:000000000000:table/palimpsest/stream/local"
_POLL_SECONDS = 1.0
_LINGER_SECONDS = 0.25
"""A burst of writes becomes one event, since each event waits for the disk; recall sees unindexed writes anyway."""
_FIRST_BACKOFF_SECONDS = 0.2
_LONGEST_BACKOFF_SECONDS = 30.0
_LOG = logging.getLogger(__name__)


class Record(Protocol):
    """One change of one item: what happened is ``INSERT``, ``MODIFY`` or ``REMOVE``."""

    @property
    def position(self) -> int: ...

    @property
    def key(self) -> Key: ...

    @property
    def event(self) -> str: ...


class Stream(Protocol):
    """The side of the embedded table that a pump drinks from."""

    def read_stream(self, limit: int) -> Sequence[Record]:
        """The oldest records that were not acknowledged."""
        ...

    def acknowledge(self, position: int) -> None:
        """Records up to this position are done with and may be trimmed."""
        ...

    def wait_for_stream(self, timeout_seconds: float) -> bool:
        """Returns at once when this process commits; commits of others are seen at the time-out."""
        ...


class Pump:
    """Feeds one function from the stream, in order, in a thread of its own.

    As Lambda does with a partial batch response: what stands before the first failed record is done, the rest comes
    again, in smaller batches and later each time; a record that failed too often is given up and counted.

    Attributes:
        given_up: How many records were given up since the start.
    """

    def __init__(
        self, stream: Stream, manifest: Manifest, handler: LambdaHandler, *, monotonic: Callable[[], float]
    ) -> None:
        self.given_up = 0
        self._stream = stream
        self._manifest = manifest
        self._handler = handler
        self._monotonic = monotonic
        self._attempts = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"pump-{manifest.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Begin nothing new; returns at once."""
        self._stopped.set()

    def stop(self, timeout_seconds: float) -> bool:
        """End after the event that is being handled; False when it still is after the time-out."""
        self._stopped.set()
        self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    def deliver(self) -> int | None:
        """Hand over one batch: how many records are done with, or None when there was none to hand over."""
        records = self._stream.read_stream(max(1, self._manifest.batch_size >> self._attempts))
        if not records:
            return None
        done = self._call(records)
        if done < len(records):
            self._attempts += 1
            if self._attempts >= self._manifest.max_attempts:
                done += 1
                self.given_up += 1
                message = "%s: gave up a record after %d attempts, the %d. since the start"
                _LOG.error(message, self._manifest.name, self._attempts, self.given_up)
        if done:
            self._stream.acknowledge(records[done - 1].position)
            self._attempts = 0
        return done

    def backoff_seconds(self) -> float:
        """How long to wait after what was delivered last."""
        failed = min(self._attempts, 16)
        return min(_FIRST_BACKOFF_SECONDS * 2**failed / 2, _LONGEST_BACKOFF_SECONDS) if failed else 0.0

    def _call(self, records: Sequence[Record]) -> int:
        """How many records from the first one on were handled."""
        event = stream_event(records)
        try:
            answer = self._handler(event, context_of(self._manifest, str(uuid.uuid4()), self._monotonic))
        except Exception as error:  # noqa: BLE001 - whatever it is, the batch comes again
            _LOG.warning("%s failed on %d records: %s", self._manifest.name, len(records), described(error))
            return 0
        failed = failed_identifiers(answer)
        nothing_told = 0 if failed else len(records)  # an unknown identifier is a failure of all, as for Lambda
        return next((i for i, record in enumerate(records) if str(record.position) in failed), nothing_told)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._turn()
            except Exception as error:  # noqa: BLE001 - a locked or full disk now may be none later
                _LOG.warning("the stream can't be read: %s", described(error))
                self._stopped.wait(_POLL_SECONDS)

    def _turn(self) -> None:
        done = self.deliver()
        if done is None:
            self._stream.wait_for_stream(_POLL_SECONDS)
        if done is None or done < self._manifest.batch_size:
            self._stopped.wait(max(_LINGER_SECONDS, self.backoff_seconds()))


def stream_event(records: Sequence[Record]) -> dict[str, Any]:
    """The event that Lambda gets from a stream of keys."""
    return {
        "Records": [
            {
                "eventID": f"{record.position:032x}",
                "eventName": record.event,
                "eventVersion": "1.1",
                "eventSource": "aws:dynamodb",
                "awsRegion": "local",
                "dynamodb": {
                    "Keys": {"pk": {"S": record.key.pk}, "sk": {"S": record.key.sk}},
                    "SequenceNumber": str(record.position),
                    "SizeBytes": len(record.key.pk.encode()) + len(record.key.sk.encode()) + 4,
                    "StreamViewType": "KEYS_ONLY",
                },
                "eventSourceARN": _ARN,
            }
            for record in records
        ]
    }


def failed_identifiers(answer: object) -> frozenset[str]:
    """The sequence numbers in a partial batch response; none when it is no such answer, as for Lambda."""
    failures = answer.get("batchItemFailures") if isinstance(answer, Mapping) else None
    return frozenset(str(failure["itemIdentifier"]) for failure in failures or ())
