"""The examples of docs/api and of the OpenAPI document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from palimpsest.api import documents
from palimpsest.api.app import http_handler
from palimpsest.api.catalog import route_table
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
