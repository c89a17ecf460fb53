"""Every recorded batch of the stream through the index function's handler."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from palimpsest.api.stream import StreamEvent, StreamRecord, stream_handler
from palimpsest.ports.table import Key
from tests.support.installation import install

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
