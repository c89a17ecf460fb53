"""The labelled queries under `tests/corpora/asking`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime

from tests.support.corpora import FOLDER

NOW = datetime(2025, 6, 11, 12, tzinfo=UTC)
"""When the queries are asked: a Wednesday."""


@dataclass(frozen=True)
class DatedQuery:
    """A query and the days that it asks for, an open end as None; `names_time` is false where it asks for none."""

    query: str
    first: date | None
    last: date | None
    names_time: bool
    is_mention: bool


def dated_queries() -> tuple[DatedQuery, ...]:
    """Phrases and whole queries in English and Polish."""
    lines = (FOLDER / "asking" / "dates.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_dated(json.loads(line)) for line in lines)


def _dated(row: dict[str, str | bool | None]) -> DatedQuery:
    first, last = (date.fromisoformat(str(row[end])) if row.get(end) else None for end in ("first", "last"))
    return DatedQuery(str(row["query"]), first, last, "first" in row, bool(row.get("is_mention")))
