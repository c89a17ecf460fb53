"""How the command line ends, and what it says then."""

from __future__ import annotations

import io
import socket
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.local.cli import main, naming
from palimpsest.local.cli.parser import VERBS, build_parser
from palimpsest.local.cli.session import is_here
from palimpsest.local.exits import MEANINGS, Exit
from tests.support.scripted_server import ScriptedServer

pytestmark = pytest.mark.usefixtures("home")


def run(server: ScriptedServer, *arguments: str) -> int:
    return main([*arguments, "--url", server.url])


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, 7), (403, 4), (404, 5), (409, 6), (413, 7), (422, 7), (429, 8), (500, 1), (503, 8)],
)
def test_each_refusal_has_its_exit_code_and_its_detail(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], status: int, code: int
) -> None:
    server.will_answer({"title": "No", "status": status, "detail": f"because of {status}"}, status)

    assert run(server, "list", "--key", "plm_x") == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"palimpsest: because of {status}")


def test_whoever_has_no_key_is_told_where_one_goes(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"title": "No", "status": 401, "detail": "send a valid key"}, 401)

    assert run(server, "list") == Exit.UNAUTHORISED
    assert "set PALIMPSEST_KEY" in capsys.readouterr().err


def test_whoever_has_a_wrong_key_is_told_so_without_the_words_of_http(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer({"title": "No", "status": 401, "detail": "send a valid key as 'Authorization: …'"}, 401)

    assert run(server, "list", "--key", "plm_x") == Exit.UNAUTHORISED
    error = capsys.readouterr().err
    assert "does not take this key" in error
    assert "Authorization" not in error


@pytest.mark.parametrize(
    ("loc", "msg", "expected"),
    [
        (["body", "content"], "content is empty; say something", "the text is empty; say something"),
        (["body", "memory_type"], "must be one of: fact, episode", "--type must be one of: fact, episode"),
        (["body", "tags", 3], "a tag is over the limit", "--tag: a tag is over the limit"),
        (["body", "source", "agent"], "the text is over the limit", "--agent: the text is over the limit"),
        (["body", "valid_until"], "valid_until lies before valid_from", "--valid-until lies before --valid-from"),
        (["body", "spaces", 0], "must be a name", "--for must be a name"),
        (["query", "date_to"], "give a date", "--to: give a date"),
        (["query", "cursor"], "this cursor is of another query", "--cursor: this cursor is of another query"),
        (["body", "url"], "leads to an address inside a network", "the link leads to an address inside a network"),
        (["body", "url"], "has to begin with https://", "the link has to begin with https://"),
        (["body", "url"], "names a user; take it out", "the link names a user; take it out"),
        (["body", "path"], "is over the limit", "the path is over the limit"),
        (["body", "media_type"], "nobody reads it", "the media type: nobody reads it"),
        (["body", "turns", 1, "text"], "is empty", "the text is empty"),
        (["path", "id"], "must be an id", "the id must be an id"),
        (["body"], "must be a JSON object", "because"),
        (["header", "idempotency-key"], "was used before", "because"),
    ],
)
def test_what_is_wrong_is_told_by_the_name_of_the_option(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], loc: list[str | int], msg: str, expected: str
) -> None:
    errors = [{"loc": loc, "type": "invalid", "msg": msg}]
    server.will_answer({"title": "No", "status": 422, "detail": "because", "errors": errors}, 422)

    assert run(server, "list") == Exit.REFUSED
    assert capsys.readouterr().err == f"palimpsest: {expected}\n"


def test_everything_that_is_wrong_has_its_line(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    errors = [{"loc": ["body", name], "type": "invalid", "msg": "must be shorter"} for name in ("content", "canonical")]
    server.will_answer({"title": "No", "status": 422, "detail": "because", "errors": errors}, 422)

    assert run(server, "save", "x") == Exit.REFUSED
    assert capsys.readouterr().err == "palimpsest: the text must be shorter\n  --canonical must be shorter\n"


@pytest.mark.parametrize(("form", "name"), [("text", "--agent"), ("json", "source.agent")])
def test_a_refused_line_is_told_by_what_its_writer_knows(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str, name: str
) -> None:
    loc = ["body", "memories", 0, "source", "agent"]
    errors = [{"loc": loc, "type": "string_type", "msg": "must be a text"}]
    server.will_answer({"results": [{"title": "No", "status": 422, "detail": "because", "errors": errors}]})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'\n{"content": "x"}\n')))

    assert run(server, "save", "-", "--lines", form) == Exit.REFUSED
    assert capsys.readouterr().out == f"line 2 was refused: {name} must be a text\n"


