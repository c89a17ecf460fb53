"""The small stores, each over a table in memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.access import AccessKey, Role
from palimpsest.domain.errors import ConditionFailed, CorruptItem, CursorRefused, IdempotencyReused, NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, SpaceId, ulid
from palimpsest.domain.source import Trust
from palimpsest.ports.embedder import Model
from palimpsest.ports.search_index import Generation
from palimpsest.ports.table import Put
from palimpsest.stores import changes, keys
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.changes import ChangeLog, Features
from palimpsest.stores.cursors import Cursors
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.generations import Generations, GenerationStore
from palimpsest.stores.idempotency import Answered, IdempotencyRecords
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.tail import Tails, Timing
from palimpsest.stores.watermarks import Watermarks

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
PARTITION = LogPartition(SpaceId("s"), 0)
ROOT = RootId("mem_01J0000000000000000000000A")


class Clock:
    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at


class Ids:
    def __init__(self) -> None:
        self.random = random.Random(7)

    def ulid(self) -> str:
        return ulid(1_000, self.random.randbytes(10))

    def secret(self, size: int = 32) -> bytes:
        return self.random.randbytes(size)


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    table = SqliteTable(":memory:")
    yield table
    table.close()


# --- the deployment's secret, and cursors ---


def test_the_secret_is_made_once_and_shared_by_every_process(table: SqliteTable) -> None:
    ids = Ids()
    first, second = Deployment(table, ids), Deployment(table, ids)

    assert first.mac("text", "a") == second.mac("text", "a")


def test_framed_parts_never_give_the_same_mac(table: SqliteTable) -> None:
    deployment = Deployment(table, Ids())

    with SqliteTable(":memory:") as empty:
        another = Deployment(empty, Ids()).mac("text", "b")

    assert deployment.mac("ab", "c") != deployment.mac("a", "bc")
    assert deployment.mac("text", "a") != another


def test_a_cursor_opens_for_the_same_query_and_key_alone(table: SqliteTable) -> None:
    cursors = Cursors(Deployment(table, Ids()))
    cursor = cursors.seal("place ż", "list", "key")

    assert cursors.open(cursor, "list", "key") == "place ż"
    for foreign in (cursor[:-2], "foreign", "", "żółć", cursor + "A"):
        with pytest.raises(CursorRefused):
            cursors.open(foreign, "list", "key")
    with pytest.raises(CursorRefused):
        cursors.open(cursor, "list", "another key")


# --- spaces ---


def test_a_space_keeps_its_id_however_often_and_by_whom_it_is_begun(table: SqliteTable) -> None:
    first, second = Spaces(table, Clock(), Ids()), Spaces(table, Clock(), Ids())

    assert first.find("team.a") is None
    begun = first.ensure("team.a")

    assert second.ensure("team.a") == begun
    assert [space.name for space in second.every()] == ["team.a"]
    with pytest.raises(NotFound):
        second.by_id(SpaceId("unknown"))


# --- idempotency ---


def test_a_repeated_request_finds_its_answer_for_a_day(table: SqliteTable) -> None:
    records = IdempotencyRecords(table, Deployment(table, Ids()))
    request, by = Idempotency("k1", b"body"), KeyId("owner")
    answer = Answered(ROOT, 2, "added")
    table.write(records.record(by, request, answer, NOW))

    assert records.answered(by, request, NOW + timedelta(hours=23)) == answer
    assert records.answered(by, request, NOW + timedelta(hours=25)) is None
    assert records.answered(KeyId("other"), request, NOW) is None
    assert records.answered(by, Idempotency("k1", b"body", part=1), NOW) is None
    with pytest.raises(IdempotencyReused):
        records.answered(by, Idempotency("k1", b"another"), NOW)


def test_an_expired_record_gives_way_to_a_new_one(table: SqliteTable) -> None:
    records = IdempotencyRecords(table, Deployment(table, Ids()))
    request, by = Idempotency("k1", b"body"), KeyId("owner")
    table.write(records.record(by, request, Answered(ROOT, 1, "added"), NOW))

    with pytest.raises(ConditionFailed):
        table.write(records.record(by, request, Answered(ROOT, 2, "added"), NOW))
    later = NOW + timedelta(hours=25)
    table.write(records.record(by, request, Answered(ROOT, 3, "added"), later))

    assert records.answered(by, request, later) == Answered(ROOT, 3, "added")


# --- the change log, its watermark and tail ---


def features(*terms: str) -> Features:
    return Features(terms, len(terms), np.eye(1, 4, dtype=np.float32))


def log(table: SqliteTable, at: datetime, revision: int, found: Features | None, root: RootId = ROOT) -> str:
    place = changes.place_at(at)
    table.write(changes.row(PARTITION, place, root, revision, revision, at, found))
    return place


def test_a_change_is_read_as_it_was_written(table: SqliteTable) -> None:
    log(table, NOW, 1, features("kot", "kot", "łapa"))
    log(table, NOW + timedelta(seconds=1), 2, None)

    page = ChangeLog(table).newest_first(PARTITION, "", max_bytes=10_000)

    hide, up = page.changes
    assert up.features is not None
    assert up.features.terms == ("kot", "kot", "łapa")
    assert np.array_equal(up.features.vectors, np.eye(1, 4))
    assert hide.features is None
    assert (up.revision, hide.revision, page.is_last) == (1, 2, True)


def test_the_newest_rows_come_first_until_the_bound(table: SqliteTable) -> None:
    for revision in range(1, 301):
        log(table, NOW + timedelta(seconds=revision), revision, features("kot"))

    page = ChangeLog(table).newest_first(PARTITION, "", max_bytes=50_000)

    assert [change.revision for change in page.changes][:3] == [300, 299, 298]
    assert not page.is_last
    assert sum(change.size for change in page.changes) <= 50_000
    whole = ChangeLog(table).newest_first(PARTITION, "", max_bytes=10**9)
    assert (len(whole.changes), whole.is_last) == (300, True)


def test_a_watermark_moves_forward_only_and_for_one_of_two_racers(table: SqliteTable) -> None:
    marks = Watermarks(table, "generation")
    seen = marks.read(PARTITION)

    assert marks.advance(PARTITION, seen, "b", NOW)
    assert not marks.advance(PARTITION, seen, "c", NOW)
    now = marks.read(PARTITION)
    assert not marks.advance(PARTITION, now, "a", NOW)
    assert now.newest == "b"


def test_a_place_is_settled_once_the_index_has_refreshed(table: SqliteTable) -> None:
    marks = Watermarks(table, "generation")
    for second, place in enumerate("abcdefghij"):
        marks.advance(PARTITION, marks.read(PARTITION), place, NOW + timedelta(seconds=second))
    seen = marks.read(PARTITION)

    assert len(seen.marks) == 8
    assert seen.settled(NOW + timedelta(seconds=9), timedelta(0)) == "j"
    assert seen.settled(NOW + timedelta(seconds=9), timedelta(seconds=4)) == "f"
    assert seen.settled(NOW, timedelta(seconds=1)) == ""


def tails(table: SqliteTable, refresh: int = 0) -> Tails:
    return Tails(ChangeLog(table), Timing(timedelta(seconds=refresh), timedelta(seconds=10)))


def test_the_tail_holds_the_newest_change_of_each_belief_since_the_watermark(table: SqliteTable) -> None:
    space = Spaces(table, Clock(), Ids()).ensure("s")
    partition = space.log_partitions()[0]
    marks = Watermarks(table, "g")
    other = RootId(ROOT[:-1] + "B")
    for second, root, revision in ((0, ROOT, 1), (60, ROOT, 2), (61, other, 1), (62, ROOT, 3)):
        at = NOW + timedelta(seconds=second)
        table.write(changes.row(partition, changes.place_at(at), root, revision, revision, at, features("x")))
    page = ChangeLog(table).oldest_first(partition, "", limit=1)
    marks.advance(partition, marks.read(partition), page.changes[-1].place, NOW)

    tail = tails(table).read(space, marks, NOW + timedelta(seconds=70))

    assert {root: change.revision for root, change in tail.newest.items()} == {ROOT: 3, other: 1}
    assert tail.lag == timedelta(seconds=10)
    assert not tail.is_truncated


def test_a_row_that_was_committed_late_is_still_in_the_tail(table: SqliteTable) -> None:
    space = Spaces(table, Clock(), Ids()).ensure("s")
    partition = space.log_partitions()[0]
    marks = Watermarks(table, "g")
    marks.advance(partition, marks.read(partition), changes.place_at(NOW), NOW)
    late = NOW - timedelta(seconds=9)
    table.write(changes.row(partition, changes.place_at(late), ROOT, 1, 1, late, features("x")))

    tail = tails(table).read(space, marks, NOW)

    assert list(tail.newest) == [ROOT]
    assert tail.lag == timedelta(0)


def test_a_tail_over_its_bound_says_so_only_when_the_index_may_lack_a_row(table: SqliteTable) -> None:
    space = Spaces(table, Clock(), Ids()).ensure("s")
    partition = space.log_partitions()[0]
    chance = random.Random(1)
    blob = features(*(str(chance.random()) for _ in range(2_000)))
    for second in range(30):
        at = NOW + timedelta(seconds=second / 10)
        table.write(changes.row(partition, changes.place_at(at), ROOT, second + 1, 1, at, blob))
    marks = Watermarks(table, "g")

    assert tails(table).read(space, marks, NOW).is_truncated
    newest = ChangeLog(table).newest_first(partition, "", max_bytes=1).changes[0]
    marks.advance(partition, marks.read(partition), newest.place, NOW)
    assert not tails(table).read(space, marks, NOW).is_truncated


# --- access keys and generations ---


def access_key(name: str, at: datetime = NOW) -> AccessKey:
    return AccessKey(KeyId(name), "hash", Role.WRITER, ("a", "b*"), Trust.A2, at, label="laptop")


def test_keys_are_kept_paged_rotated_and_revoked(table: SqliteTable) -> None:
    store = AccessKeys(table)
    for n in range(5):
        store.add(access_key(f"K{n}", NOW + timedelta(seconds=n)))

    first, more = store.page(limit=3, before=None)
    rest, end = store.page(limit=3, before=more)

    assert [key.id for key in (*first, *rest)] == ["K4", "K3", "K2", "K1", "K0"]
    assert end is None
    assert store.find(KeyId("K1")) == access_key("K1", NOW + timedelta(seconds=1))
    assert store.replace_secret(KeyId("K1"), "other").secret_hash == "other"
    assert not store.revoke(KeyId("K1"), NOW).is_valid(NOW)
    with pytest.raises(NotFound):
        store.revoke(KeyId("unknown"), NOW)


def test_one_of_two_moves_of_the_generations_wins(table: SqliteTable) -> None:
    store = GenerationStore(table)
    one = Generation("G1", Model("m", "r", 4), 1, ("engine=lucene", "ids"))

    assert store.read() == Generations()
    seen = store.read()
    assert store.move(seen, active=one, building=None)
    assert not store.move(seen, active=None, building=one)
    assert store.read() == Generations(1, one, None)


# --- what can't be read ---


def test_an_item_that_no_codec_can_read_is_named_without_its_content(table: SqliteTable) -> None:
    table.write(Put({"pk": keys.generations().pk, "sk": keys.generations().sk, "revision": "private"}))

    with pytest.raises(CorruptItem) as error:
        GenerationStore(table).read()

    assert error.value.key == ("IX", "A")
    assert "private" not in str(error.value)
