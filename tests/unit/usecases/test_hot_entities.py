"""Of an entity that very much names, no more is read than is looked at."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.ids import EntityId
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.related import RelatedQuery
from palimpsest.usecases.view_around import AroundQuery
from tests.support.graph import entities, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.metered_table import MeteredTable


class Hot:
    """An installation with a document of so many sections, each of which names the same two people."""

    def __init__(self, folder: Path, sections: int) -> None:
        self.sqlite = SqliteTable(":memory:")
        self.table = MeteredTable(self.sqlite)
        self.memory: Installation = install(folder, table=self.table, sqlite=self.sqlite)
        text = "\n\n".join(f"## Visit {n}\n\nOla Nowak met Piotr Mazur." for n in range(sections))
        self.memory.wired.service.add_document(OWNER, Sending("visits.md", text.encode()))
        settle(self.memory)
        self.entity: EntityId = entities(self.memory)["Ola Nowak"].id

    def costs(self) -> dict[str, Decimal]:
        """Read units of each look at her."""
        graph = self.memory.wired.service.graph
        looks: dict[str, Callable[[], object]] = {
            "around": lambda: graph.around(OWNER, AroundQuery(self.entity, limit=20)),
            "related": lambda: graph.related(OWNER, self.entity, RelatedQuery(hops=3)),
            "read": lambda: graph.read(OWNER, self.entity),
        }
        costs = {}
        for name, look in looks.items():
            self.table.begin()
            look()
            costs[name] = self.table.spent.read
        self.sqlite.close()
        return costs


def test_a_look_at_an_entity_costs_the_same_however_much_names_it(tmp_path: Path) -> None:
    some, many = (Hot(tmp_path / str(sections), sections).costs() for sections in (150, 600))

    assert many == pytest.approx(some, rel=Decimal("0.05"))
