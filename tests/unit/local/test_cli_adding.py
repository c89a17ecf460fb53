"""`palimpsest add`, over a server on loopback that answers what the test says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from palimpsest.local.cli import main
from palimpsest.local.cli.file_choice import REQUEST_BYTES
from palimpsest.local.exits import Exit
from tests.support.scripted_server import ScriptedServer

ONE, TWO = "doc_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z", "doc_01JA7Z3M6Q8R9S0T1V2W3X4Y6Z"

pytestmark = pytest.mark.usefixtures("home")


def document(id_: str = ONE, path: str = "a.md", state: str = "ready", **fields: Any) -> dict[str, Any]:
    told = {"id": id_, "path": path, "space": "default", "state": state, "failure": None, "failure_detail": None}
    return told | fields


def sent(outcome: str = "added", **fields: Any) -> dict[str, Any]:
    return {"outcome": outcome, "document": document(**{"state": "queued"} | fields)}


UNREADABLE = {"state": "failed", "failure": "damaged", "failure_detail": "It is damaged."}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command runs."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "a.md").write_text("apples", "utf-8")
    (here / "b.md").write_text("pears", "utf-8")
    monkeypatch.chdir(here)
    return here


def run(server: ScriptedServer, *arguments: str) -> int:
    return main(["add", *arguments, "--url", server.url])


def asked(server: ScriptedServer) -> list[tuple[str, str]]:
    return [(each.method, each.target) for each in server.asked]


def test_what_was_sent_is_looked_at_until_it_is_read(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in (sent(), document(state="queued"), document(state="reading"), document()):
        server.will_answer(answer)

    assert run(server, "a.md") == Exit.OK

    assert asked(server) == [("POST", "/documents"), *[("GET", f"/documents/{ONE}")] * 3]
    assert capsys.readouterr().out == f"added {ONE} a.md (in default)\n1 ready\n"


def test_a_document_that_can_not_be_read_is_told_and_the_others_are_read(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in (sent(), sent(id_=TWO, path="b.md"), document(**UNREADABLE), document(TWO, "b.md")):
        server.will_answer(answer)

    assert run(server, "a.md", "b.md") == Exit.REFUSED

    assert capsys.readouterr().out.splitlines()[2:] == [
        "2 added",
        f"failed {ONE} a.md: It is damaged.",
        "1 failed, 1 ready",
    ]


def test_what_failed_before_and_is_sent_unchanged_fails_again(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(sent("unchanged", **UNREADABLE))

    assert run(server, "a.md") == Exit.REFUSED

    assert f"failed {ONE} a.md: It is damaged." in capsys.readouterr().out


def test_who_does_not_wait_is_told_what_was_sent_alone(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(sent())

    assert run(server, "a.md", "--no-wait", "--json") == Exit.OK

    assert asked(server) == [("POST", "/documents")]
    assert json.loads(capsys.readouterr().out) == sent()


def test_json_has_one_line_for_each_file_with_the_document_as_it_was_read(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in (sent(), document(**UNREADABLE)):
        server.will_answer(answer)

    assert run(server, "a.md", "nowhere.md", "--json") == Exit.REFUSED

    refused, failed = map(json.loads, capsys.readouterr().out.splitlines())
    assert refused == {"path": "nowhere.md", "outcome": "refused", "reason": "there is no such file"}
    assert failed == {"outcome": "added", "document": document(**UNREADABLE)}


def test_what_was_sent_is_told_although_the_server_went_away_before_it_was_read(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(sent())
    server.will_break()

    assert run(server, "a.md", "--json") == Exit.UNREACHABLE

    assert json.loads(capsys.readouterr().out) == sent()


def test_a_document_that_somebody_takes_out_meanwhile_is_waited_for_no_more(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(sent())
    server.will_answer({"title": "Not found", "status": 404}, 404)

    assert run(server, "a.md") == Exit.OK

    assert capsys.readouterr().out.splitlines()[1:] == ["1 forgotten"]


def test_what_was_uploaded_is_followed_like_what_was_sent(
    server: ScriptedServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.md").write_text("apples " * (REQUEST_BYTES // 7 + 1), "utf-8")
    server.will_answer({"upload_id": "upl_1", "url": "/uploads/upl_1?signature=1", "headers": {}}, 201)
    server.will_answer({"state": "received"})
    server.will_answer({"state": "received", "document_id": ONE, "outcome": "added", "failure": None})
    for answer in (document(state="queued"), document(**UNREADABLE)):
        server.will_answer(answer)

    assert run(server, "a.md", "--json") == Exit.REFUSED

    assert json.loads(capsys.readouterr().out) == {"outcome": "added", "document": document(**UNREADABLE)}


def watch(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> None:
    """Do these between the looks, and end the command after the last."""
    rest = iter(steps)

    def pause(seconds: float) -> None:
        try:
            next(rest)()
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("time.sleep", pause)


def test_of_a_file_that_is_deleted_while_it_is_followed_is_told_how_its_document_is_forgotten(
    server: ScriptedServer, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ready, back = sent(state="ready"), sent("unchanged", state="ready")
    for answer in (ready, sent(id_=TWO, path="b.md", state="ready"), back):
        server.will_answer(answer)
    content = (folder / "a.md").read_bytes()
    watch(monkeypatch, (folder / "a.md").unlink, lambda: (folder / "a.md").write_bytes(content))

    assert run(server, ".", "--watch") == Exit.INTERRUPTED

    assert asked(server) == [("POST", "/documents")] * 3
    assert capsys.readouterr().out.splitlines()[2:] == [
        f"gone a.md: its document is kept; palimpsest forget {ONE} takes it out",
        f"unchanged {ONE} a.md (in default)",
    ]


@pytest.mark.parametrize("named", [(), ("--as", "ops/a.md")])
def test_a_file_that_was_named_is_gone_when_it_is_deleted(
    server: ScriptedServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    named: tuple[str, ...],
) -> None:
    server.will_answer(sent(state="ready"))
    watch(monkeypatch, (folder / "a.md").unlink)

    assert run(server, str(folder / "a.md"), *named, "--watch", "--json") == Exit.INTERRUPTED

    _, gone = map(json.loads, capsys.readouterr().out.splitlines())
    assert gone == {"path": named[-1] if named else "a.md", "outcome": "gone", "document_id": ONE}


def test_what_is_followed_is_told_when_it_turns_out_that_it_can_not_be_read(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in (sent(), document(state="reading"), document(**UNREADABLE)):
        server.will_answer(answer)
    watch(monkeypatch, lambda: None, lambda: None)

    assert run(server, "a.md", "--watch") == Exit.INTERRUPTED

    assert len(server.asked) == 3
    assert capsys.readouterr().out.splitlines()[1:] == [f"failed {ONE} a.md: It is damaged."]


def test_a_file_that_can_not_be_read_any_more_does_not_stop_the_others(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(sent(id_=TWO, path="b.md", state="ready"))
    read = Path.read_bytes

    def went(file: Path) -> bytes:
        if file.name == "a.md":
            raise FileNotFoundError(2, "No such file or directory")
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", went)

    assert run(server, "a.md", "b.md") == Exit.REFUSED

    assert "refused a.md: it can't be read any more (No such file or directory)" in capsys.readouterr().out
