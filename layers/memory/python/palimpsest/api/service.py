"""What runs, and the pages that describe this API."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response

from palimpsest import __version__
from palimpsest.api import documents
from palimpsest.api.surface import Call, Routes, Surface, Writes
from palimpsest.api.wire.service import HealthAnswer, RebuildAnswer, StatusAnswer
from palimpsest.domain.access import Role

routes = Routes("service")
pages = Routes("pages")
_PAGE = "docs/api/service.md"
_HTML_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}


@routes.route(
    "GET",
    "/health",
    summary="Whether it runs",
    role=None,
    answers={200: HealthAnswer},
    surface=Surface(f"{_PAGE}#health", cli="status"),
)
def get_health() -> HealthAnswer:
    """Needs no key and touches nothing."""
    return HealthAnswer(version=__version__)


@routes.route(
    "GET",
    "/status",
    summary="What runs, with which models",
    role=Role.READER,
    answers={200: StatusAnswer},
    surface=Surface(f"{_PAGE}#status", cli="status"),
)
def get_status(call: Call) -> StatusAnswer:
    """Store, embedding model, search index and how far it lags."""
    return StatusAnswer.of(call.service.report_status(call.caller))


@routes.route(
    "POST",
    "/admin/index/rebuild",
    summary="Build the search index anew from the table",
    role=Role.OWNER,
    answers={202: RebuildAnswer},
    writes=Writes.ONCE,
    surface=Surface(f"{_PAGE}#rebuild-the-index", cli="rebuild-index"),
)
def rebuild_index(call: Call) -> RebuildAnswer:
    """The old index answers until the new one is ready."""
    return RebuildAnswer.of(call.service.rebuild_index(call.caller, call.idempotency))


@pages.route(
    "GET",
    "/openapi.json",
    summary="This document",
    role=None,
    answers={200: "application/json"},
    surface=Surface(f"{_PAGE}#openapi", why_no_cli="for code generators"),
)
def get_openapi() -> Response[str]:
    """OpenAPI 3.1."""
    return Response(200, "application/json", documents.openapi_json())


@pages.route(
    "GET",
    "/docs",
    summary="This API as a page",
    role=None,
    answers={200: "text/html"},
    surface=Surface(f"{_PAGE}#docs", why_no_cli="for a browser"),
)
def get_docs() -> Response[str]:
    """Without scripts, and without a call to any other host."""
    return Response(200, "text/html; charset=utf-8", documents.routes_page(), headers=_HTML_HEADERS)


@pages.route(
    "GET",
    "/docs/errors",
    summary="The types of problems as a page",
    role=None,
    answers={200: "text/html"},
    surface=Surface(f"{_PAGE}#docs", why_no_cli="for a browser"),
)
def get_errors_page() -> Response[str]:
    """Where the `type` of a problem leads."""
    return Response(200, "text/html; charset=utf-8", documents.errors_page(), headers=_HTML_HEADERS)
