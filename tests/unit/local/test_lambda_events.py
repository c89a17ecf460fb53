"""HTTP becomes API Gateway v2 events and comes back."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.local.lambda_events import (
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    http_response,
    request_event,
)

AT = datetime(2026, 11, 29, 21, 5, 7, 123000, tzinfo=UTC)
JSON = (("content-type", "application/json"),)


def event_of(
    *, query: str = "", headers: tuple[tuple[str, str], ...] = (), body: bytes = b"", path: str = "/memory/save"
) -> dict[str, Any]:
    return request_event(HttpRequest("POST", path, query, headers, body), request_id="r-1", at=AT)


def body_of(event: dict[str, Any]) -> bytes:
    text = event.get("body", "")
    return base64.b64decode(text) if event["isBase64Encoded"] else text.encode()


def test_an_event_has_what_the_gateway_sends() -> None:
    headers = (("host", "127.0.0.1:8377"), ("user-agent", "curl/8"), ("content-type", "application/json"))

    event = event_of(query="space=home&tags=a&tags=b&q=", headers=headers, body=b'{"content": "x"}')

    assert event == {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/memory/save",
        "rawQueryString": "space=home&tags=a&tags=b&q=",
        "headers": {"host": "127.0.0.1:8377", "user-agent": "curl/8", "content-type": "application/json"},
        "queryStringParameters": {"space": "home", "tags": "a,b", "q": ""},
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": "127.0.0.1:8377",
            "domainPrefix": "127",
            "http": {
                "method": "POST",
                "path": "/memory/save",
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": "curl/8",
            },
            "requestId": "r-1",
            "routeKey": "$default",
            "stage": "$default",
            "time": "29/Nov/2026:21:05:07 +0000",
            "timeEpoch": 1795986307123,
        },
        "body": '{"content": "x"}',
        "isBase64Encoded": False,
    }


def test_what_is_absent_is_not_in_the_event() -> None:
    event = event_of()

    assert not {"body", "cookies", "queryStringParameters"} & set(event)
    assert event["isBase64Encoded"] is False


def test_repeated_headers_are_joined_and_cookies_stand_apart() -> None:
    headers = (("accept", "a"), ("cookie", "one=1; two=2"), ("accept", "b"), ("cookie", "three=3"))

    event = event_of(headers=headers)

    assert event["headers"] == {"accept": "a,b"}
    assert event["cookies"] == ["one=1", "two=2", "three=3"]


@pytest.mark.parametrize(
    ("content_type", "body", "is_base64"),
    [
        ("application/json", b"{}", False),
        ("Application/JSON; charset=utf-8", "ł".encode(), False),
        ("application/merge-patch+json", b"{}", False),
        ("text/plain", b"x", False),
        ("application/json", b"\xff\xfe{}", True),
        ("application/x-www-form-urlencoded", b"a=1", True),
        ("", b"a=1", True),
    ],
)
def test_only_text_that_is_utf8_travels_as_text(content_type: str, body: bytes, is_base64: bool) -> None:
    event = event_of(headers=(("content-type", content_type),), body=body)

    assert event["isBase64Encoded"] is is_base64
    assert body_of(event) == body


@given(st.binary(max_size=200), st.sampled_from(["application/json", "text/plain", "image/png", ""]))
def test_every_body_arrives_as_it_was_sent(body: bytes, content_type: str) -> None:
    assert body_of(event_of(headers=(("content-type", content_type),), body=body)) == body


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.text(max_size=8)), max_size=6))
def test_every_query_arrives_raw_and_decoded(pairs: list[tuple[str, str]]) -> None:
    query = urlencode(pairs, errors="replace")

    event = event_of(query=query)

    decoded = parse_qsl(query, keep_blank_values=True)
    expected = {name: ",".join(v for n, v in decoded if n == name) for name, _ in decoded}
    assert event.get("queryStringParameters", {}) == expected
    assert event["rawQueryString"] == query


@given(
    st.lists(
        st.tuples(
            st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=12).filter(lambda name: name != "cookie"),
            st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF), max_size=12),
        ),
        max_size=6,
    )
)
def test_every_header_arrives(headers: list[tuple[str, str]]) -> None:
    event = event_of(headers=tuple(headers))

    assert event["headers"] == {name: ",".join(v for n, v in headers if n == name) for name, _ in headers}


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3))
def test_events_are_json_and_powertools_reads_them(fields: dict[str, str]) -> None:
    event = json.loads(json.dumps(event_of(headers=JSON, body=json.dumps(fields).encode())))

    read = APIGatewayProxyEventV2(event)

    assert read.json_body == fields
    assert (read.path, read.http_method, read.request_context.request_id) == ("/memory/save", "POST", "r-1")


def test_the_path_is_the_decoded_one() -> None:
    assert event_of(path="/memory/mem_1@2")["rawPath"] == "/memory/mem_1@2"


def test_an_answer_becomes_http() -> None:
    answer = {
        "statusCode": 201,
        "headers": {"Content-Type": "application/json", "X-Request-Id": "r"},
        "cookies": ["a=1", "b=2"],
        "body": '{"ł": 1}',
        "isBase64Encoded": False,
    }

    assert http_response(answer) == HttpResponse(
        201,
        (("content-type", "application/json"), ("x-request-id", "r"), ("set-cookie", "a=1"), ("set-cookie", "b=2")),
        '{"ł": 1}'.encode(),
    )


def test_an_answer_in_base64_becomes_its_bytes() -> None:
    answer = {"statusCode": 200, "body": base64.b64encode(b"\xff\x00").decode(), "isBase64Encoded": True}

    assert http_response(answer).body == b"\xff\x00"


def test_an_answer_without_a_status_is_the_body_of_a_200() -> None:
    assert http_response({"ok": True}) == HttpResponse(200, (("content-type", "application/json"),), b'{"ok": true}')


@pytest.mark.parametrize(
    "answer",
    [
        {"statusCode": "ok"},
        {"statusCode": 42},
        {"statusCode": 200, "body": {"not": "text"}},
        {"statusCode": 200, "body": "=", "isBase64Encoded": True},
        {"statusCode": 200, "body": "\ud800"},
        {"statusCode": 200, "headers": {"x": "a\r\nset-cookie: b"}},
        {"no status": {1, 2}},
    ],
)
def test_an_answer_that_is_no_http_is_refused(answer: dict[str, Any]) -> None:
    with pytest.raises(MalformedAnswer):
        http_response(answer)


@given(st.text(max_size=20))
def test_quoted_paths_decode_to_what_was_quoted(text: str) -> None:
    path = "/memory/" + text.encode("utf-8", "replace").decode()

    event = event_of(path=path, query=quote(text, errors="replace"))

    assert event["rawPath"] == path
