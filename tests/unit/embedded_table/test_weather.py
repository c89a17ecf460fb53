"""Bad weather is within what the port allows, comes by a seed, and passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest

from palimpsest.domain.errors import ConditionFailed, TableThrottled, TableUnavailable
from palimpsest.ports.table import Add, Delete, Index, Item, Key, Missing, Put, Query, Table, Update
from tests.support.weather import STORM, Weather, WeatheredTable

KEY = Key("M#1", "H")
ENTRY: Item = {"pk": "M#1", "sk": "H", "g1pk": "P", "g1sk": "1"}


@pytest.fixture
def made() -> Iterator[list[WeatheredTable]]:
    tables: list[WeatheredTable] = []
    yield tables
    for table in tables:
        table.close()


def weathered(made: list[WeatheredTable], weather: Weather) -> WeatheredTable:
    made.append(WeatheredTable(weather))
    return made[-1]


def entries(table: Table, query: Query = Query("P", Index.ONE)) -> list[Item]:
    found: list[Item] = []
    for _ in range(1_000):
        page = table.query(query)
        found += page.items
        if page.next_cursor is None:
            return found
        query = replace(query, after=page.next_cursor)
    raise AssertionError("the pages have no end")


def test_an_index_lags_behind_and_then_shows_each_change_in_its_order(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=1, index_lag=8))
    table.write(Put(ENTRY))
    table.write(Put({**ENTRY, "g1sk": "2"}))
    table.write(Delete(KEY))

    seen = [[str(item["g1sk"]) for item in entries(table)] for _ in range(20)]

    stages = iter([[], ["1"], ["2"], []])
    assert all(stage in stages for stage, _ in groupby(seen))
    assert ["1"] in seen
    assert seen[-1] == []
    assert table.get([KEY]).items == {}


def test_what_an_index_shows_late_stays_in_its_order_and_partition(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=3, index_lag=5, short_page=0.5))
    for number in range(9):
        table.write(Put({"pk": f"M#{number}", "sk": "H", "g1pk": "PQ"[number % 2], "g1sk": str(number)}))

    for _ in range(10):
        for descending in (False, True):
            found = [str(item["g1sk"]) for item in entries(table, Query("P", Index.ONE, descending=descending))]
            assert found == sorted(set(found), reverse=descending)
            assert set(found) <= set("02468")

    table.clear_up()
    assert [item["g1sk"] for item in entries(table)] == list("02468")


def test_an_eventual_read_may_be_stale_and_a_strong_one_never_is(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=5, index_lag=20, stale_read=0.5))
    for number in range(3):
        table.write(Put({**ENTRY, "number": number}))

    eventual = [table.get([KEY], consistent=False).items.get(KEY) for _ in range(40)]
    ranges = [table.query(Query("M#1")).items for _ in range(40)]

    assert None in eventual
    assert {**ENTRY, "number": 2} in eventual
    assert () in ranges or len(set(map(len, ranges))) == 1
    assert table.get([KEY]).items == {KEY: {**ENTRY, "number": 2}}
    assert table.query(Query("M#1", consistent=True)).items == ({**ENTRY, "number": 2},)


def test_a_throttled_or_conflicting_write_did_nothing(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=2, throttled=0.3, conflicted=0.3))
    done = refused = 0
    for _ in range(60):
        try:
            table.transact([Update(KEY, (Add("count", 1),))])
            done += 1
        except TableThrottled:
            refused += 1

    assert done > 5 < refused
    assert table.table.get([KEY]).items[KEY]["count"] == done


def test_a_write_whose_answer_was_lost_was_done(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=2, lost_answer=0.5))
    for number in range(20):
        try:
            table.write(Put({"pk": "M#1", "sk": str(number)}, Missing("pk")))
        except TableUnavailable:
            with pytest.raises(ConditionFailed):
                table.write(Put({"pk": "M#1", "sk": str(number)}, Missing("pk")))

    assert len(table.table.query(Query("M#1")).items) == 20


def test_a_batch_that_stopped_in_its_middle_is_done_when_it_is_repeated(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=4, unprocessed=0.9))
    batch = [Put({"pk": "M#1", "sk": f"{number:02}"}) for number in range(30)]
    parts: set[int] = set()
    for _ in range(100):
        try:
            table.write_batch(batch)
            break
        except TableThrottled:
            parts.add(len(table.table.query(Query("M#1")).items))

    assert len(parts) > 1
    assert len(table.table.query(Query("M#1")).items) == 30


def test_short_and_empty_pages_with_a_cursor_still_give_all_of_a_range(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather(seed=2, short_page=0.9))
    for number in range(40):
        table.write(Put({"pk": "M#1", "sk": f"{number:02}"}))

    page = table.query(Query("M#1", consistent=True))
    sizes = [len(page.items)]
    while page.next_cursor is not None:
        page = table.query(Query("M#1", consistent=True, after=page.next_cursor))
        sizes.append(len(page.items))

    assert sum(sizes) == 40
    assert 0 in sizes[:-1]
    assert [item["sk"] for item in entries(table, Query("M#1"))] == [f"{number:02}" for number in range(40)]


def test_the_same_seed_gives_the_same_storm(made: list[WeatheredTable]) -> None:
    def story(seed: int) -> list[object]:
        table = weathered(made, replace(STORM, seed=seed))
        told: list[object] = []
        for number in range(40):
            try:
                table.transact([Put({**ENTRY, "pk": f"M#{number % 5}", "number": number})])
                told.append(len(table.query(Query("P", Index.ONE)).items))
            except (TableThrottled, TableUnavailable) as error:
                told.append(type(error))
        return told

    assert story(11) == story(11)
    assert story(11) != story(12)


def test_under_a_clear_sky_nothing_is_in_the_way(made: list[WeatheredTable]) -> None:
    table = weathered(made, Weather())

    table.write(Put(ENTRY))

    assert entries(table) == [ENTRY]
