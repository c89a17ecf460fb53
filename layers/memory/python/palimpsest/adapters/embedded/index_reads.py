"""What a search reads from an index file, within one transaction of it."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from palimpsest.adapters.embedded.index_writes import TERM
from palimpsest.domain import matching
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import SpaceId
from palimpsest.domain.matching import Integers, Passages
from palimpsest.domain.talk import AROUND, Place, Sayings
from palimpsest.ports.search_index import Kind

TermOrLabel = TypeVar("TermOrLabel", str, bytes)

_NO_TERM = -1


class SpaceState(NamedTuple):
    """A space's number in the file, and how often it was changed."""

    id: int
    changes: int


class Term(NamedTuple):
    """A term's number, and in how many entries it occurs, and occurs more than once."""

    id: int
    entries: int
    repeated: int


class Facet(NamedTuple):
    """What entries have in common that a filter may ask for, how many there are and how long they are together."""

    id: int
    kind: str
    status: str
    memory_type: str
    level: str
    entries: int
    length: int

    def passes(self, filters: Filters, kinds: Sequence[Kind]) -> bool:
        """Whether entries of this facet pass, as far as a facet can tell."""
        return (
            self.kind in kinds
            and (not filters.statuses or self.status in filters.statuses)
            and (not filters.memory_types or self.memory_type in filters.memory_types)
            and (not filters.levels or self.level in filters.levels)
        )


@dataclass(frozen=True, slots=True)
class Facets:
    """All facets of a space, and its entries altogether."""

    each: Sequence[Facet]
    entries: int
    mean_length: float

    def kind(self, number: int) -> Kind:
        """The kind of the entries of a facet."""
        return next(Kind(facet.kind) for facet in self.each if facet.id == number)


class Slice(NamedTuple):
    """Entries of one space in the order of their numbers, column by column; `vectors` end to end as float16."""

    ids: Integers
    facets: Integers
    dated: Integers
    lengths: Integers
    passages: Integers
    vectors: bytes


@dataclass(frozen=True, slots=True)
class Rows:
    """Some entries, in the order of their numbers, and what a search scores them by.

    Attributes:
        counts: How often each asked term occurs, shape (entries, terms).
    """

    keys: Sequence[str]
    facets: Sequence[int]
    lengths: Integers
    dated: Integers
    counts: Integers
    passages: Passages
    sayings: Sayings


def space_state(connection: sqlite3.Connection, space: SpaceId) -> SpaceState | None:
    row = connection.execute("SELECT id, changes FROM spaces WHERE name = ?", (space,)).fetchone()
    return row and SpaceState(*row)


def present(connection: sqlite3.Connection, space: SpaceId, keys: Sequence[str]) -> set[str]:
    """Those of the keys under which the space has an entry."""
    marks = ", ".join("?" * len(keys))
    found = connection.execute(
        f"SELECT key FROM entries WHERE space = (SELECT id FROM spaces WHERE name = ?) AND key IN ({marks})",  # noqa: S608 - marks alone
        (space, *keys),
    )
    return {key for (key,) in found}


def facets(connection: sqlite3.Connection, space: int) -> Facets:
    found = connection.execute(
        "SELECT id, kind, status, memory_type, level, entries, length FROM facets WHERE space = ?", (space,)
    )
    each = [Facet(*row) for row in found]
    entries = sum(facet.entries for facet in each)
    return Facets(each, entries, sum(facet.length for facet in each) / max(entries, 1))


def known_terms(connection: sqlite3.Connection, space: int, terms: Sequence[TermOrLabel]) -> dict[TermOrLabel, Term]:
    """Those of the terms, or labels, that occur in the space."""
    marks = ", ".join("?" * len(terms))
    found = connection.execute(
        f"SELECT term, id, entries, repeated FROM terms WHERE space = ? AND term IN ({marks})",  # noqa: S608 - marks alone
        (space, *terms),
    )
    return {row[0]: Term(*row[1:]) for row in found}


def having(connection: sqlite3.Connection, posting: str, after: int, until: int) -> Integers:
    """The numbers, over `after` and up to `until`, of the entries that have the posting."""
    row = connection.execute(
        "SELECT group_concat(rowid) FROM postings WHERE postings MATCH ? AND rowid > ? AND rowid <= ?",
        (f'"{posting}"', after, until),
    ).fetchone()
    return integers(row[0])


def numbers(connection: sqlite3.Connection, space: int, keys: Iterable[str]) -> Integers:
    """The numbers of the space's entries with these keys."""
    row = connection.execute(
        "SELECT group_concat(id) FROM entries WHERE space = ? AND key IN (SELECT value FROM json_each(?))",
        (space, json.dumps(list(keys))),
    ).fetchone()
    return integers(row[0])