def test_every_field_of_a_refusal_is_an_option_of_some_verb() -> None:
    """`naming` derives options from fields; a field whose option is called otherwise has to stand in its table."""
    options = {
        option for parser in _parsers(build_parser()) for action in parser._actions for option in action.option_strings
    }
    sent = {"memory_types", "tags", "date_from", "date_to", "min_score", "include_stale", "dry_run", "memory_type"}
    sent |= {"canonical", "attributed_to", "asserted_at", "valid_from", "valid_until", "event_date", "metadata"}
    sent |= {"agent", "session", "channel", "trust", "pinned", "importance", "expires_at", "judge", "because"}
    sent |= {
        "expected_version",
        "role",
        "spaces",
        "default_space",
        "max_trust",
        "label",
        "limit",
        "cursor",
        "q",
        "space",
    }

    assert {naming.option([field]) for field in sent} <= options


def _parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for each in action.choices.values():
                yield from _parsers(each)


def test_a_gateway_s_own_refusal_is_told_too(server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.will_answer({"message": "Too Many Requests"}, 429)

    assert run(server, "list") == Exit.BUSY
    assert "Too Many Requests" in capsys.readouterr().err


def test_something_else_at_the_address_is_not_taken_for_a_server(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.will_answer(b"<html>hello</html>")

    assert run(server, "list") == Exit.UNEXPECTED
    assert "no palimpsest server" in capsys.readouterr().err


def test_no_server_is_not_reachable(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        code = main(["list", "--url", f"http://127.0.0.1:{bound.getsockname()[1]}"])

    assert code == Exit.UNREACHABLE
    assert "'palimpsest serve' starts one" in capsys.readouterr().err


def test_a_server_that_does_not_answer_in_time_is_not_reachable(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        code = main(["list", "--url", f"http://127.0.0.1:{silent.getsockname()[1]}", "--timeout", "0.05"])

    assert code == Exit.UNREACHABLE
    assert "did not answer within 0.05 s" in capsys.readouterr().err


def test_the_key_of_this_machine_is_used_for_its_own_server_alone(server: ScriptedServer, home: Path) -> None:
    (home / "key").write_text("plm_kept\n", "ascii")
    server.will_answer({"memories": [], "next_cursor": None})

    assert run(server, "list") == Exit.OK
    assert server.asked[0].headers["authorization"] == "Bearer plm_kept"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("192.0.2.1", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("", False),
    ],
)
def test_only_addresses_of_this_machine_get_its_key(host: str, expected: bool) -> None:
    assert is_here(host) is expected


@pytest.mark.parametrize("url", ["ftp://x", "127.0.0.1:8377", "http://", "http://127.0.0.1:port"])
def test_what_is_no_url_is_a_usage_error(url: str) -> None:
    assert main(["list", "--url", url]) == Exit.USAGE


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-verb"],
        ["save"],
        ["save", "x", "--type", "context"],
        ["save", "x", "--metadata", "[]"],
        ["list", "--limit", "0"],
        ["list", "--timeout", "-1"],
        ["keys"],
        ["completion", "cmd"],
    ],
)
def test_a_command_line_that_means_nothing_is_a_usage_error(arguments: list[str]) -> None:
    assert main(arguments) == Exit.USAGE


def test_a_setting_that_means_nothing_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PALIMPSEST_PORT", "eighty")

    assert main(["list"]) == Exit.USAGE
    assert capsys.readouterr().err == "palimpsest: PALIMPSEST_PORT takes a number from 0 to 65535\n"


def test_global_options_may_stand_before_the_verb() -> None:
    before = build_parser().parse_args(["--json", "--space", "home", "list"])
    after = build_parser().parse_args(["list", "--json", "--space", "home"])

    assert (before.json, before.space) == (after.json, after.space) == (True, "home")


def test_every_verb_has_help_and_every_exit_code_a_meaning() -> None:
    assert all(verb.help for verb in VERBS)
    assert len({verb.name for verb in VERBS}) == len(VERBS)
    assert set(MEANINGS) == set(Exit)
