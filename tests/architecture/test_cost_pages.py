"""The pages of cost and scale hold what follows from measured units, prices and assumptions: worked out anew."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from harness import backlog
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from tests.architecture import tree
from tests.support.costs import Costs

COST, SCALE = "docs/operate/cost.md", "docs/operate/scale.md"


@pytest.mark.parametrize(
    ("page", "table"),
    [
        (COST, Costs().idle()),
        (COST, Costs().per_many()),
        (SCALE, Costs().load()),
        (SCALE, Costs().month_of_load()),
    ],
    ids=["idle", "use", "load", "month"],
)
def test_a_table_of_costs_is_what_follows_from_measured_units(page: str, table: list[str]) -> None:
    text = (tree.ROOT / page).read_text("utf-8")

    assert "\n".join(table) in text, "the table should read:\n\n" + "\n".join(table)


def test_an_idle_month_stays_under_the_goal() -> None:
    total = Costs().idle()[-1]

    assert Decimal(re.findall(r"[\d.]+", total)[-1]) <= 3


def test_a_row_of_the_log_takes_the_units_that_the_page_assumes() -> None:
    with SqliteTable() as table:
        units = table.transact([backlog.row_of(characters=2_048)])

    assert units.write == Costs().assumed["log-row-write-units"]
