"""Expiry and checkpoints: what the scheduler of one machine does for the table."""

from __future__ import annotations

from pathlib import Path

from palimpsest.adapters.embedded.change_stream import StreamEvent
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.ports.table import Index, Key, Put, Query, Remove, Set, Update

NOW = 1_800_000_000


def test_only_what_is_past_its_time_is_taken_away() -> None:
    with SqliteTable() as table:
        for ttl in (NOW - 1, NOW, NOW + 1):
            table.write(Put({"pk": "M#1", "sk": str(ttl - NOW), "ttl": ttl}))
        table.write(Put({"pk": "M#1", "sk": "for ever"}))

        assert table.expire(NOW) == 1
        assert [item["sk"] for item in table.query(Query("M#1")).items] == ["0", "1", "for ever"]
        assert table.expire(NOW) == 0


def test_a_time_to_live_that_was_moved_or_removed_counts_as_it_is_now() -> None:
    key, other = Key("M#1", "1"), Key("M#1", "2")
    with SqliteTable() as table:
        for each in (key, other):
            table.write(Put({"pk": each.pk, "sk": each.sk, "ttl": NOW - 1}))
        table.write(Update(key, (Set("ttl", NOW + 9),)))
        table.write(Update(other, (Remove("ttl"),)))

        assert table.expire(NOW) == 0


def test_any_number_of_items_expires_out_of_the_indexes_and_into_the_stream() -> None:
    with SqliteTable() as table:
        table.write_batch(
            [Put({"pk": "T#1", "sk": f"{n:03}", "g1pk": "P", "g1sk": f"{n:03}", "ttl": 1 + n}) for n in range(250)]
        )

        assert table.expire(NOW) == 250
        assert table.query(Query("P", Index.ONE)).items == ()
        removed = table.stream_reader().read_stream(1_000)[250:]
        assert [record.key.sk for record in removed] == [f"{n:03}" for n in range(250)]
        assert {record.event for record in removed} == {StreamEvent.REMOVE}


def test_a_checkpoint_copies_the_log_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with SqliteTable(path) as table:
        table.write_batch([Put({"pk": "M#1", "sk": str(n), "text": "x" * 2_000}) for n in range(100)])
        before = path.stat().st_size

        log_pages, copied_pages = table.checkpoint()

        assert log_pages == copied_pages > 50
        assert path.stat().st_size > before + 200_000


def test_a_checkpoint_of_a_table_in_memory_does_nothing() -> None:
    with SqliteTable() as table:
        assert table.checkpoint() == (0, 0)


def test_many_writes_are_copied_without_being_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with SqliteTable(path) as table:
        table.write_batch([Put({"pk": "M#1", "sk": f"{n:04}", "text": "x" * 500}) for n in range(1_100)])
        table._checkpoints.close()  # waits for the thread

        assert path.stat().st_size > 200_000
