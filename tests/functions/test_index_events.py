"""Every recorded batch of the stream through the index function's handler."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from palimpsest.api.stream import Hears, StreamEvent, StreamRecord, stream_handler
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.table import Key
from tests.support.installation import install
from tests.support.sleeping_indexes import SleepingIndexes

SAMPLES = sorted((Path(__file__).parents[2] / "events" / "index").glob("*.json"))


def record(key: Key, number: int) -> StreamRecord:
    change = {"Keys": {"pk": {"S": key.pk}, "sk": {"S": key.sk}}, "SequenceNumber": str(number)}
    return {"eventName": "INSERT", "dynamodb": change}  # type: ignore[typeddict-item]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_each_recorded_batch_is_handled_without_a_failure(tmp_path: Path, sample: Path) -> None:
    memory = install(tmp_path)
    event: StreamEvent = json.loads(sample.read_text())

    answer = stream_handler(lambda: memory.wired.index_changes)(event, None)

    assert answer == {"batchItemFailures": []}
    memory.sqlite.close()


def test_rows_that_the_index_could_not_take_are_named_so_that_they_come_again(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("x")
    event: StreamEvent = {"Records": [record(key, number) for number, key in enumerate(memory.doorbells())]}
    shutil.rmtree(tmp_path)
    fresh = install(tmp_path, sqlite=memory.sqlite, prepare=False)

    answer = stream_handler(lambda: fresh.wired.index_changes)(event, None)

    assert answer == {"batchItemFailures": [{"itemIdentifier": "0"}]}
    memory.sqlite.close()


class Waning:
    """A context whose time runs out by five seconds at each look."""

    def __init__(self, seconds: int) -> None:
        self.milliseconds = seconds * 1000

    def get_remaining_time_in_millis(self) -> int:
        self.milliseconds -= 5_000
        return self.milliseconds


def test_an_index_that_wakes_within_the_call_takes_the_rows_in_that_call() -> None:
    rows = [Key("T#s#0", f"01KJMA0JE{n}0000000000000000#mem#1") for n in range(2)]
    asked: list[list[Key]] = []
    pauses: list[float] = []

    def index_changes(keys: Sequence[Key], _: SecondsLeft) -> list[Key]:
        asked.append(list(keys))
        return [rows[1]] if len(asked) < 3 else []

    event: StreamEvent = {"Records": [record(key, number) for number, key in enumerate(rows)]}
    answer = stream_handler(lambda: index_changes, pause=pauses.append)(event, Waning(60))

    assert answer == {"batchItemFailures": []}
    assert (asked, len(pauses)) == ([rows, [rows[1]], [rows[1]]], 2)


def test_rows_that_fail_until_the_time_is_up_come_again_from_the_first_of_them_on() -> None:
    rows = [Key("T#s#0", f"01KJMA0JE{n}0000000000000000#mem#1") for n in range(3)]
    pauses: list[float] = []

    event: StreamEvent = {"Records": [record(key, number) for number, key in enumerate(rows)]}
    answer = stream_handler(lambda: lambda keys, _: rows[1:], pause=pauses.append)(event, Waning(60))

    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}]}
    assert 0 < len(pauses) < 10


def test_an_engine_that_is_away_is_asked_for_the_first_log_alone_and_all_rows_come_again(tmp_path: Path) -> None:
    indexes = SleepingIndexes(tmp_path)
    memory = install(tmp_path, indexes=indexes)
    for n in range(5):
        memory.save("a fox", space=f"space-{n}")
    event: StreamEvent = {"Records": [record(key, number) for number, key in enumerate(memory.doorbells())]}
    asked: list[str] = []
    indexes.engine.is_asleep = True
    indexes.engine.hear = asked.append

    answer = stream_handler(lambda: memory.wired.index_changes)(event, None)

    assert answer["batchItemFailures"]
    assert asked == ["upsert"]
    indexes.engine.is_asleep = False
    assert stream_handler(lambda: memory.wired.index_changes)(event, None) == {"batchItemFailures": []}
    memory.sqlite.close()


def test_a_batch_whose_time_is_up_is_answered_with_what_is_left_of_it(tmp_path: Path) -> None:
    memory = install(tmp_path)
    for n in range(5):
        memory.save("a fox", space=f"space-{n}")
    keys = [key for key in memory.doorbells() if key.pk.startswith("T#")]
    event: StreamEvent = {"Records": [record(key, number) for number, key in enumerate(keys)]}

    answer = stream_handler(lambda: memory.wired.index_changes)(event, Waning(35))

    (failure,) = answer["batchItemFailures"]
    assert 0 < int(failure["itemIdentifier"]) < 5
    memory.sqlite.close()


def test_a_batch_in_which_nothing_rings_makes_no_index(tmp_path: Path) -> None:
    def index_changes() -> Hears:
        raise AssertionError("nobody needs it")

    event = json.loads((SAMPLES[0].parent / "done_rows_that_expired.json").read_text())

    assert stream_handler(index_changes)(event, None) == {"batchItemFailures": []}
