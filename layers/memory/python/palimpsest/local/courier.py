"""The work queue on one machine: its messages become SQS events for a function."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from palimpsest.local.failures import described
from palimpsest.local.lambda_events import context_of
from palimpsest.local.manifest import LambdaHandler, Manifest
from palimpsest.local.pump import failed_identifiers

_ARN = "arn:aws:sqs:local:000000000000:palimpsest-work"
_POLL_SECONDS = 1.0
_FIRST_BACKOFF_SECONDS = 1.0
_LONGEST_BACKOFF_SECONDS = 60.0
_LOG = logging.getLogger(__name__)


class Delivered(Protocol):
    """A message that is being worked on."""

    @property
    def number(self) -> int: ...

    @property
    def body(self) -> str: ...

    @property
    def attempt(self) -> int: ...


class Messages(Protocol):
    """The side of the embedded queue that a courier takes from."""

    def take(self, timeout_seconds: float) -> Delivered | None:
        """The message that has been due longest, now or within the time-out."""
        ...

    def give_back(self, body: str, *, attempt: int, after_seconds: float) -> None:
        """It failed at that attempt, and comes again later."""
        ...


class Courier:
    """Feeds one function from the queue, in as many threads as it may run at once, one message an event.

    A message that fails comes again, later each time; after `max_attempts` it is given up and logged, as one that goes
    to the dead-letter queue. What it asked for stands in the table, and the next plan asks for it again.

    Attributes:
        given_up: How many messages were given up since the start.

    Args:
        begun: Called by each of the threads first of all.
    """

    def __init__(
        self,
        queue: Messages,
        manifest: Manifest,
        handler: LambdaHandler,
        *,
        monotonic: Callable[[], float],
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        self.given_up = 0
        self._queue = queue
        self._manifest = manifest
        self._handler = handler
        self._monotonic = monotonic
        self._begun = begun
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, name=f"courier-{manifest.name}-{n}", daemon=True)
            for n in range(manifest.max_concurrency)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def ask_to_stop(self) -> None:
        """Begin nothing new; returns at once. What is under way sees that its time is up."""
        self._stopped.set()

    def stop(self, timeout_seconds: float) -> bool:
        """End after the messages that are being worked on; False when one still is after the time-out."""
        self._stopped.set()
        ends = self._monotonic() + timeout_seconds
        for thread in self._threads:
            thread.join(max(0.0, ends - self._monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def deliver(self, timeout_seconds: float = 0.0) -> bool:
        """Hand over one message; False when there was none within the time-out."""
        delivery = self._queue.take(timeout_seconds)
        if delivery is None:
            return False
        if not self._is_done(delivery):
            self._put_back(delivery)
        return True

    def _run(self) -> None:
        self._begun()
        while not self._stopped.is_set():
            self.deliver(_POLL_SECONDS)

    def _is_done(self, delivery: Delivered) -> bool:
        context = context_of(self._manifest, str(uuid.uuid4()), self._until_stopped)
        try:
            answer = self._handler(_event(delivery), context)
        except Exception as error:  # noqa: BLE001 - whatever it is, the message comes again
            _LOG.warning("%s failed on a message: %s", self._manifest.name, described(error))
            return False
        return not failed_identifiers(answer)

    def _until_stopped(self) -> float:
        """The clock of a call: when the machine is asked to stop, its time is up."""
        return self._monotonic() + (self._manifest.timeout_seconds if self._stopped.is_set() else 0.0)

    def _put_back(self, delivery: Delivered) -> None:
        if delivery.attempt >= self._manifest.max_attempts:
            self.given_up += 1
            message = "%s: gave up a message after %d attempts, the %d. since the start; a plan asks for it again"
            _LOG.error(message, self._manifest.name, delivery.attempt, self.given_up)
            return
        pause = min(_FIRST_BACKOFF_SECONDS * 2 ** (delivery.attempt - 1), _LONGEST_BACKOFF_SECONDS)
        self._queue.give_back(delivery.body, attempt=delivery.attempt, after_seconds=pause)


def _event(delivery: Delivered) -> dict[str, Any]:
    """The event that Lambda gets from a queue."""
    return {
        "Records": [
            {
                "messageId": str(uuid.UUID(int=delivery.number)),
                "receiptHandle": str(delivery.number),
                "body": delivery.body,
                "attributes": {"ApproximateReceiveCount": str(delivery.attempt)},
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": _ARN,
                "awsRegion": "local",
            }
        ]
    }
