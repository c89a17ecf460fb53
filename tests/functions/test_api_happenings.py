"""What alarms look at is told in the log, as a metric, beside the line of the request."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from palimpsest.api.app import http_handler
from palimpsest.api.happenings import Happening, of_reasons
from palimpsest.api.options import EdgeOptions
from palimpsest.ports.work_queue import Job, Work
from palimpsest.settings import Settings
from palimpsest.stores.canaries import GATHERED
from tests.functions.calling import event
from tests.functions.seeds import OWNER_KEY
from tests.support.deaf_indexes import DeafIndexes
from tests.support.installation import Installation, install


def metrics(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [line for line in lines if "_aws" in line]


def loaded(folder: Path) -> Installation:
    """A memory whose tail is past its bound."""
    memory = install(folder, refresh=timedelta(seconds=60), settings=Settings(key=OWNER_KEY))
    for number in range(150):
        memory.save(" ".join(f"note{number}word{place}" for place in range(120)))
    memory.index()
    return memory


def test_a_recall_with_a_cut_tail_counts_for_its_alarm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory = loaded(tmp_path)
    handler = http_handler(lambda: memory.wired.service)

    answer = handler(event("POST", "/memory/recall", {"query": "note", "dry_run": True}), None)

    (tail,) = [arm for arm in json.loads(answer["body"])["arms"] if arm["name"] == "tail"]
    assert (tail["state"], tail["reason"]) == ("degraded", "tail_truncated")
    assert tail["lag_seconds"] > 0
    (metric,) = metrics(capsys)
    assert (metric["service"], metric["TailTruncated"]) == ("api", 1)
    assert metric["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Palimpsest",
            "Dimensions": [["service"]],
            "Metrics": [{"Name": "TailTruncated", "Unit": "Count"}],
        }
    ]
    memory.sqlite.close()


def test_a_mute_arm_is_told_in_the_answer_in_the_status_and_to_its_alarm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    indexes = DeafIndexes(tmp_path)
    memory = install(tmp_path, indexes=indexes, settings=Settings(key=OWNER_KEY))
    memory.save("Ola keeps bees")
    memory.index()
    indexes.ears.deaf.add("keyword")
    memory.clock.turn(GATHERED)
    space = memory.wired.build_index.spaces.ensure("default").id
    memory.wired.worker(Work(Job.CANARY, space), lambda: 60.0)
    handler = http_handler(lambda: memory.wired.service)

    recalled = json.loads(handler(event("POST", "/memory/recall", {"query": "bees", "dry_run": True}), None)["body"])
    counted = metrics(capsys)
    status = json.loads(handler(event("GET", "/status"), None)["body"])

    told = {arm["name"]: (arm["healthy"], arm.get("reason")) for arm in recalled["arms"]}
    assert (told["keyword"], told["vector"]) == ((False, "mute"), (True, None))
    assert [metric["ArmMute"] for metric in counted] == [1]
    arms = {arm["name"]: arm for arm in status["arms"]}
    assert list(arms) == ["tail", "keyword", "vector", "entity", "exact"]
    assert (arms["keyword"]["healthy"], arms["keyword"]["mute_spaces"], arms["keyword"]["spaces"]) == (
        False,
        1,
        ["default"],
    )
    assert arms["keyword"]["since"] == arms["keyword"]["checked_at"]
    assert arms["keyword"]["counts"] == {"ok": 0, "empty": 1, "skipped": 0, "degraded": 0, "failed": 0}
    assert (arms["vector"]["healthy"], arms["vector"]["since"]) == (True, None)
    memory.sqlite.close()


def test_a_person_who_watches_gets_no_metrics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory = loaded(tmp_path)
    handler = http_handler(lambda: memory.wired.service, lambda: EdgeOptions(log_format="text"))

    handler(event("POST", "/memory/recall", {"query": "note", "dry_run": True}), None)

    (line,) = capsys.readouterr().out.splitlines()
    assert "POST /memory/recall 200" in line
    memory.sqlite.close()


def test_each_happening_counts_once_and_other_reasons_not_at_all() -> None:
    assert of_reasons(["late", None, "index_throttled", "tail_truncated", "mute", "index_throttled"]) == [
        Happening.INDEX_THROTTLED,
        Happening.TAIL_TRUNCATED,
        Happening.ARM_MUTE,
    ]
