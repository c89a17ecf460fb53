"""Finding routes."""

from __future__ import annotations

import pytest

from palimpsest.api.catalog import route_table


@pytest.mark.parametrize(
    ("method", "path", "template"),
    [
        ("GET", "/memory/list", "/memory/list"),
        ("GET", "/memory/mem_1", "/memory/{id}"),
        ("DELETE", "/memory/mem_1@2", "/memory/{id}"),
        ("GET", "/memory/mem_1%402/history", "/memory/{id}/history"),
        ("POST", "/keys/k/rotate", "/keys/{id}/rotate"),
        ("GET", "/memory/save", None),
        ("PUT", "/memory/save", None),
        ("GET", "/memory/", None),
        ("GET", "/memory/a/b/c", None),
        ("GET", "/", None),
    ],
)
def test_a_request_finds_its_route(method: str, path: str, template: str | None) -> None:
    route = route_table().find(method, path)

    assert (route and route.template) == template


def test_a_path_knows_its_methods() -> None:
    assert route_table().methods("/memory/save") == ("POST",)
    assert route_table().methods("/memory/mem_1") == ("DELETE", "GET", "HEAD", "PATCH")
    assert route_table().methods("/nowhere") == ()


def test_without_pages_nothing_describes_the_routes() -> None:
    assert route_table(with_pages=False).find("GET", "/docs") is None
    assert route_table(with_pages=False).find("GET", "/health") is not None


def test_names_of_query_parameters_are_those_of_the_wire() -> None:
    route = route_table().find("GET", "/memory/mem_1/diff")

    assert route is not None
    assert route.query_names == {"from", "to"}
