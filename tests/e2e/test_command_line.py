"""The command line against a real server, in the words of the page about it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palimpsest.local.cli import main
from palimpsest.local.exits import Exit
from tests.support.server_process import OWNER_KEY, ROOT, ServerProcess

Run = Callable[..., Any]


@pytest.fixture
def space() -> str:
    """A space that no other test uses."""
    return f"cli-{uuid.uuid4()}"


@pytest.fixture
def run(server: ServerProcess, space: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one command with ``--json`` in the test's space; its answer, when it ends well."""

    def run_json(*arguments: str, code: Exit = Exit.OK) -> Any:
        ended = main(["--url", server.url, "--key", OWNER_KEY, "--space", space, "--json", *arguments])
        captured = capsys.readouterr()
        assert ended == code, captured.err
        return json.loads(captured.out) if captured.out else captured.err

    return run_json


def test_a_memory_goes_through_its_whole_life(run: Run) -> None:
    root = run("save", "Deploys happen on Tuesdays", "--type", "procedure", "--tag", "ops")["memory"]["root_id"]
    assert run("save", "Deploys happen on Tuesdays")["outcome"] == "unchanged"

    assert run("update", root, "Deploys happen on Thursdays", "--because", "changed")["memory"]["version"] == 2
    run("update", root, "too late", "--expected-version", "1", code=Exit.CONFLICT)
    assert run("recall", "when do deploys happen?")["results"][0]["memory"]["content"] == "Deploys happen on Thursdays"
    assert [part["text"].strip() for part in run("diff", root)["parts"] if part["kind"] != "same"] == [
        "Tuesdays",
        "Thursdays",
    ]
    assert run("revert", root, "1")["memory"]["version"] == 3
    assert run("annotate", root, "--pin", "--tag", "calm")["memory"]["tags"] == ["calm"]
    assert [version["version"] for version in run("history", root)["versions"]] == [3, 2, 1]
    assert run("history", root, "--proof")["verified"] is True
    assert run("show", f"{root}@2")["content"] == "Deploys happen on Thursdays"

    assert run("forget", root)["restore_until"]
    run("show", root, code=Exit.NOT_FOUND)
    assert run("recall", "when do deploys happen?")["results"] == []
    assert run("restore", root)["memory"]["status"] == "current"
    assert [memory["root_id"] for memory in run("list", "--tag", "calm")["memories"]] == [root]


def test_a_file_is_told_once_it_is_read_and_one_without_text_ends_badly(run: Run, tmp_path: Path) -> None:
    (tmp_path / "runbook.md").write_text("# Restart\n\nThe worker restarts via systemd.", "utf-8")
    (tmp_path / "matter.md").write_text("---\nauthor: Ola\n---\n", "utf-8")

    read = run("add", str(tmp_path / "runbook.md"))["document"]
    failed = run("add", str(tmp_path / "matter.md"), code=Exit.REFUSED)["document"]

    assert (read["state"], read["chunk_count"]) == ("ready", 1)
    assert (failed["state"], failed["failure"]) == ("failed", "no_text")


def test_what_people_say_in_a_conversation_becomes_memories_that_say_so(run: Run, space: str, tmp_path: Path) -> None:
    chat = [{"role": "user", "text": "I don't eat pork."}, {"role": "assistant", "text": "You love curry."}]
    (tmp_path / "chat.json").write_text(json.dumps(chat), "utf-8")

    run("spaces", "create", space, "--extract", "no", "--topic", "health", "--instructions", "Nothing about work.")
    file = str(tmp_path / "chat.json")
    sent = run("ingest-conversation", file, "--extract", "yes", "--date", "2026-03-01")["document"]["id"]
    until = time.monotonic() + 60
    while not (learned := run("list")["memories"]) and time.monotonic() < until:
        pass

    assert [memory["content"] for memory in learned] == ["I don't eat pork"]
    assert learned[0]["extraction"]["document_id"] == sent
    assert run("spaces", "show", space)["extraction_topics"] == ["health"]


def test_many_lines_are_saved_and_listed_page_by_page(
    server: ServerProcess, space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"item {number} of the inventory\n" for number in range(7))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "palimpsest.local.cli",
            "save",
            "--lines",
            "text",
            "-",
            "--url",
            server.url,
            "--space",
            space,
        ],
        input=lines.encode(),
        env={"PYTHONPATH": str(ROOT / "layers/memory/python"), "PALIMPSEST_KEY": OWNER_KEY},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert len(done.stdout.splitlines()) == 7

    listing = ["list", "--all", "--limit", "3", "--url", server.url, "--key", OWNER_KEY, "--space", space, "--json"]
    assert main(listing) == Exit.OK
    pages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    texts = [memory["content"] for page in pages for memory in page["memories"]]
    assert sorted(texts) == sorted(lines.splitlines())


def test_keys_are_made_used_rotated_and_revoked(run: Run, space: str) -> None:
    made = run("keys", "create", "--role", "reader", "--for", space, "--label", "a reader")
    assert run("recall", "x", "--key", made["secret"])["results"] == []
    assert "role writer" in run("save", "x", "--key", made["secret"], code=Exit.UNAUTHORISED)
    assert made["key"]["id"] in [key["id"] for key in run("keys", "list")["keys"]]

    rotated = run("keys", "rotate", made["key"]["id"])
    assert rotated["secret"] != made["secret"]
    assert run("keys", "revoke", made["key"]["id"])["key"]["revoked_at"]


def test_a_wrong_key_is_not_authorised(run: Run) -> None:
    run("list", "--key", "nonsense", code=Exit.UNAUTHORISED)


def test_the_index_is_rebuilt_while_recall_goes_on(run: Run) -> None:
    run("save", "The quokka lives on Rottnest")
    before = run("status")["index"]["generation"]

    assert run("rebuild-index")["index"]["generation"] != before
    assert run("recall", "quokka")["results"][0]["memory"]["content"] == "The quokka lives on Rottnest"


def test_people_get_tables_and_sentences(server: ServerProcess, space: str, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--url", server.url, "--key", OWNER_KEY, "--space", space]
    commands = [["save", "Łódź is a city"], ["recall", "lodz"], ["list"], ["status"], ["keys", "list"]]

    codes = [main([*command, *where]) for command in commands]

    assert codes == [Exit.OK] * len(commands)
    shown = capsys.readouterr().out
    assert "added mem_" in shown
    assert "1. Łódź is a city" in shown
    assert "engine" not in shown
    assert "ready" in shown


def test_the_benchmark_runs_and_leaves_nothing_behind(run: Run, space: str) -> None:
    measured = run("bench", "--count", "5")

    assert measured["space"] == space
    assert all(0 < measured[name]["p50"] <= measured[name]["p100"] for name in ("save_ms", "recall_ms"))
    assert run("list")["memories"] == []
