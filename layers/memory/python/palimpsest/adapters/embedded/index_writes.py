"""What an upsert and a removal write, within one transaction of an index file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

from palimpsest.domain.ids import SpaceId
from palimpsest.ports.search_index import Entry

TERM: Final = np.dtype([("id", "<u4"), ("count", "<u2")])
"""One distinct term in an entry's row."""

_REMOVALS_KEPT: Final = 100_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(instant: datetime) -> int:
    """Since 1970, exactly."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def posting(term: int, *, is_repeated: bool = False) -> str:
    """How the full-text table spells that an entry has a term, or has it more than once."""
    return f"{term}m" if is_repeated else str(term)


class Batch:
    """Entries that are put and removed in one transaction. `finish` has to be called last."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._run_many = connection.executemany
        self._spaces: dict[SpaceId, int] = {}
        self._facets: dict[tuple[object, ...], int] = {}
        self._lost_terms: Counter[int] = Counter()

    def put(self, entries: Sequence[Entry]) -> None:
        """Add entries with distinct keys in place of what has the same keys."""
        for entry in entries:
            self._remove(self._space(entry.space), entry.key)
        terms = self._intern_terms(entries)
        for entry in entries:
            self._add(entry, terms)

    def remove(self, space: SpaceId, keys: Iterable[str]) -> None:
        """Take out what is there of these."""
        row = self._run("SELECT id FROM spaces WHERE name = ?", (space,)).fetchone()
        if row is not None:
            self._spaces[space] = row[0]
            for key in keys:
                self._remove(row[0], key)

    def finish(self) -> None:
        """Count what was lost, and let readers know that something changed."""
        lost = list(self._lost_terms.items())
        self._run_many("UPDATE terms SET entries = entries - ? WHERE id = ?", [(count, term) for term, count in lost])
        self._run_many("DELETE FROM terms WHERE id = ? AND entries <= 0", [(term,) for term, _ in lost])
        changed = [(space,) for space in self._spaces.values()]
        self._run_many("UPDATE spaces SET changes = changes + 1 WHERE id = ?", changed)
        self._run("DELETE FROM removals WHERE change <= (SELECT max(change) FROM removals) - ?", (_REMOVALS_KEPT,))

    def _space(self, name: SpaceId) -> int:
        if name not in self._spaces:
            self._run("INSERT INTO spaces (name, changes) VALUES (?, 0) ON CONFLICT DO NOTHING", (name,))
            row = self._run("SELECT id FROM spaces WHERE name = ?", (name,)).fetchone()
            self._spaces[name] = row[0]
        return self._spaces[name]

    def _remove(self, space: int, key: str) -> None:
        row = self._run(
            "SELECT id, facet, length, terms FROM entries WHERE space = ? AND key = ?", (space, key)
        ).fetchone()
        if row is None:
            return
        entry, facet, length, packed = row
        terms = np.frombuffer(packed, TERM)
        self._run("INSERT INTO postings (postings, rowid, terms) VALUES ('delete', ?, ?)", (entry, _postings(terms)))
        for statement in (
            "DELETE FROM entries WHERE id = ?",
            "DELETE FROM vectors WHERE entry = ?",
            "DELETE FROM tags WHERE entry = ?",
        ):
            self._run(statement, (entry,))
        self._run("UPDATE facets SET entries = entries - 1, length = length - ? WHERE id = ?", (length, facet))
        self._run("INSERT INTO removals (space, entry) VALUES (?, ?)", (space, entry))
        self._lost_terms.update(terms["id"].tolist())

    def _intern_terms(self, entries: Sequence[Entry]) -> dict[tuple[int, str], int]:
        """The number of each term, after counting the entries that come to have it."""
        gained = Counter((self._space(entry.space), term) for entry in entries for term in set(entry.terms))
        self._run_many(
            "INSERT INTO terms (space, term, entries) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET entries = entries + excluded.entries",
            [(space, term, count) for (space, term), count in sorted(gained.items())],
        )
        find = "SELECT id FROM terms WHERE space = ? AND term = ?"
        return {(space, term): self._run(find, (space, term)).fetchone()[0] for space, term in gained}

    def _add(self, entry: Entry, numbers: dict[tuple[int, str], int]) -> None:
        space = self._space(entry.space)
        facet = self._facet(space, entry)
        counted = sorted((numbers[space, term], min(count, 65_535)) for term, count in Counter(entry.terms).items())
        terms = np.array(counted, TERM)
        dated = microseconds(entry.dated_at)
        row = (space, entry.key, facet, dated, entry.length, len(entry.vectors), terms.tobytes())
        number = self._run(
            "INSERT INTO entries (space, key, facet, dated, length, passages, terms) VALUES (?, ?, ?, ?, ?, ?, ?)", row
        ).lastrowid
        self._run("INSERT INTO postings (rowid, terms) VALUES (?, ?)", (number, _postings(terms)))
        self._run("UPDATE facets SET entries = entries + 1, length = length + ? WHERE id = ?", (entry.length, facet))
        if len(entry.vectors):
            passages = np.asarray(entry.vectors, "<f2").tobytes()
            self._run("INSERT INTO vectors VALUES (?, ?)", (number, passages))
        self._run_many("INSERT INTO tags VALUES (?, ?, ?)", [(space, tag, number) for tag in sorted(set(entry.tags))])

    def _facet(self, space: int, entry: Entry) -> int:
        values = (space, entry.kind, entry.status, entry.memory_type, entry.level)
        if values not in self._facets:
            self._run(
                "INSERT INTO facets (space, kind, status, memory_type, level, entries, length)"
                " VALUES (?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING",
                values,
            )
            find = "SELECT id FROM facets WHERE space = ? AND kind = ? AND status = ? AND memory_type = ? AND level = ?"
            self._facets[values] = self._run(find, values).fetchone()[0]
        return self._facets[values]


def _postings(terms: npt.NDArray[np.void]) -> str:
    once = [posting(term) for term in terms["id"].tolist()]
    return " ".join(once + [posting(term, is_repeated=True) for term in terms["id"][terms["count"] > 1].tolist()])
