"""Entries of the ledger of erased ids."""

from __future__ import annotations

from datetime import timedelta

from palimpsest.domain.ids import RootId
from palimpsest.domain.ledger import Entry, digest_of, parse_entry
from tests.support.installation import START


def test_keys_of_entries_sort_by_their_time() -> None:
    instants = [START + timedelta(milliseconds=step) for step in (0, 1, 999, 60_000, 10**10)]
    made = [Entry(at, digest_of(RootId("mem_x"))) for at in instants]

    assert sorted(entry.key for entry in made) == [entry.key for entry in made]
    assert [parse_entry(entry.key) for entry in made] == made
