"""The examples of docs/api and of the OpenAPI document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from palimpsest.api import descriptions, documents
from palimpsest.api.app import http_handler
from palimpsest.api.catalog import route_table
from palimpsest.api.type_words import type_words
from palimpsest.usecases.service import Service
from tests.functions.calling import call

PAGES = sorted(Path(__file__).parents[2].joinpath("docs/api").glob("*.md"))
EXAMPLE = re.compile(r"^```http\n([A-Z]+) (\S+)\n(?:\n(.+?)\n)?```$", re.MULTILINE | re.DOTALL)
EXAMPLES = [(page.stem, *found) for page in PAGES for found in EXAMPLE.findall(page.read_text("utf-8"))]
ROUTES = route_table().routes


@pytest.mark.parametrize(("page", "method", "path", "body"), EXAMPLES)
def test_each_example_of_the_pages_works(fresh: Service, page: str, method: str, path: str, body: str) -> None:
    answer = call(http_handler(lambda: fresh), method, path, body or None)

    assert 200 <= answer.status < 300, (page, answer.text)


def test_the_document_is_openapi_3_1_and_every_reference_in_it_leads_somewhere() -> None:
    document = documents.openapi()

    broken = [reference for reference in _references(document) if not _exists(document, reference)]

    assert document["openapi"].startswith("3.1")
    assert broken == []


def test_each_route_is_described_with_its_answers_and_its_problems() -> None:
    document = documents.openapi()

    operations = {
        (method.upper(), path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert operations.keys() == {(route.method, route.template) for route in ROUTES}
    assert len({operation["operationId"] for operation in operations.values()}) == len(operations)
    for route in ROUTES:
        operation = operations[route.method, route.template]
        assert operation["summary"]
        assert operation["tags"] == [route.tag]
        expected = {str(status) for status in route.answers}
        if route.role is not None:
            expected |= {"401", "403", "422", "429", "503"} | set(map(str, route.refusals))
            expected |= {"400", "413"} if route.method in ("POST", "PATCH") else set()
        assert operation["responses"].keys() == expected
        assert (operation.get("security") == []) == (route.role is None)


def test_each_example_of_a_request_is_valid() -> None:
    components = documents.openapi()["components"]

    for name, schema in components["schemas"].items():
        validator = jsonschema_rs.Draft202012Validator(
            {"components": components, "$ref": f"#/components/schemas/{name}"}
        )
        for example in schema.get("examples", ()):
            validator.validate(example)


def test_no_model_is_described_that_no_route_uses() -> None:
    document = documents.openapi()

    used = {reference.rpartition("/")[2] for reference in _references(document)}

    assert set(document["components"]["schemas"]) - used == set()


def test_each_field_has_a_type_and_a_meaning() -> None:
    schemas = documents.openapi()["components"]["schemas"]

    for name, schema in schemas.items():
        for field, about in schema.get("properties", {}).items():
            assert about["description"], (name, field)
            assert "title" not in about
            assert type_words(about, schemas) not in ("", "anything"), (name, field)


def test_no_field_is_described_that_is_not_there() -> None:
    schemas = documents.openapi()["components"]["schemas"]
    there = {(name, field) for name, schema in schemas.items() for field in schema.get("properties", {})}

    assert set(descriptions.WITHIN) - there == set()
    assert set(descriptions.FIELDS) - {field for _, field in there} == set()


def test_the_defaults_of_the_document_are_of_the_type_of_their_field() -> None:
    document = documents.openapi()

    for schema in document["components"]["schemas"].values():
        for about in schema.get("properties", {}).values():
            if "default" in about and about["default"] is not None:
                inner = {"components": document["components"], **about}
                jsonschema_rs.Draft202012Validator(inner).validate(about["default"])


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "maxLength": 256}, "text, at most 256 characters"),
        ({"type": "string", "maxLength": 102_400}, "text"),
        ({"type": "string", "format": "date-time"}, "instant"),
        ({"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}]}, "date or instant"),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, "true or false or null"),
        ({"type": "integer", "minimum": 1.0, "maximum": 999_999_999.0}, "whole number, 1 to 999,999,999"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 64}, "list (at most 64) of text"),
        ({"$ref": "#/components/schemas/Trust"}, "one of <code>a1</code>, <code>a2</code>, <code>b</code>"),
        ({"$ref": "#/components/schemas/KeyItem"}, "<a href='#KeyItem'>KeyItem</a>"),
        ({"type": "string", "const": "ok"}, "one of <code>ok</code>"),
    ],
)
def test_types_are_told_in_words(schema: dict[str, Any], words: str) -> None:
    assert type_words(schema, documents.openapi()["components"]["schemas"]) == words


def test_the_page_has_no_backticks_and_every_link_in_it_leads_somewhere() -> None:
    text = documents.routes_page()

    assert "`" not in text + documents.errors_page()
    ids = re.findall(r" id='([^']+)'", text)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"href='#([^']+)'", text)) - set(ids) == set()
    assert "<code>memory_type</code></td><td>one of <code>fact</code>" in text


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for part in value.values() for found in _references(part)]
    return [found for part in value for found in _references(part)] if isinstance(value, list) else []


def _exists(document: Any, reference: str) -> bool:
    for part in reference.removeprefix("#/").split("/"):
        if part not in document:
            return False
        document = document[part]
    return True
