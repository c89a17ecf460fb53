"""A gateway event, read once."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any

import pytest

from palimpsest.api.failures import InvalidRequest, TooLarge, Unreadable
from palimpsest.api.incoming import BODY_LIMIT_BYTES, Incoming, parse_json


def event(path: str = "/memory/save", **changes: Any) -> dict[str, Any]:
    http = {"method": "POST", "path": path}
    return {"rawPath": path, "requestContext": {"requestId": "r-1", "stage": "$default", "http": http}, **changes}


@pytest.mark.parametrize(
    ("stage", "path", "expected"),
    [
        ("$default", "/memory/list", "/memory/list"),
        ("$default", "/v1/memory/list", "/memory/list"),
        ("$default", "/v1", "/"),
        ("$default", "/v1/v1/memory/list", "/v1/memory/list"),
        ("$default", "/v10/memory/list", "/v10/memory/list"),
        ("prod", "/prod/v1/memory/list", "/memory/list"),
        ("prod", "/production/memory/list", "/production/memory/list"),
    ],
)
def test_stage_and_version_prefix_are_taken_off_the_path_once(stage: str, path: str, expected: str) -> None:
    context = {"requestId": "r-1", "stage": stage, "http": {"method": "GET", "path": path}}

    request = Incoming.of({"rawPath": path, "requestContext": context}, None)

    assert request.path == expected


def test_without_a_request_id_the_id_of_the_lambda_call_is_told() -> None:
    request = Incoming.of({}, SimpleNamespace(aws_request_id="lambda-1"))

    assert (request.request_id, request.method, request.path) == ("lambda-1", "GET", "/")


@pytest.mark.parametrize("is_base64", [False, True])
def test_a_body_of_exactly_the_limit_is_read_and_one_more_byte_is_too_large(is_base64: bool) -> None:
    def sent(size: int) -> Incoming:
        text = "ż" * (size // 2) + "x" * (size % 2)
        body = base64.b64encode(text.encode()).decode() if is_base64 else text
        return Incoming.of(event(body=body, isBase64Encoded=is_base64), None)

    assert len(sent(BODY_LIMIT_BYTES).body_text().encode()) == BODY_LIMIT_BYTES
    with pytest.raises(TooLarge):
        sent(BODY_LIMIT_BYTES + 1).body_text()


@pytest.mark.parametrize("body", [base64.b64encode(b"\xff\xfe{}").decode(), "e30=!", "e30"])
def test_a_body_that_is_no_utf8_or_no_base64_is_unreadable(body: str) -> None:
    with pytest.raises(Unreadable):
        Incoming.of(event(body=body, isBase64Encoded=True), None).body_text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{not json",
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 5_000 + "}",
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 2}}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "\ufeff{}",
        "{} {}",
    ],
)
def test_what_is_no_json_text_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_json(text)


@pytest.mark.parametrize("text", ["[]", '[{"content": "x"}]', "null", "5", '"x"', "true"])
def test_json_that_is_no_object_is_invalid(text: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_json(text)


def test_large_integers_survive_parsing() -> None:
    assert parse_json('{"n": 90071992547409930001}') == {"n": 90071992547409930001}


def test_a_retry_may_differ_in_white_space_and_in_the_order_of_names_only() -> None:
    def mark(body: str, path: str = "/memory/save") -> object:
        return Incoming.of(event(path, headers={"Idempotency-Key": "k"}), None).idempotency(body)

    assert mark('{"a": 1, "b": [1, 2]}') == mark('{"b":[1,2],"a":1}') == mark('{"b":[1,2],"a":1}', "/v1/memory/save")
    assert mark('{"a": 1}') != mark('{"a": 2}')
    assert mark('{"a": [1, 2]}') != mark('{"a": [2, 1]}')
    assert mark("", "/memory/a/forget") != mark("", "/memory/b/forget")
    assert mark("", "/memory/a/forget") == mark("{}", "/memory/a/forget")


@pytest.mark.parametrize("key", ["", " ", "a b", "ż", "a" * 256, "a\n"])
def test_an_idempotency_key_is_1_to_255_visible_ascii_characters(key: str) -> None:
    request = Incoming.of(event(headers={"idempotency-key": key}), None)

    with pytest.raises(InvalidRequest):
        request.idempotency("{}")


def test_without_the_header_there_is_no_mark() -> None:
    assert Incoming.of(event(), None).idempotency("{}") is None
