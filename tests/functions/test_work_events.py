"""Every recorded message and schedule through the handlers of worker and plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palimpsest.api.work import plan_handler, queue_handler
from palimpsest.local.lambda_events import LambdaContext
from tests.support.installation import Installation, install

FOLDER = Path(__file__).parents[2] / "events"
MESSAGES = sorted([*(FOLDER / "worker").glob("*.json"), *(FOLDER / "ingest").glob("*.json")])
SCHEDULES = sorted((FOLDER / "plan").glob("*.json"))
CONTEXT = LambdaContext("worker", 128, "request-1", lambda: 100.0)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("sample", MESSAGES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_recorded_message_comes_to_the_end_that_its_name_says(memory: Installation, sample: Path) -> None:
    event = load(sample)

    answer = queue_handler(lambda: memory.wired.worker)(event, CONTEXT)

    failed = [record["messageId"] for record in event["Records"]] if sample.stem.startswith("failed_") else []
    assert answer == {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}


def test_of_a_batch_only_the_message_that_failed_comes_again(memory: Installation) -> None:
    good, bad = load(FOLDER / "worker/done_embed_pending.json"), load(FOLDER / "worker/failed_unknown_job.json")
    records = [*good["Records"], *({**each, "messageId": "bad"} for each in bad["Records"]), *good["Records"]]

    answer = queue_handler(lambda: memory.wired.worker)({"Records": records}, CONTEXT)

    assert answer == {"batchItemFailures": [{"itemIdentifier": "bad"}]}


def test_what_is_refused_is_logged_without_its_words(memory: Installation, caplog: pytest.LogCaptureFixture) -> None:
    queue_handler(lambda: memory.wired.worker)(load(FOLDER / "worker/failed_text_as_subject.json"), CONTEXT)

    assert "UnknownWork" in caplog.text
    assert "where is the key" not in caplog.text


@pytest.mark.parametrize("sample", SCHEDULES, ids=lambda path: path.stem)
def test_each_recorded_schedule_is_answered_with_how_much_was_asked_for(memory: Installation, sample: Path) -> None:
    memory.save("word " * 2_000)
    before = len(memory.queue)

    assert plan_handler(lambda: memory.wired.plan)(load(sample), CONTEXT) == {"asked": 1}
    assert len(memory.queue) == before + 1
