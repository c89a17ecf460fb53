"""What earlier releases wrote is read by this one, and means the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import NewerItem
from palimpsest.ports.table import Item, Put
from palimpsest.stores.kinds import NOW
from tests.recorded.plain import item_of, plain, says_all_of
from tests.recorded.reading import Reading
from tests.recorded.recording import FOLDER, recordings
from tests.recorded.recording import live as live_as_recorded
from tests.support.installation import install

RECORDED = sorted(FOLDER.glob("*.json"))


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    """A table that holds every recording, the newest form of each kind."""
    with SqliteTable() as table:
        for path in RECORDED:
            table.write(Put(item_of(load(path)["item"])))
        yield table


def load(path: Path) -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return recorded


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_item_is_read_and_means_what_it_meant(table: SqliteTable, path: Path) -> None:
    recorded = load(path)
    stored = item_of(recorded["item"])
    table.write(Put(stored))

    means = plain(Reading(table).of(path.stem.partition(".")[0], stored))

    assert says_all_of(means, recorded["means"]), (means, recorded["means"])


def test_every_form_of_every_kind_has_a_recording() -> None:
    wanted = {f"{kind.name}.{form}" for kind in NOW.by_name.values() for form in range(1, kind.reads + 1)}

    assert {path.stem for path in RECORDED} == wanted, "see tests/recorded/README.md"


def test_every_kind_that_is_written_is_a_kind_that_is_recorded(tmp_path: Path) -> None:
    memory = install(tmp_path)
    live_as_recorded(memory)

    written = {name.partition(".")[0] for name, _ in recordings(memory.sqlite)}

    assert written == set(NOW.by_name)
    memory.sqlite.close()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_an_attribute_that_a_newer_release_added_is_passed_over(table: SqliteTable, path: Path) -> None:
    recorded = load(path)
    stored: Item = {**item_of(recorded["item"]), "added_later": ["what", 1, b"ever"]}
    table.write(Put(stored))

    means = plain(Reading(table).of(path.stem.partition(".")[0], stored))

    assert says_all_of(means, recorded["means"])


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_form_that_only_a_newer_release_knows_is_refused_and_never_guessed_at(table: SqliteTable, path: Path) -> None:
    kind = path.stem.partition(".")[0]
    stored: Item = {**item_of(load(path)["item"]), "_v": NOW.by_name[kind].reads + 1}
    table.write(Put(stored))

    with pytest.raises(NewerItem):
        Reading(table).of(kind, stored)
