"""Stored items get the form that is written now, whenever the job dies and whoever writes beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import TableError
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.jobs.migrate import Migrate
from palimpsest.ports.table import Item, Key, Put, Set, Update, Value, WholeTable
from palimpsest.stores import keys
from palimpsest.stores.kinds import NOW, Kind, Kinds
from palimpsest.stores.migrations import Migration, Migrations
from palimpsest.usecases.drafts import Annotation
from tests.support.crashing_table import Crashed, CrashingTable
from tests.support.installation import OWNER, Installation, TurnedClock, install
from tests.support.interposing_table import InterposingTable
from tests.support.weather import STORM, WeatheredTable


def in_order(stored: Item) -> dict[str, Value]:
    """The second form of a key: whether it holds is an attribute of its own."""
    return {**stored, "holds": "revoked_at" not in stored}


def shouted(stored: Item) -> dict[str, Value]:
    return {**stored, "name": str(stored["name"]).upper()}


SECOND = Kinds(
    {
        **NOW.by_name,
        "access_key": Kind("access_key", upcasts=(in_order,), writes=2),
        "space": Kind("space", upcasts=(shouted,), writes=2),
        "version": Kind("version", is_written_once=True, upcasts=(in_order,), writes=2),
    }
)
NAMES = ("ada", "bob", "cyd", "dee", "eve", "fay", "gus")


def key(name: str, **more: Value) -> dict[str, Value]:
    place = Key(f"KEY#{name}", "KEY")
    return {"pk": place.pk, "sk": place.sk, "_v": 1, "name": name, **more}


def fill(table: WholeTable) -> None:
    for name in NAMES:
        table.write(Put(key(name)))
        table.write(Put({"pk": f"S#{name}", "sk": "S", "_v": 1, "name": name}))
        table.write(Put({"pk": f"M#{name}", "sk": "V#00000001", "_v": 1, "content": name}))


def job(table: WholeTable, kinds: Kinds = SECOND) -> Migrate:
    return Migrate(table, Migrations(table), TurnedClock(), kinds)


def finish(migrate: Migrate, limit: int = 4) -> Migration:
    for _ in range(1_000):
        walk = migrate.advance(limit)
        if walk.is_done:
            return walk
    raise AssertionError("the walk has no end")


def everything(table: WholeTable) -> dict[Key, Item]:
    found: dict[Key, Item] = {}
    after = None
    while True:
        page = table.scan(after=after)
        found |= {Key(str(item["pk"]), str(item["sk"])): item for item in page.items}
        after = page.next_cursor
        if after is None:
            return {place: item for place, item in found.items() if place.pk != "MIGRATION"}


def wanted() -> dict[Key, Item]:
    items: dict[Key, Item] = {}
    for name in NAMES:
        items[Key(f"KEY#{name}", "KEY")] = {**key(name), "_v": 2, "holds": True}
        items[Key(f"S#{name}", "S")] = {"pk": f"S#{name}", "sk": "S", "_v": 2, "name": name.upper()}
        items[Key(f"M#{name}", "V#00000001")] = {"pk": f"M#{name}", "sk": "V#00000001", "_v": 1, "content": name}
    return items


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with SqliteTable() as table:
        yield table


def test_state_gets_its_new_form_and_what_is_written_once_stays_as_it_was(table: SqliteTable) -> None:
    fill(table)

    walk = finish(job(table))

    assert everything(table) == wanted()
    assert (walk.target, walk.renewed, walk.newer, walk.unreadable) == ("space.2 access_key.2", 14, 0, 0)


def test_a_second_walk_finds_nothing_to_do(table: SqliteTable) -> None:
    fill(table)
    first = finish(job(table))

    assert job(table).advance() == first
    assert everything(table) == wanted()


def test_without_an_older_form_nothing_is_read_or_written(table: SqliteTable) -> None:
    crashing = CrashingTable(table)
    crashing.crash_at(0, is_after=False)

    assert job(crashing, NOW).advance().is_done


@pytest.mark.parametrize("is_after", [False, True])
def test_a_job_that_is_killed_anywhere_goes_on(is_after: bool) -> None:
    for operation in range(40):
        with SqliteTable() as table:
            fill(table)
            crashing = CrashingTable(table)
            crashing.crash_at(operation, is_after=is_after)
            with suppress(Crashed):
                finish(job(crashing))
            crashing.live_on()

            walk = finish(job(crashing))

            assert everything(table) == wanted()
            assert walk.is_done


def test_two_jobs_at_once_come_to_the_same(table: SqliteTable) -> None:
    fill(table)
    interposing = InterposingTable(table)
    other = job(table)
    interposing.interpose(lambda name, _: name == "write", lambda: other.advance(3))

    walk = finish(job(interposing))

    assert everything(table) == wanted()
    assert walk.is_done


def test_what_is_written_beside_the_job_is_not_lost(table: SqliteTable) -> None:
    """An upcast that looks for an attribute in vain must not win over the writer who adds it meanwhile."""
    fill(table)
    place = Key("KEY#ada", "KEY")
    interposing = InterposingTable(table)
    revoke = Update(place, (Set("revoked_at", "2026-03-01T09:00:00.000Z"),))
    interposing.interpose(lambda _, call: isinstance(call, Update) and call.key == place, lambda: table.write(revoke))

    finish(job(interposing))

    found = everything(table)[place]
    assert (found["revoked_at"], found["holds"], found["_v"]) == ("2026-03-01T09:00:00.000Z", False, 2)


def test_an_item_that_others_never_leave_alone_makes_the_walk_begin_again(table: SqliteTable) -> None:
    fill(table)
    place = Key("KEY#ada", "KEY")
    touched = 0

    class Busy(InterposingTable):
        def write(self, write: Put | Update) -> object:  # type: ignore[override]
            nonlocal touched
            if isinstance(write, Update) and write.key == place and touched < 5:
                touched += 1
                table.write(Update(place, (Set("name", f"ada {touched}"),)))
            return super().write(write)

    walk = finish(job(Busy(table)))  # type: ignore[arg-type]

    assert everything(table)[place] == {**key("ada 5"), "pk": "KEY#ada", "_v": 2, "holds": True}
    assert walk.seen > 3 * len(NAMES)


def test_items_of_a_newer_release_and_broken_ones_are_counted_and_left_alone(table: SqliteTable) -> None:
    odd: list[Item] = [
        {"pk": "KEY#new", "sk": "KEY", "_v": 3, "name": "new"},
        {"pk": "NEWS#1", "sk": "N", "_v": 1},
        {"pk": "S#odd", "sk": "S", "_v": 1},
        {"pk": "S#odder", "sk": "S", "_v": "1"},
    ]
    for item in odd:
        table.write(Put(item))

    walk = finish(job(table))

    assert sorted(everything(table).values(), key=lambda item: str(item["pk"])) == odd
    assert (walk.renewed, walk.newer, walk.unreadable) == (0, 2, 2)


def test_bad_weather_delays_a_walk_and_changes_nothing_about_its_end() -> None:
    weathered = WeatheredTable(STORM)
    fill(weathered.table)
    weathered.pass_time()
    migrate = job(weathered)

    for _ in range(2_000):
        try:
            if migrate.advance(5).is_done:
                break
        except TableError:
            continue

    assert everything(weathered.table) == wanted()
    weathered.close()


def test_a_real_memory_is_read_and_written_on_while_it_is_migrated(tmp_path: Path) -> None:
    memory: Installation = install(tmp_path)
    root = RootId(memory.save("Ola is allergic to nuts"))
    tagged = Kinds(
        {**NOW.by_name, "head": Kind("head", upcasts=(lambda stored: {**stored, "open_conflicts": 0},), writes=2)}
    )
    interposing = InterposingTable(memory.sqlite)
    annotate = lambda: memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=("food",)))  # noqa: E731
    interposing.interpose(lambda name, _: name == "write", annotate)
    before = memory.table.get([keys.version(root, 1)]).items

    finish(job(interposing, tagged))

    head = memory.table.get([keys.head(root)]).items[keys.head(root)]
    assert (head["_v"], head["open_conflicts"], head["revision"], head["tags"]) == (2, 0, 2, ["food"])
    assert memory.table.get([keys.version(root, 1)]).items == before
    memory.sqlite.close()
