"""An old copy of the data folder under a newer ledger: what was erased since is not served, and then it is gone."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from palimpsest.local.cli.client import Problem
from palimpsest.local.exits import Exit
from tests.e2e.conftest import NO_MODEL, MakeServer
from tests.support.server_process import OWNER_KEY, ServerProcess

SECRET = "The vault stands behind Peregrine marmalade"
WORDS = (b"peregrine", b"marmalade", b"marmalad")


def holding(folder: Path) -> list[str]:
    """The files that hold a word of the secret."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path.name for path in files if any(word in path.read_bytes().lower() for word in WORDS))


def erase(server: ServerProcess, root: str) -> None:
    server.post(f"/memory/{root}/erase", {})
    verified(server, root)


def verified(server: ServerProcess, root: str) -> None:
    place = f"/erasures/{root.replace('mem_', 'era_')}"
    server.wait_for(lambda: server.get(place)["state"] == "verified" or None, "the receipt")


def test_an_old_copy_of_the_folder_serves_nothing_that_was_erased_since(
    make_server: MakeServer, tmp_path: Path
) -> None:
    settings = {**NO_MODEL, "PALIMPSEST_KEY": OWNER_KEY, "PALIMPSEST_LEDGER_DIR": str(tmp_path / "elsewhere")}
    running = make_server("data", **settings).start()
    saved = running.post("/memory/save", {"content": SECRET})["memory"]
    kept = running.post("/memory/save", {"content": "The spare key is under the third pot"})["memory"]
    assert running.stop() == 0
    shutil.copytree(running.folder, tmp_path / "copy")
    running.start()
    erase(running, saved["root_id"])
    assert running.stop() == 0
    assert holding(running.folder) == []
    assert "table.db" in holding(tmp_path / "copy")

    restored = make_server("copy", **settings).start()  # the port opens only when the ledger was applied

    with pytest.raises(Problem, match="no such memory"):
        restored.get(f"/memory/{saved['root_id']}")
    found = restored.post("/memory/recall", {"query": "what stands behind the vault"})["results"]
    assert [each["memory"]["root_id"] for each in found if each["memory"]["root_id"] != kept["root_id"]] == []
    assert restored.get(f"/memory/{kept['root_id']}")["content"] == kept["content"]
    verified(restored, saved["root_id"])
    assert restored.stop() == 0
    assert holding(restored.folder) == []


def test_a_server_whose_ledger_is_not_the_tables_does_not_start(make_server: MakeServer, tmp_path: Path) -> None:
    settings = {**NO_MODEL, "PALIMPSEST_KEY": OWNER_KEY}
    running = make_server("data", **settings).start()
    assert running.stop() == 0

    other = make_server("data", **settings, PALIMPSEST_LEDGER_DIR=str(tmp_path / "empty"))
    other.launch()

    assert other.ended() == Exit.STORE
    assert "the ledger of erased ids is not this table's: it lacks the entry erased/" in other.output
    (key,) = (path.name for path in (running.folder / "ledger" / "erased").iterdir())
    (tmp_path / "empty" / "erased").mkdir(parents=True)
    (tmp_path / "empty" / "erased" / key).touch()
    assert other.start().stop() == 0


def test_a_table_that_comes_without_its_ledger_begins_one_and_says_so(make_server: MakeServer, tmp_path: Path) -> None:
    settings = {**NO_MODEL, "PALIMPSEST_KEY": OWNER_KEY}
    running = make_server("data", **settings).start()
    assert running.stop() == 0
    (tmp_path / "bare").mkdir()
    with (
        sqlite3.connect(running.folder / "table.db") as source,
        sqlite3.connect(tmp_path / "bare" / "table.db") as target,
    ):
        source.backup(target)

    bare = make_server("bare", **settings).start()

    assert "the ledger of erased ids was gone, so a new one began" in bare.output
    assert bare.stop() == 0
    bare.start()
    assert "ledger" not in bare.output.replace(str(tmp_path), "")
    assert bare.stop() == 0
