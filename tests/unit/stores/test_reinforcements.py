"""A belief is reinforced at most once for a recall, whoever tells of it and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.belief import Annotations, Head, State
from palimpsest.domain.ids import RecallId, RootId, SpaceId
from palimpsest.domain.strength import Reinforcement
from palimpsest.ports.table import Delete, Put
from palimpsest.stores import keys, recall_keys
from palimpsest.stores.reinforcements import Reinforcements, Use
from tests.support.installation import START
from tests.support.interposing_table import Call, InterposingTable

ROOT = RootId("mem_01KJMA0FM617KTAKC7QQ0ZE0KT")
HEAD = Head(ROOT, SpaceId("s"), State.LIVE, 1, 1, 1, START, START, START, Annotations())


def use(n: int) -> Use:
    return Use(RecallId(f"rcl_{n:026d}"), START + timedelta(hours=n), is_leading=True)


def put(table: SqliteTable, state: State) -> None:
    head = keys.head(ROOT)
    table.write(Put({"pk": head.pk, "sk": head.sk, "state": state}))


@contextmanager
def kept(state: State | None) -> Iterator[SqliteTable]:
    """A table with the head of the belief, in that state; without one for None."""
    with SqliteTable(":memory:") as table:
        if state is not None:
            put(table, state)
        yield table


def known(table: SqliteTable) -> Reinforcement:
    return Reinforcements(table).of([ROOT]).get(ROOT, Reinforcement())


def test_what_was_never_recalled_has_no_count() -> None:
    with SqliteTable(":memory:") as table:
        assert Reinforcements(table).of([ROOT]) == {}
        assert Reinforcements(table).of([]) == {}


@pytest.mark.parametrize("state", [State.ERASED, State.ERASING, None])
def test_nothing_is_counted_beside_a_tombstone_or_no_head_at_all(state: State | None) -> None:
    """A second reader's report: a count that came late to an erasure was written after the receipt."""
    with kept(state) as table:
        store = Reinforcements(table)

        store.count(HEAD, use(1))
        written = store.count_all([HEAD], {ROOT: [use(2)]}, use(2).recall)

        assert (written, store.of([ROOT])) == (0, {})


def test_an_erasure_that_comes_between_is_not_undone_by_a_later_count() -> None:
    with kept(State.LIVE) as sqlite:
        table = InterposingTable(sqlite)
        Reinforcements(sqlite).count(HEAD, use(1))

        def erase() -> None:
            put(sqlite, State.ERASED)
            sqlite.write(Delete(recall_keys.reinforcement(ROOT)))

        def counts(name: str, call: Call) -> bool:
            return name in ("write", "transact")

        table.interpose(counts, erase)
        Reinforcements(table).count_all([HEAD], {ROOT: [use(2)]}, use(2).recall)

        assert Reinforcements(sqlite).of([ROOT]) == {}


def test_one_recall_counts_once_and_tells_when_it_was() -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)

        for n in (1, 1, 2, 1, 2):
            store.count(HEAD, use(n))

        assert (known(table).access_count, known(table).last_recalled_at) == (2, use(2).at)


def test_what_counted_early_does_not_hide_the_recalls_before_it() -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)
        store.count(HEAD, use(3))

        for _ in range(2):
            store.count_all([HEAD], {ROOT: [use(1), use(2), use(3)]}, use(3).recall)
        store.count_all([HEAD], {ROOT: [use(3), use(4)]}, use(4).recall)

        assert known(table).access_count == 4


def test_two_who_count_at_once_lose_nothing() -> None:
    with kept(State.LIVE) as sqlite:
        table = InterposingTable(sqlite)
        other = Reinforcements(sqlite)

        table.interpose(lambda name, call: name == "transact", lambda: other.count(HEAD, use(2)))
        Reinforcements(table).count_all([HEAD], {ROOT: [use(1)]}, use(1).recall)
        table.interpose(lambda name, call: name == "write", lambda: other.count(HEAD, use(3)))
        Reinforcements(table).count_all([HEAD], {ROOT: [use(2), use(4)]}, use(4).recall)

        assert known(sqlite).access_count == 4


def test_importance_is_raised_from_what_a_person_set_and_kept() -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)
        given = replace(HEAD, annotations=Annotations(importance=0.8))

        store.count_all([given], {ROOT: [use(1), use(2)]}, use(2).recall)

        assert known(table).importance(0.8) == 1.0
        assert known(table).importance(0.5) == 0.5


@given(st.lists(st.lists(st.integers(1, 9), min_size=1), max_size=6), st.lists(st.integers(1, 9)))
def test_batches_and_early_ones_in_any_order_count_each_recall_at_most_once(
    batches: Sequence[Sequence[int]], early: Sequence[int]
) -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)

        for n in early:
            store.count(HEAD, use(n))
        for batch in batches:
            store.count_all([HEAD], {ROOT: [use(n) for n in batch]}, use(max(batch)).recall)

        told = {*early, *(n for batch in batches for n in batch)}
        assert known(table).access_count <= len(told)
        assert known(table).access_count >= len(set(early))
        assert known(table).spaced <= known(table).access_count
