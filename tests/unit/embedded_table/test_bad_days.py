"""What a full disk, a locked or damaged file and a closed folder come to: one error that says what to do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import CorruptItem, TableUnavailable
from palimpsest.ports.table import Add, Key, Put, Query, Update

KEY = Key("M#1", "H")
NOBODY = 65_534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def kept(path: Path) -> Path:
    """A file with one item."""
    with SqliteTable(path) as table:
        table.write(Put({"pk": "M#1", "sk": "H", "text": "kept"}))
    return path


def text_of(path: Path) -> object:
    with SqliteTable(path) as table:
        return table.get([KEY]).items[KEY]["text"]


def test_a_full_disk_refuses_the_write_and_keeps_what_there_is(kept: Path) -> None:
    with SqliteTable(kept) as table:
        limit_pages(table, 12)
        with pytest.raises(TableUnavailable, match=r"full.*nothing was written.*free some space"):
            table.transact([Put({"pk": "M#2", "sk": "H", "text": "x" * 300_000}), Update(KEY, (Add("count", 1),))])

        assert table.get([KEY, Key("M#2", "H")]).items == {KEY: {"pk": "M#1", "sk": "H", "text": "kept"}}

        limit_pages(table, 1_000_000)
        table.write(Put({"pk": "M#2", "sk": "H", "text": "x" * 300_000}))

    assert text_of(kept) == "kept"


def limit_pages(table: SqliteTable, pages: int) -> None:
    """As if the disk had no room for more."""
    with table._database.writing() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages}")


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import TableUnavailable
from palimpsest.ports.table import Put
table = SqliteTable(sys.argv[1])
done = 0
try:
    for number in range(100):
        table.write(Put({"pk": "M#1", "sk": f"{number:03}", "text": "x" * 20_000}))
        done += 1
except TableUnavailable as error:
    print(done, error)
"""


def test_a_limit_on_file_sizes_is_told_and_loses_nothing(path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    done, _, message = ran.stdout.partition(" ")
    assert "the disk" in message
    with SqliteTable(path) as table:
        assert len(table.query(Query("M#1", consistent=True)).items) == int(done) > 0


def test_a_file_locked_by_another_process_is_unavailable_and_then_is_not(kept: Path) -> None:
    with SqliteTable(kept, busy_timeout_seconds=0.05) as table, closing(sqlite3.connect(kept)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TableUnavailable, match="locked by another process"):
            table.write(Update(KEY, (Add("count", 1),)))
        assert table.get([KEY]).items[KEY]["text"] == "kept"

        other.rollback()
        table.write(Update(KEY, (Add("count", 1),)))
        assert table.get([KEY]).items[KEY]["count"] == 1


def test_a_damaged_header_is_told_when_the_file_is_opened(kept: Path) -> None:
    with kept.open("r+b") as file:
        file.write(b"not a database at all" * 8)

    with pytest.raises(TableUnavailable, match=r"its header is damaged.*restore a backup"):
        SqliteTable(kept)


def test_damaged_pages_are_told_when_they_are_read(path: Path) -> None:
    with SqliteTable(path) as table:
        table.write_batch([Put({"pk": "M#1", "sk": f"{number:03}", "text": "x" * 3_000}) for number in range(200)])
    with path.open("r+b") as file:
        file.seek(8 * 4_096)
        file.write(b"\xa5" * (path.stat().st_size - 9 * 4_096))

    with SqliteTable(path) as table, pytest.raises(TableUnavailable, match=r"it is damaged.*restore a backup"):
        table.get([Key("M#1", f"{number:03}") for number in range(200)])


@pytest.mark.parametrize("blob", [b"{", b"\xff", b"[]", b'{"pk":"M#1","sk":"other"}', b'{"":"!"}', b'{"":[]}'])
def test_an_item_that_can_not_be_read_is_named(kept: Path, blob: bytes) -> None:
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute("UPDATE items SET body = ?", (blob,))
        connection.commit()

    with SqliteTable(kept) as table, pytest.raises(CorruptItem, match="M#1 / H") as failure:
        table.get([KEY])

    assert failure.value.key == KEY


@contextmanager
def as_nobody() -> Iterator[None]:
    """Whoever runs the tests may be root, for whom every folder is writable."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with as_nobody(), pytest.raises(TableUnavailable, match="make the folder writable"):
            SqliteTable(tmp_path / "table.db")
    finally:
        tmp_path.chmod(0o755)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TableUnavailable, match="make its folder"):
        SqliteTable(tmp_path / "none" / "table.db")


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(TableUnavailable, match="can't be opened"):
        SqliteTable(tmp_path)


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (a)")

    with pytest.raises(TableUnavailable, match="another program"):
        SqliteTable(path)

    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]


def test_a_file_of_a_later_release_is_left_alone(kept: Path) -> None:
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute("PRAGMA user_version = 99")

    with pytest.raises(TableUnavailable, match=r"another release.*99"):
        SqliteTable(kept)


def test_a_table_that_was_closed_says_so(path: Path) -> None:
    table = SqliteTable(path)
    table.close()

    with pytest.raises(TableUnavailable):
        table.get([KEY])
    with pytest.raises(TableUnavailable):
        table.write(Put({"pk": "M#1", "sk": "H"}))


def test_only_its_owner_may_read_the_file(path: Path) -> None:
    with SqliteTable(path) as table:
        table.write(Put({"pk": "M#1", "sk": "H"}))

        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
