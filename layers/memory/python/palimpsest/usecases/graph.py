"""The verbs of the graph, as one part of the service."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.usecases.decide_duplicates import DecideDuplicates
from palimpsest.usecases.entities import ManageEntities
from palimpsest.usecases.index_graph import IndexGraph
from palimpsest.usecases.merge_entities import MergeEntities
from palimpsest.usecases.read_entity import ReadEntity
from palimpsest.usecases.related import FindRelated
from palimpsest.usecases.show_entities import ShowEntities
from palimpsest.usecases.view_around import ViewAround
from palimpsest.usecases.view_graph import ViewGraph


@dataclass(frozen=True, slots=True)
class Graph:
    """What callers can do with entities and what joins them."""

    show: ShowEntities
    read: ReadEntity
    entities: ManageEntities
    merge: MergeEntities
    related: FindRelated
    view: ViewGraph
    around: ViewAround
    index: IndexGraph
    duplicates: DecideDuplicates