def entries_after(connection: sqlite3.Connection, space: int, after: int, limit: int) -> Slice | None:
    """The next entries of a space; None when there are none."""
    row = connection.execute(
        """SELECT group_concat(id), group_concat(facet), group_concat(dated), group_concat(length),
                  group_concat(passages), CAST(group_concat(vector, '') AS BLOB)
           FROM (SELECT e.id, facet, dated, length, e.passages, v.passages AS vector
                 FROM entries AS e LEFT JOIN vectors AS v ON v.entry = e.id
                 WHERE space = ? AND e.id > ? ORDER BY e.id LIMIT ?)""",
        (space, after, limit),
    ).fetchone()
    if row[0] is None:
        return None
    ids, facets, dated, lengths, passages = map(integers, row[:5])
    return Slice(ids, facets, dated, lengths, passages, row[5] or b"")


def removed_after(connection: sqlite3.Connection, space: int, change: int) -> Integers:
    """The numbers of the space's entries that were removed since a change."""
    row = connection.execute(
        "SELECT group_concat(entry) FROM removals WHERE space = ? AND change > ?", (space, change)
    ).fetchone()
    return integers(row[0])


def removals_known(connection: sqlite3.Connection) -> tuple[int, int]:
    """The first and the last change that the file remembers; (0, 0) when nothing was ever removed."""
    first, last = connection.execute("SELECT min(change), max(change) FROM removals").fetchone()
    return (first or 0, last or 0)


def rows(connection: sqlite3.Connection, ids: Integers, terms: Sequence[Term | None], dimensions: int) -> Rows:
    """Entries by number; what is not there is left out.

    As one row of the file, since with each row this thread gives up Python's lock and waits to get it back.
    """
    listed = ",".join(map(str, ids.tolist()))
    row = connection.execute(
        f"""SELECT json_group_array(key), group_concat(facet), group_concat(length), group_concat(dated),
                   group_concat(length(terms)), CAST(group_concat(terms, '') AS BLOB),
                   group_concat(length(vector)), CAST(group_concat(vector, '') AS BLOB),
                   group_concat(talk), group_concat(turn), json_group_array(speaker), group_concat(cues)
            FROM (SELECT key, facet, length, dated, terms, ifnull(v.passages, x'') AS vector, ifnull(talk, 0) AS talk,
                         ifnull(turn, 0) AS turn, ifnull(speaker, '') AS speaker, cues
                  FROM entries AS e LEFT JOIN vectors AS v ON v.entry = e.id
                  WHERE e.id IN ({listed}) ORDER BY e.id)"""  # noqa: S608 - integers
    ).fetchone()
    facets, lengths, dated, held, sizes, talks, turns, cues = map(integers, (*row[1:5], row[6], *row[8:10], row[11]))
    vectors = np.frombuffer(row[7] or b"", "<f2").reshape(-1, dimensions).astype(np.float32)
    sayings = Sayings(talks, turns, json.loads(row[10]), cues)
    counts = _counts(row[5] or b"", held // TERM.itemsize, terms)
    passages = Passages(vectors, sizes // (2 * dimensions))
    return Rows(json.loads(row[0]), facets.tolist(), lengths, dated, counts, passages, sayings)


def around(connection: sqlite3.Connection, space: int, places: Sequence[Place]) -> Integers:
    """The numbers of the entries within reach of these places, rising."""
    talks: defaultdict[int, set[int]] = defaultdict(set)
    for talk, turn in places:
        talks[talk].update(range(turn - AROUND, turn + AROUND + 1))
    found = [
        row[0]
        for talk, turns in talks.items()
        for row in connection.execute(
            f"SELECT id FROM entries WHERE space = ? AND talk = ? AND turn IN ({','.join(map(str, turns))})",  # noqa: S608 - integers
            (space, talk),
        )
    ]
    return np.array(sorted(found), np.int64)


def integers(listed: str | None) -> Integers:
    """What ``group_concat`` gave."""
    return np.fromstring(listed, np.int64, sep=",") if listed else np.empty(0, np.int64)


def _counts(packed: bytes, sizes: Integers, terms: Sequence[Term | None]) -> Integers:
    """How often each asked term occurs in entries that hold so many different terms, one after the other."""
    if not len(sizes) or not any(terms):
        return np.zeros((len(sizes), len(terms)), np.int64)
    asked = np.array([_NO_TERM if term is None else term.id for term in terms], np.int64)
    held = np.frombuffer(packed, TERM)
    return matching.occurrences(asked, held["id"], held["count"], sizes)
