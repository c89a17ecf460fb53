"""The stream of changed keys, which the pump of one machine drinks from."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.change_stream import StreamEvent, StreamRecord
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import ConditionFailed
from palimpsest.ports.table import Add, Delete, Exists, Key, Put, Set, Update

LOG = Key("T#1", "1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


@pytest.fixture
def table(path: Path) -> Iterator[SqliteTable]:
    with SqliteTable(path) as opened:
        yield opened


def put(number: int) -> Put:
    return Put({"pk": "T#1", "sk": f"{number:03}"})


def test_each_change_under_the_prefix_leaves_one_record(table: SqliteTable) -> None:
    table.write(Put({"pk": "T#1", "sk": "1"}))
    table.write(Update(LOG, (Set("a", 1),)))
    table.transact([Put({"pk": "M#1", "sk": "H"}), Put({"pk": "T#2", "sk": "1"}), Put({"pk": "TW#1", "sk": "1"})])
    table.write_batch([Delete(LOG), Delete(Key("T#1", "none"))])

    assert table.stream_reader().read_stream(10) == [
        StreamRecord(1, LOG, StreamEvent.INSERT),
        StreamRecord(2, LOG, StreamEvent.MODIFY),
        StreamRecord(3, Key("T#2", "1"), StreamEvent.INSERT),
        StreamRecord(4, LOG, StreamEvent.REMOVE),
    ]


def test_a_write_that_failed_or_changed_nothing_leaves_no_record(table: SqliteTable) -> None:
    table.write(Put({"pk": "T#1", "sk": "1"}))

    table.write(Put({"pk": "T#1", "sk": "1"}))
    with pytest.raises(ConditionFailed):
        table.transact([put(2), Update(LOG, (Add("a", 1),), Exists("none"))])

    assert len(table.stream_reader().read_stream(10)) == 1


def test_the_prefixes_are_chosen_when_the_table_is_opened() -> None:
    with SqliteTable(streamed_prefixes=("A#", "B#")) as table:
        for pk in ("A#", "B#1", "T#1", "C"):
            table.write(Put({"pk": pk, "sk": "1"}))

        assert [record.key.pk for record in table.stream_reader().read_stream(10)] == ["A#", "B#1"]


def test_a_reader_goes_on_where_it_was_also_after_a_restart(path: Path) -> None:
    with SqliteTable(path) as table:
        table.write_batch([put(number) for number in range(5)])
        reader = table.stream_reader("index")
        assert [record.position for record in reader.read_stream(3)] == [1, 2, 3]
        reader.acknowledge(2)

    with SqliteTable(path) as table:
        reader = table.stream_reader("index")
        assert reader.position == 2
        assert [record.position for record in reader.read_stream(10)] == [3, 4, 5]


def test_a_reader_never_goes_back(table: SqliteTable) -> None:
    table.write_batch([put(number) for number in range(3)])
    reader = table.stream_reader()

    reader.acknowledge(3)
    reader.acknowledge(1)

    assert reader.position == 3
    assert reader.read_stream(10) == []


def test_records_are_kept_until_every_reader_is_done_with_them(table: SqliteTable) -> None:
    index, fan_out = table.stream_reader("index"), table.stream_reader("fan-out")
    table.write_batch([put(number) for number in range(4)])

    index.acknowledge(4)
    fan_out.acknowledge(1)
    assert [record.position for record in fan_out.read_stream(10)] == [2, 3, 4]

    late = table.stream_reader("late")
    assert [record.position for record in late.read_stream(10)] == [2, 3, 4]


def test_a_position_is_never_given_twice_though_all_records_are_gone(path: Path) -> None:
    with SqliteTable(path) as table:
        table.write(put(1))
        table.stream_reader().acknowledge(1)
        assert table.stream_reader().read_stream(10) == []

    with SqliteTable(path) as table:
        table.write(put(2))
        assert [record.position for record in table.stream_reader().read_stream(10)] == [2]


def test_a_reader_is_woken_by_a_commit(table: SqliteTable) -> None:
    reader = table.stream_reader()
    assert reader.read_stream(10) == []
    woken: list[bool] = []
    waiting = threading.Thread(target=lambda: woken.append(reader.wait_for_stream(20)))
    waiting.start()

    table.write(Put({"pk": "M#1", "sk": "H"}))
    table.write(put(1))
    waiting.join(20)

    assert woken == [True]
    assert len(reader.read_stream(10)) == 1


def test_a_reader_that_missed_a_commit_between_reading_and_waiting_does_not_wait(table: SqliteTable) -> None:
    readers = [table.stream_reader(name) for name in ("index", "fan-out")]
    for reader in readers:
        assert reader.read_stream(10) == []

    table.write(put(1))

    assert [reader.wait_for_stream(0) for reader in readers] == [True, True]
    for reader in readers:
        reader.read_stream(10)
    assert [reader.wait_for_stream(0) for reader in readers] == [False, False]


def test_a_record_and_its_item_come_together_for_every_reader(table: SqliteTable) -> None:
    reader = table.stream_reader()
    done = threading.Event()

    def write() -> None:
        for number in range(60):
            table.transact([Put({"pk": "M#1", "sk": f"{number:03}"}), put(number)])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = 0
    while not done.is_set() or seen < 60:
        records = reader.read_stream(7)
        keys = [Key("M#1", record.key.sk) for record in records]
        assert set(table.get(keys).items) == set(keys)
        seen += len(records)
        if records:
            reader.acknowledge(records[-1].position)
    writer.join()

    assert seen == 60
