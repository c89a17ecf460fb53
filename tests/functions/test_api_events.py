"""Every recorded event of the api function, through the real handler."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from palimpsest.api import documents
from palimpsest.api.app import http_handler
from palimpsest.api.catalog import route_table
from palimpsest.api.incoming import Incoming
from palimpsest.usecases.service import Service

SAMPLES = sorted(Path(__file__).parents[2].joinpath("events/api").glob("*.json"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_each_event_is_answered_with_the_status_in_its_name_and_as_documented(
    sample: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    event = json.loads(sample.read_text("utf-8"))
    status = int(sample.stem[:3])
    changes_nothing = status >= 400 or event["requestContext"]["http"]["method"] in ("GET", "HEAD")
    service: Service = request.getfixturevalue("unchanged" if changes_nothing else "fresh")
    capsys.readouterr()

    answer = http_handler(lambda: service)(event, None)

    assert answer["statusCode"] == status, answer["body"]
    assert answer["headers"]["x-request-id"] == event["requestContext"]["requestId"]
    assert answer["isBase64Encoded"] is (status < 400 and event["rawPath"].endswith("/original"))
    _check_shape(event, answer)
    _check_log(event, answer, capsys.readouterr().out)


def _check_shape(event: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
    """The body is what the OpenAPI document promises for this route and this status."""
    request = Incoming.of(event, None)
    media_type = answer["headers"]["content-type"].partition(";")[0]
    route = route_table().find(request.routed_method, request.path)
    if route is None:
        assert media_type == "application/problem+json"
        reference = "#/components/schemas/ProblemItem"
    else:
        described = documents.openapi()["paths"][route.template][route.method.lower()]["responses"]
        contents = _resolved(described[str(answer["statusCode"])])["content"]
        schema = (contents.get(media_type) or contents["*/*"])["schema"]
        reference = schema.get("$ref", "")
    if request.is_head:
        assert answer["body"] == ""
    elif reference:
        _validator(reference).validate(json.loads(answer["body"]))


@cache
def _validator(reference: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"components": documents.openapi()["components"], "$ref": reference})


def _resolved(response: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(response.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = documents.openapi()["components"]["responses"][name] if name else response
    return found


def _check_log(event: Mapping[str, Any], answer: Mapping[str, Any], log: str) -> None:
    """One line, with the fields that find a request and without anything that was sent."""
    (line,) = map(json.loads, log.splitlines())
    assert line["message"] == "request answered"
    assert line["status"] == answer["statusCode"]
    assert line["request_id"] == event["requestContext"]["requestId"]
    assert line.keys() <= {
        "level", "message", "timestamp", "service", "route", "status", "took_ms", "request_id", "key_id"
    }  # fmt: skip
    assert event["headers"].get("authorization", "nothing").rpartition(" ")[2] not in log
    assert "mem_" not in log
    assert "doc_" not in log
