"""A belief is reinforced at most once for a recall, whoever tells of it and how often."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.belief import Reinforcement
from palimpsest.domain.ids import RecallId, RootId
from palimpsest.stores.reinforcements import Reinforcements
from tests.support.installation import START

ROOT = RootId("mem_01KJMA0FM617KTAKC7QQ0ZE0KT")


def recall(n: int) -> RecallId:
    return RecallId(f"rcl_{n:026d}")


def test_what_was_never_recalled_has_no_count() -> None:
    with SqliteTable(":memory:") as table:
        assert Reinforcements(table).of([ROOT]) == {}
        assert Reinforcements(table).of([]) == {}


def test_one_recall_counts_once_and_tells_when_it_was() -> None:
    with SqliteTable(":memory:") as table:
        store = Reinforcements(table)

        for n in (1, 1, 2, 1, 2):
            store.count(ROOT, recall(n), START + timedelta(hours=n))

        assert store.of([ROOT]) == {ROOT: Reinforcement(2, START + timedelta(hours=2))}


@given(st.lists(st.integers(0, 9)))
def test_a_count_is_never_more_than_there_were_recalls(told: Sequence[int]) -> None:
    with SqliteTable(":memory:") as table:
        store = Reinforcements(table)

        for n in told:
            store.count(ROOT, recall(n), START)

        assert store.of([ROOT]).get(ROOT, Reinforcement()).access_count <= len(set(told))
