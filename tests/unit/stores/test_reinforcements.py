"""A belief is reinforced at most once for a recall, whoever tells of it and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.belief import Reinforcement, State
from palimpsest.domain.ids import RecallId, RootId
from palimpsest.ports.table import Put
from palimpsest.stores import keys
from palimpsest.stores.reinforcements import Reinforcements
from tests.support.installation import START

ROOT = RootId("mem_01KJMA0FM617KTAKC7QQ0ZE0KT")


def recall(n: int) -> RecallId:
    return RecallId(f"rcl_{n:026d}")


@contextmanager
def kept(state: State | None) -> Iterator[SqliteTable]:
    """A table with the head of the belief, in that state; without one for None."""
    with SqliteTable(":memory:") as table:
        if state is not None:
            head = keys.head(ROOT)
            table.write(Put({"pk": head.pk, "sk": head.sk, "state": state}))
        yield table


def test_what_was_never_recalled_has_no_count() -> None:
    with SqliteTable(":memory:") as table:
        assert Reinforcements(table).of([ROOT]) == {}
        assert Reinforcements(table).of([]) == {}


@pytest.mark.parametrize("state", [State.ERASED, None])
def test_nothing_is_counted_beside_a_tombstone_or_no_head_at_all(state: State | None) -> None:
    """A second reader's report: a count that came late to an erasure was written after the receipt."""
    with kept(state) as table:
        store = Reinforcements(table)

        store.count(ROOT, recall(1), START)

        assert store.of([ROOT]) == {}


def test_one_recall_counts_once_and_tells_when_it_was() -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)

        for n in (1, 1, 2, 1, 2):
            store.count(ROOT, recall(n), START + timedelta(hours=n))

        assert store.of([ROOT]) == {ROOT: Reinforcement(2, START + timedelta(hours=2))}


@given(st.lists(st.integers(0, 9)))
def test_a_count_is_never_more_than_there_were_recalls(told: Sequence[int]) -> None:
    with kept(State.LIVE) as table:
        store = Reinforcements(table)

        for n in told:
            store.count(ROOT, recall(n), START)

        assert store.of([ROOT]).get(ROOT, Reinforcement()).access_count <= len(set(told))
