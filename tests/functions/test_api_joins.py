"""What the background joined, over HTTP: it is a run like any other, and is undone like one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from palimpsest.api.app import http_handler
from tests.functions.calling import Told, call
from tests.support import run_driving
from tests.support.joining import Joined
from tests.support.judging import AGAIN, TEA

KEY = "k" * 43


def test_a_save_that_was_judged_later_is_a_run_that_an_owner_undoes(tmp_path: Path) -> None:
    joined = Joined(tmp_path)
    handler = http_handler(lambda: joined.memory.wired.service)

    def ask(method: str, path: str, body: Any = None) -> Told:
        return call(handler, method, path, body, key=KEY)

    joined.work()

    (run,) = ask("GET", "/runs").json["runs"]
    assert (run["kind"], run["status"], run["undoable"], run["by"]) == ("restate", "success", True, "owner")
    assert ask("GET", f"/memory/{joined.new}").json["status"] == "retired"
    events = ask("GET", f"/runs/{run['id']}/events").json["events"]
    assert [(each["what"], each["subject"]) for each in events[1:]] == [("finished", None), ("applied", joined.new)]
    assert joined.old in events[-1]["detail"]
    steps = ask("GET", f"/memory/{joined.old}/history").json["steps"]
    assert [(step["reason"], step["run_id"]) for step in steps] == [("restated", run["id"]), ("saved", None)]
    assert ask("POST", f"/runs/{run['id']}/undo").status == 202
    run_driving.work(joined.memory)
    assert ask("GET", f"/runs/{run['id']}").json["status"] == "undone"
    texts = [ask("GET", f"/memory/{root}").json["content"] for root in (joined.old, joined.new)]
    assert texts == [TEA, AGAIN]
    assert ask("POST", f"/runs/{run['id']}/undo").status == 409
    joined.memory.sqlite.close()
