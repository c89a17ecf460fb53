"""All routes of this API."""

from __future__ import annotations

from palimpsest.api import (
    access,
    conflicts,
    contexts,
    conversations,
    duplicates,
    entities,
    erasures,
    graph,
    library,
    lineage,
    memories,
    ratings,
    recall,
    runs,
    service,
    spaces,
    stats,
    uploads,
    vocabulary,
)
from palimpsest.api.surface import RouteTable

_RESOURCES = (
    memories.routes,
    lineage.routes,
    conflicts.routes,
    erasures.routes,
    recall.routes,
    ratings.routes,
    contexts.routes,
    library.routes,
    uploads.routes,
    conversations.routes,
    vocabulary.routes,
    duplicates.routes,
    entities.routes,
    graph.routes,
    runs.routes,
    spaces.routes,
    stats.routes,
    access.routes,
    service.routes,
)


def route_table(*, with_pages: bool = True) -> RouteTable:
    """The routes, with or without the pages that describe them."""
    pages = service.pages.all if with_pages else []
    return RouteTable([route for resource in _RESOURCES for route in resource.all] + pages)
