"""The verbs of runs, over a server on loopback that answers what the test says."""

from __future__ import annotations

from typing import Any

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")

RUN = "run_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"
COUNTS = {"planned": 3, "changes": 3, "applied": 0, "skipped": 0, "failed": 0, "undone": 0, "kept": 0}


def told(status: str, **fields: Any) -> dict[str, Any]:
    run: dict[str, Any] = {
        "id": RUN,
        "kind": "forget",
        "space": "default",
        "status": status,
        "reason": None,
        "dry_run": False,
    }
    run |= {"needs_approval": False, "by": "owner", "begun_at": "2026-11-29T21:05:07.000Z", "counts": COUNTS}
    return run | fields


def run(server: ScriptedServer, *arguments: str) -> int:
    return main([*arguments, "--url", server.url])


def test_forget_by_a_filter_begins_a_run_and_waits_until_it_is_over(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"run": told("queued")}, 202)
    server.will_answer(told("running"))
    server.will_answer(told("success", counts=COUNTS | {"applied": 3}))

    code = run(server, "forget", "--tag", "jan", "--q", "apples", "--from", "2026-01-01", "--space", "home")

    assert code == Exit.OK
    assert [asked.target for asked in server.asked] == ["/memory/forget", f"/runs/{RUN}", f"/runs/{RUN}"]
    assert server.asked[0].body == {"tags": ["jan"], "q": "apples", "date_from": "2026-01-01", "space": "home"}
    assert server.asked[0].headers["idempotency-key"]
    printed = capsys.readouterr().out
    assert "success" in printed
    assert "3 planned, 3 applied" in printed


def test_a_run_that_waits_tells_how_it_is_approved(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"run": told("awaiting_approval", reason="it would change 30 memories")}, 202)

    assert run(server, "forget", "--type", "fact") == Exit.WAITS

    printed = capsys.readouterr().out
    assert "it would change 30 memories" in printed
    assert f"palimpsest approve {RUN}" in printed


def test_a_dry_run_says_that_nothing_was_changed(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"run": told("success", dry_run=True, needs_approval=True)}, 202)

    assert run(server, "forget", "--session", "monday", "--dry-run") == Exit.OK

    assert server.asked[0].body == {"session": "monday", "dry_run": True}
    assert "nothing was changed; it would need approval" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [(), ("mem_x", "--tag", "jan"), ("mem_x", "--dry-run")])
def test_forget_wants_one_memory_or_a_filter(server: ScriptedServer, arguments: tuple[str, ...]) -> None:
    assert run(server, "forget", *arguments) == Exit.USAGE
    assert server.asked == []


@pytest.mark.parametrize(
    ("arguments", "target", "body"),
    [
        (("undo", RUN), f"/runs/{RUN}/undo", {}),
        (("stop", RUN), f"/runs/{RUN}/stop", {}),
        (("approve", RUN), f"/runs/{RUN}/approve", {"scope": "once"}),
        (("approve", RUN, "--always"), f"/runs/{RUN}/approve", {"scope": "always"}),
        (("deny", RUN), f"/runs/{RUN}/deny", {"scope": "once"}),
    ],
)
def test_what_becomes_of_a_run_is_asked_for_by_its_id(
    server: ScriptedServer, arguments: tuple[str, ...], target: str, body: dict[str, str]
) -> None:
    server.will_answer({"run": told("undone")}, 202)

    assert run(server, *arguments) == Exit.OK
    assert (server.asked[0].method, server.asked[0].target, server.asked[0].body) == ("POST", target, body)


def test_runs_are_listed_and_the_log_of_one_is_shown(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"runs": [told("success")], "next_cursor": "more"})
    event = {"what": "asked", "at": "2026-11-29T21:05:07.000Z", "by": "owner", "subject": None, "note": None}
    item = {"what": "kept", "at": None, "by": None, "subject": "mem_x", "note": "changed_since"}
    server.will_answer({"events": [event, item], "next_cursor": None})

    assert run(server, "runs", "--limit", "1") == Exit.OK
    assert run(server, "run", RUN, "--log") == Exit.OK

    printed = capsys.readouterr().out
    assert RUN in printed
    assert "--cursor more" in printed
    assert "2026-11-29T21:05:07  asked by owner" in printed
    assert "mem_x  kept (changed_since)" in printed


def test_a_run_that_failed_is_no_success_of_the_command(server: ScriptedServer) -> None:
    server.will_answer({"run": told("failed", reason="it could not be planned (CorruptItem)")}, 202)

    assert run(server, "forget", "--tag", "jan") == Exit.UNEXPECTED
