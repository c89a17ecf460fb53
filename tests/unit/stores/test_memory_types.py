"""A memory type that is none can't be stored: not through the codec, and not past it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import lineage
from palimpsest.domain.belief import Annotations
from palimpsest.domain.ids import KeyId, RootId, SpaceId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import MemoryType, Statement
from palimpsest.ports.table import Put, Set, Update
from palimpsest.stores import belief_codec, keys

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
ROOT = RootId("mem_1")


def test_the_codec_refuses_what_is_no_memory_type() -> None:
    statement = Statement("x", asserted_at=NOW)
    step = lineage.begin(
        ROOT, SpaceId("s"), statement, Stamp(NOW, KeyId("k")), annotations=Annotations(), embedded=False
    )
    context = replace(statement, memory_type="context")  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="context"):
        belief_codec.version_item(replace(step.added, statement=context))


@pytest.mark.parametrize("word", ["context", "", "FACT"])
def test_the_table_refuses_it_from_whoever_writes_past_the_codec(tmp_path: Path, word: str) -> None:
    place = keys.version(ROOT, 1)
    with SqliteTable(tmp_path / "table.db") as table:
        table.write(Put({"pk": place.pk, "sk": place.sk, "memory_type": str(MemoryType.FACT)}))

        for write in (
            Put({"pk": place.pk, "sk": "V#2", "memory_type": word}),
            Update(place, (Set("memory_type", word),)),
        ):
            with pytest.raises(ValueError, match="takes no such item"):
                table.write(write)
            with pytest.raises(ValueError, match="takes no such item"):
                table.transact([write])

        assert table.get([place]).items[place]["memory_type"] == "fact"
