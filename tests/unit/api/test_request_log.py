"""What is told of a request, to programs and to people."""

from __future__ import annotations

import json
import re

import pytest

from palimpsest.api.options import EdgeOptions
from palimpsest.api.request_log import request_log

WHAT = {"route": "GET /memory/{id}", "request_id": "request-1"}


def test_a_person_gets_one_short_line_for_a_request(capsys: pytest.CaptureFixture[str]) -> None:
    log = request_log(EdgeOptions(log_format="text"))

    log.answered(status=200, took_ms=3.4, key="key-1", **WHAT)

    (line,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d\d:\d\d:\d\d GET /memory/\{id\} 200 3 ms", line)


def test_a_person_is_told_of_a_failure_without_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    log = request_log(EdgeOptions(log_format="text"))

    try:
        raise ValueError("the words of somebody")
    except ValueError as error:
        log.failed(error, **WHAT)

    (line,) = capsys.readouterr().out.splitlines()
    assert re.search(r"GET /memory/\{id\} failed: ValueError at test_request_log.py:\d+ \S+, request request-1$", line)


@pytest.mark.parametrize("form", ["text", "json"])
def test_from_warning_on_requests_that_were_answered_are_not_told(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = request_log(EdgeOptions(log_format=form, log_level="WARNING", service_name=f"quiet-{form}"))

    log.answered(status=200, took_ms=3.4, key=None, **WHAT)

    assert capsys.readouterr().out == ""


def test_a_program_gets_json(capsys: pytest.CaptureFixture[str]) -> None:
    request_log(EdgeOptions(service_name="programs")).answered(status=200, took_ms=3.4, key="key-1", **WHAT)

    line = json.loads(capsys.readouterr().out)
    assert (line["route"], line["status"], line["took_ms"], line["key_id"]) == ("GET /memory/{id}", 200, 3.4, "key-1")
