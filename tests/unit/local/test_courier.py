"""The work queue reaches a function on one machine, whatever the function does with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from aws_lambda_powertools.utilities.data_classes import SQSEvent

from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.local.courier import Courier
from palimpsest.local.lambda_events import LambdaContext
from palimpsest.local.manifest import Manifest, Trigger
from palimpsest.ports.work_queue import Job, Work, read


class Clock:
    """Seconds that the test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Function:
    """A function that notes what it was told, and fails as it is told to."""

    fails: int = 0
    raises: int = 0
    told: list[Work] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        self.events.append(event)
        (record,) = event["Records"]
        self.told.append(read(record["body"]))
        if self.raises:
            self.raises -= 1
            raise OSError("somebody's words")
        if self.fails:
            self.fails -= 1
            return {"batchItemFailures": [{"itemIdentifier": record["messageId"]}]}
        return {"batchItemFailures": []}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> MemoryQueue:
    return MemoryQueue(clock)


def courier(queue: MemoryQueue, function: Any, clock: Callable[[], float]) -> Courier:
    manifest = Manifest(
        folder=Path("worker"),
        name="worker",
        description="a test's",
        trigger=Trigger.QUEUE,
        timeout_seconds=60,
        memory_mb=128,
        grants=(),
        layers=(),
        max_attempts=3,
        max_concurrency=2,
    )
    return Courier(queue, manifest, function, monotonic=clock)


def deliver(courier: Courier, clock: Clock, seconds: int = 300) -> None:
    for _ in range(seconds):
        while courier.deliver():
            pass
        clock.now += 1


def test_messages_arrive_in_order_and_once(queue: MemoryQueue, clock: Clock) -> None:
    function = Function()
    asked = [Work(Job.BUILD_INDEX, "a"), Work(Job.EMBED_PENDING), Work(Job.BUILD_INDEX, "b")]
    for work in asked:
        queue.send(work)

    deliver(courier(queue, function, clock), clock)

    assert function.told == asked


def test_an_event_is_what_powertools_knows_as_one_of_a_queue(queue: MemoryQueue, clock: Clock) -> None:
    function = Function()
    queue.send(Work(Job.EMBED_PENDING))

    deliver(courier(queue, function, clock), clock, 1)

    (record,) = SQSEvent(function.events[0]).records
    assert read(record.body) == Work(Job.EMBED_PENDING)
    assert record.attributes.approximate_receive_count == "1"


def test_what_waits_already_is_not_taken_twice_and_what_is_worked_on_is(queue: MemoryQueue) -> None:
    queue.send(Work(Job.EMBED_PENDING))
    queue.send(Work(Job.EMBED_PENDING))
    assert len(queue) == 1

    assert queue.take(0)
    queue.send(Work(Job.EMBED_PENDING))

    assert len(queue) == 1


def test_a_message_is_not_given_out_before_its_time(queue: MemoryQueue, clock: Clock) -> None:
    queue.send(Work(Job.EMBED_PENDING), after=timedelta(seconds=5))

    assert queue.take(0) is None
    clock.now = 5
    assert queue.take(0) is not None


@pytest.mark.parametrize("way", ["fails", "raises"])
def test_a_message_that_fails_comes_again_and_one_that_fails_too_often_is_given_up(
    queue: MemoryQueue, clock: Clock, way: str
) -> None:
    once, always = Function(), Function()
    setattr(once, way, 1)
    setattr(always, way, 99)
    queue.send(Work(Job.EMBED_PENDING))
    first = courier(queue, once, clock)
    deliver(first, clock)
    queue.send(Work(Job.EMBED_PENDING))
    second = courier(queue, always, clock)
    deliver(second, clock)

    assert (len(once.told), first.given_up) == (2, 0)
    assert (len(always.told), second.given_up, len(queue)) == (3, 1, 0)


def test_a_courier_that_is_asked_to_stop_lets_the_function_see_that_its_time_is_up() -> None:
    begun, ended = threading.Event(), threading.Event()

    def handler(event: dict[str, Any], context: LambdaContext) -> None:
        begun.set()
        while context.get_remaining_time_in_millis() > 0:
            ended.wait(0.01)
        ended.set()

    messages = MemoryQueue()
    messages.send(Work(Job.EMBED_PENDING))
    running = courier(messages, handler, time.monotonic)
    running.start()
    assert begun.wait(10)

    assert running.stop(10)
    assert ended.is_set()
