"""The table's stream reaches a function, whatever the function does with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aws_lambda_powertools.utilities.data_classes import DynamoDBStreamEvent

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.local.lambda_events import LambdaContext
from palimpsest.local.manifest import Manifest, Trigger
from palimpsest.local.pump import Pump, stream_event
from palimpsest.ports.table import Delete, Key, Put


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with SqliteTable(streamed_prefixes=("T#",)) as opened:
        opened.stream_reader("index")
        yield opened


@dataclass
class Function:
    """A function that notes the keys it was told, and fails for those that it is to fail for."""

    failing: set[str] = field(default_factory=set)
    raising: set[str] = field(default_factory=set)
    calls: list[list[str]] = field(default_factory=list)

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        numbers = {
            record["dynamodb"]["Keys"]["sk"]["S"]: record["dynamodb"]["SequenceNumber"] for record in event["Records"]
        }
        self.calls.append(list(numbers))
        if self.raising & set(numbers):
            raise OSError("somebody's words")
        failed = [number for sk, number in numbers.items() if sk in self.failing]
        return {"batchItemFailures": [{"itemIdentifier": number} for number in failed]}


def pump(table: SqliteTable, handler: Callable[[dict[str, Any], Any], Any], batch_size: int = 100) -> Pump:
    manifest = Manifest(
        folder=Path("index"),
        name="index",
        description="a test's",
        trigger=Trigger.STREAM,
        timeout_seconds=60,
        memory_mb=128,
        grants=(),
        layers=(),
        batch_size=batch_size,
        max_attempts=4,
    )
    return Pump(table.stream_reader("index"), manifest, handler, monotonic=lambda: 0.0)


def write(table: SqliteTable, *names: str) -> None:
    for name in names:
        table.write(Put({"pk": "T#s#0", "sk": name}))


def drain(pumped: Pump, turns: int = 50) -> None:
    for _ in range(turns):
        if pumped.deliver() is None:
            return
    raise AssertionError("the stream does not run dry")


def left(table: SqliteTable) -> list[str]:
    return [record.key.sk for record in table.stream_reader("index").read_stream(100)]


def test_records_arrive_in_order_and_once(table: SqliteTable) -> None:
    function = Function()
    write(table, "a", "b", "c", "d", "e")

    drain(pump(table, function, batch_size=2))

    assert function.calls == [["a", "b"], ["c", "d"], ["e"]]
    assert left(table) == []


def test_an_event_is_what_powertools_knows_as_a_stream_of_keys(table: SqliteTable) -> None:
    write(table, "a")
    table.write(Put({"pk": "T#s#0", "sk": "a", "more": 1}))
    table.write(Delete(Key("T#s#0", "a")))

    records = list(DynamoDBStreamEvent(stream_event(table.stream_reader("index").read_stream(10))).records)

    assert [record.event_name and record.event_name.name for record in records] == ["INSERT", "MODIFY", "REMOVE"]
    assert all(record.dynamodb and record.dynamodb.keys == {"pk": "T#s#0", "sk": "a"} for record in records)
    assert len({record.event_id for record in records}) == 3


def test_what_stands_before_a_failed_record_is_done_and_the_rest_comes_again(table: SqliteTable) -> None:
    function = Function(failing={"c"})
    write(table, "a", "b", "c", "d")
    pumped = pump(table, function)

    pumped.deliver()
    function.failing.clear()
    drain(pumped)

    assert function.calls == [["a", "b", "c", "d"], ["c", "d"]]


def test_a_record_that_fails_too_often_is_given_up_and_the_others_are_not(table: SqliteTable) -> None:
    function = Function(failing={"b"})
    write(table, "a", "b", "c")
    pumped = pump(table, function)

    drain(pumped)

    assert (pumped.given_up, left(table)) == (1, [])
    assert function.calls[-1] == ["c"]
    assert sum("b" in call for call in function.calls) == 4 + 1


def test_a_function_that_raises_gets_smaller_batches_until_one_record_is_given_up(
    table: SqliteTable, caplog: pytest.LogCaptureFixture
) -> None:
    function = Function(raising={"a"})
    write(table, *"abcdefgh")
    pumped = pump(table, function, batch_size=8)

    drain(pumped)

    assert [len(call) for call in function.calls] == [8, 4, 2, 1, 7]
    assert (pumped.given_up, left(table)) == (1, [])
    assert "somebody's words" not in caplog.text


def test_each_failure_waits_longer_than_the_one_before(table: SqliteTable) -> None:
    function = Function(raising={"a"})
    write(table, "a")
    pumped = pump(table, function)

    waits = [pumped.backoff_seconds() for _ in range(3) if pumped.deliver() is not None]

    assert waits == sorted(set(waits))
    assert waits[0] > 0


def test_an_answer_that_names_unknown_records_fails_the_whole_batch(table: SqliteTable) -> None:
    write(table, "a", "b")
    pumped = pump(table, lambda event, context: {"batchItemFailures": [{"itemIdentifier": "elsewhere"}]})

    assert pumped.deliver() == 0
    assert left(table) == ["a", "b"]


def test_an_answer_that_is_no_batch_response_is_success(table: SqliteTable) -> None:
    write(table, "a")

    drain(pump(table, lambda event, context: None))

    assert left(table) == []


def test_the_thread_delivers_what_is_written_while_it_runs_and_stops(table: SqliteTable) -> None:
    told = threading.Event()
    running = pump(table, lambda event, context: told.set())
    running.start()

    write(table, "a")

    assert told.wait(5)
    assert running.stop(5)


def test_what_was_not_delivered_waits_for_the_next_start(tmp_path: Path) -> None:
    function = Function()
    with SqliteTable(tmp_path / "table.db") as before:
        before.stream_reader("index")
        write(before, "a")

    with SqliteTable(tmp_path / "table.db") as after:
        drain(pump(after, function))

    assert function.calls == [["a"]]
