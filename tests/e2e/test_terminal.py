"""What a server shows to a person who watches it."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY

SETTINGS = {"PALIMPSEST_KEY": OWNER_KEY, "PALIMPSEST_LOG_LEVEL": "INFO", **NO_MODEL}
SHORT = re.compile(r"^\d\d:\d\d:\d\d (.+) (\d+) \d+ ms\r?$", re.MULTILINE)


@pytest.mark.parametrize(("has_terminal", "form"), [(True, "auto"), (False, "text")])
def test_each_request_is_one_short_line_that_tells_nothing_of_what_was_said(
    make_server: MakeServer, has_terminal: bool, form: str
) -> None:
    server = make_server(**SETTINGS, PALIMPSEST_LOG_FORMAT=form)
    server.has_terminal = has_terminal
    server.start()

    root = server.post("/memory/save", {"content": "a quokka"})["memory"]["root_id"]
    server.get(f"/memory/{root}")
    server.wait_for(lambda: "GET /memory/{id}" in server.output, "the line")

    assert SHORT.findall(server.output) == [
        ("GET /health", "200"),
        ("POST /memory/save", "201"),
        ("GET /memory/{id}", "200"),
    ]
    assert "quokka" not in server.output
    assert root not in server.output


def test_what_is_no_terminal_gets_json(make_server: MakeServer) -> None:
    server = make_server(**SETTINGS).start()

    server.wait_for(lambda: "request answered" in server.output, "the line")

    line = json.loads(next(line for line in server.output.splitlines() if line.startswith("{")))
    assert (line["route"], line["status"]) == ("GET /health", 200)
