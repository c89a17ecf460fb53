"""What an upsert and a removal write, within one transaction of an index file."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from palimpsest.domain.ids import SpaceId
from palimpsest.domain.instants import microseconds
from palimpsest.domain.talk import Said
from palimpsest.ports.search_index import Entry, Removal

TERM: Final = np.dtype([("id", "<u4"), ("count", "<u2")])
"""One distinct term in an entry's row."""

TIMES: Final = tuple(2**power + 1 for power in range(16))
"""2, 3, 5, 9, ...: an entry has a posting for each of these that the count of a term reaches."""

_MOST = 65_535
_REMOVALS_KEPT: Final = 100_000

_INTERN_TERM = """INSERT INTO terms (space, term, entries, repeated) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET entries = entries + excluded.entries, repeated = repeated + excluded.repeated RETURNING id"""
_ADD = """INSERT INTO entries
    (space, key, facet, dated, length, passages, terms, revision, talk, turn, speaker, cues)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_FIND = "SELECT id, facet, length, terms FROM entries WHERE space = ? AND key = ?"
_NEWER = """SELECT 1 FROM entries WHERE space = ?1 AND key = ?2 AND revision > ?3
    UNION ALL SELECT 1 FROM gone WHERE space = ?1 AND key = ?2 AND revision > ?3"""
_BURY = "INSERT OR REPLACE INTO gone (space, key, revision) VALUES (?, ?, ?)"
_REMOVE = (
    "DELETE FROM entries WHERE id = ?",
    "DELETE FROM vectors WHERE entry = ?",
)


def posting(term: int, times: int = 1) -> str:
    """How the full-text table spells that an entry has a term at least so many times: 1 or one of `TIMES`."""
    return str(term) if times == 1 else f"{term}m{times}"


class Batch:
    """Entries that are put and removed in one transaction. `finish` has to be called last."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._run_many = connection.executemany
        self._spaces: dict[SpaceId, int] = {}
        self._facets: dict[tuple[int | str, ...], int] = {}
        self._entries: Counter[int] = Counter()  # of each facet, what came and went
        self._lengths: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()  # of each term, the entries that had it
        self._lost_repeated: Counter[int] = Counter()

    def put(self, entries: Sequence[Entry]) -> None:
        """Add entries with distinct keys in place of what has the same keys and is not newer."""
        placed = [(entry, self._space(entry.space)) for entry in entries]
        counted = [(e, space, _counted(e)) for e, space in placed if not self._has_newer(space, e.key, e.revision)]
        for entry, space, _ in counted:
            self._remove(space, entry.key)
            self._run("DELETE FROM gone WHERE space = ? AND key = ?", (space, entry.key))
        by_space: defaultdict[int, list[Counter[str | bytes]]] = defaultdict(list)
        for _, space, counts in counted:
            by_space[space].append(counts)
        numbers = {space: self._intern_terms(space, counts) for space, counts in by_space.items()}
        for entry, space, counts in counted:
            self._add(entry, space, _packed(counts, numbers[space]))

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        """Take out what is there of these and is not newer, and remember that they are gone."""
        number = self._space(space)
        for each in removals:
            if not self._has_newer(number, each.key, each.revision):
                self._remove(number, each.key)
                self._run(_BURY, (number, each.key, each.revision))

    def finish(self) -> None:
        """Count what came and went, and let readers know that something changed."""
        lost = [(count, self._lost_repeated[term], term) for term, count in self._lost.items()]
        self._run_many("UPDATE terms SET entries = entries - ?, repeated = repeated - ? WHERE id = ?", lost)
        self._run_many("DELETE FROM terms WHERE id = ? AND entries <= 0", [(term,) for term in self._lost])
        moved = [(count, self._lengths[facet], facet) for facet, count in self._entries.items()]
        self._run_many("UPDATE facets SET entries = entries + ?, length = length + ? WHERE id = ?", moved)
        changed = [(space,) for space in self._spaces.values()]
        self._run_many("UPDATE spaces SET changes = changes + 1 WHERE id = ?", changed)
        self._run("DELETE FROM removals WHERE change <= (SELECT max(change) FROM removals) - ?", (_REMOVALS_KEPT,))
        self._run("DELETE FROM gone WHERE id <= (SELECT max(id) FROM gone) - ?", (_REMOVALS_KEPT,))

    def _has_newer(self, space: int, key: str, revision: int) -> bool:
        return self._run(_NEWER, (space, key, revision)).fetchone() is not None

    def _space(self, name: SpaceId) -> int:
        if name not in self._spaces:
            self._run("INSERT INTO spaces (name, changes) VALUES (?, 0) ON CONFLICT DO NOTHING", (name,))
            self._spaces[name] = self._run("SELECT id FROM spaces WHERE name = ?", (name,)).fetchone()[0]
        return self._spaces[name]

    def _remove(self, space: int, key: str) -> None:
        row = self._run(_FIND, (space, key)).fetchone()
        if row is None:
            return
        entry, facet, length, packed = row
        terms = np.frombuffer(packed, TERM)
        self._run("INSERT INTO postings (postings, rowid, terms) VALUES ('delete', ?, ?)", (entry, _postings(terms)))
        for statement in _REMOVE:
            self._run(statement, (entry,))
        self._run("INSERT INTO removals (space, entry) VALUES (?, ?)", (space, entry))
        self._move(facet, -1, -length)
        self._lost.update(terms["id"].tolist())
        self._lost_repeated.update(_repeated(terms))

    def _intern_terms(self, space: int, entries: Sequence[Counter[str | bytes]]) -> dict[str | bytes, int]:
        """The number of each term and label, after counting the entries that come to have it."""
        gained: Counter[str | bytes] = Counter()
        repeated: Counter[str | bytes] = Counter()
        for counts in entries:
            gained.update(counts.keys())
            repeated.update(term for term, count in counts.items() if count > 1)
        return {
            term: self._run(_INTERN_TERM, (space, term, count, repeated[term])).fetchone()[0]
            for term, count in gained.items()
        }

    def _add(self, entry: Entry, space: int, terms: npt.NDArray[np.void]) -> None:
        facet = self._facet(space, entry)
        dated = microseconds(entry.dated_at)
        row = (space, entry.key, facet, dated, entry.length, len(entry.vectors), terms.tobytes(), entry.revision)
        number = self._run(_ADD, (*row, *_said(entry.said))).lastrowid
        self._run("INSERT INTO postings (rowid, terms) VALUES (?, ?)", (number, _postings(terms)))
        if len(entry.vectors):
            passages = np.asarray(entry.vectors, "<f2").tobytes()
            self._run("INSERT INTO vectors VALUES (?, ?)", (number, passages))
        self._move(facet, 1, entry.length)

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

    def _move(self, facet: int, entries: int, length: int) -> None:
        self._entries[facet] += entries
        self._lengths[facet] += length


def _counted(entry: Entry) -> Counter[str | bytes]:
    counts: Counter[str | bytes] = Counter(entry.terms)
    counts.update(entry.labels)
    return counts


def _said(said: Said) -> tuple[int | None, int | None, str | None, int]:
    talk, turn = said.place or (None, None)
    return talk, turn, said.speaker or None, int(said.cues)


def _packed(counts: Mapping[str | bytes, int], numbers: Mapping[str | bytes, int]) -> npt.NDArray[np.void]:
    terms = np.empty(len(counts), TERM)
    terms["id"] = [numbers[term] for term in counts]
    terms["count"] = np.minimum(list(counts.values()), _MOST)
    return terms


def _postings(terms: npt.NDArray[np.void]) -> str:
    spelled = list(map(str, terms["id"].tolist()))
    for times in TIMES:
        reached = terms["id"][terms["count"] >= times].tolist()
        if not reached:
            break
        spelled += [posting(term, times) for term in reached]
    return " ".join(spelled)


def _repeated(terms: npt.NDArray[np.void]) -> list[int]:
    repeated: list[int] = terms["id"][terms["count"] > 1].tolist()
    return repeated
