"""The search index: it proposes candidates; the table decides and the scores are ours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple, Protocol, TypeAlias

from palimpsest.domain import instants
from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import SpaceId, ulid_milliseconds
from palimpsest.domain.talk import ALONE, Place, Said
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.candidates import NO_CANDIDATES as NO_CANDIDATES
from palimpsest.ports.candidates import Candidate as Candidate
from palimpsest.ports.candidates import Candidates as Candidates
from palimpsest.ports.candidates import Kind as Kind
from palimpsest.ports.candidates import together as together
from palimpsest.ports.embedder import Model, Vector

GONE: Final = frozenset({"index_missing", "index_corrupt", "index_mapping"})
"""Reasons that no waiting mends; an index that is only busy or out of reach is not built anew.

A remote engine has to give one of them to `check`: it says the same to another request that is only wrong in itself.
"""

ASLEEP: Final = "index_asleep"
"""The reason of what fails because a serverless engine has scaled to zero."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be found.

    Attributes:
        key: Unique in the space: ``root_id#version`` of a memory, ``chunk_id`` of a chunk.
        memory_type: Of a memory; ``context`` of a chunk.
        labels: As `domain.traits` makes them.
        terms: Analysed terms with repetition, in order.
        length: Words of the text that count, for BM25.
        vectors: Unit vectors of the passages, shape (n, dimensions); n = 0 while the embedding is pending.
        dated_at: Event date, else asserted.
        revision: Of the head that it was made from; what was made from a newer one is not replaced.
        said: How it was said; its place is that of what is current.
    """

    key: str
    space: SpaceId
    kind: Kind
    status: Status
    memory_type: str
    level: str
    labels: frozenset[bytes]
    dated_at: datetime
    terms: tuple[str, ...]
    length: int
    vectors: Vector
    revision: int
    said: Said = ALONE


def newest(entries: Iterable[Entry]) -> list[Entry]:
    """Of each key the entry of the newest revision; of equal ones the last."""
    found: dict[tuple[SpaceId, str], Entry] = {}
    for entry in entries:
        known = found.get((entry.space, entry.key))
        if known is None or known.revision <= entry.revision:
            found[entry.space, entry.key] = entry
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Removal:
    """The key of an entry that has to be gone, and the revision of the head that says so."""

    key: str
    revision: int


Gone: TypeAlias = Callable[[Sequence[str]], Iterable[Removal]]
"""Of some keys of a space those whose entry has no place, each as of the newest revision that is known to say so."""


class Swept(NamedTuple):
    """What a part of a sweep has done.

    Attributes:
        taken: How much it took out.
        after: The key behind which the next part begins; None after the last.
    """

    taken: int
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for in one space.

    Attributes:
        terms: Distinct analysed terms of the query.
        vector: Gives the unit vector of the query, shape (dimensions,); None when it could not be had. It may still be
            in the making and is waited for then, so it is asked for as late as can be.
        limit: At most so many candidates.
        only: The keys of the only entries that are looked at; None for all.
        words: Only what has each of these words, in one of the forms that are given of it.
        whitening: How vectors are seen; None: as they are.
    """

    space: SpaceId
    terms: tuple[str, ...]
    vector: Callable[[], Vector | None]
    filters: Filters = field(default_factory=Filters)
    kinds: tuple[Kind, ...] = (Kind.MEMORY,)
    limit: int = 200
    only: frozenset[str] | None = None
    words: tuple[tuple[str, ...], ...] = ()
    whitening: Whitening | None = None

    def along(self, vector: Vector) -> Vector:
        """The direction in which plain vectors lie that are seen near to the vector."""
        return vector if self.whitening is None else self.whitening.direction(vector)


@dataclass(frozen=True, slots=True)
class Statistics:
    """One space's own figures, over all its entries.

    Attributes:
        entries: How many there are.
        mean_length: Mean of their lengths; 0.0 when there are none.
        frequencies: In how many entries each asked term occurs; terms that occur nowhere may be left out.
    """

    entries: int
    mean_length: float
    frequencies: Mapping[str, int]


class Matches(NamedTuple):
    """What a search by words finds.

    Attributes:
        candidates: The entries.
        statistics: The space's own figures for the search's terms.
    """

    candidates: Candidates
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Generation:
    """One index among those that were made: never mixed, never changed in kind.

    Attributes:
        id: A ULID.
        model: The model of every vector in it.
        schema: Version of the analysis and of the entry's shape.
        capabilities: What the engine found that it can do when the index was made; only the engine reads these words.
    """

    id: str
    model: Model
    schema: int
    capabilities: tuple[str, ...] = ()

    @property
    def begun_at(self) -> datetime:
        """When it was begun, as its id says."""
        return instants.from_milliseconds(ulid_milliseconds(self.id))


class SearchIndex(Protocol):
    """One generation. Every method may raise `domain.errors.IndexUnavailable`; any number of threads may call it."""

    def check(self) -> None:
        """See that it is there and has its form: ``index_missing`` or another reason when it has to be rebuilt."""
        ...

    @property
    def generation(self) -> Generation:
        """The generation, with the capabilities that were found when it was made."""
        ...

    def upsert(self, entries: Iterable[Entry]) -> None:
        """Make these entries be there; what had the same key is replaced, unless it is of a newer revision.

        Visible after the index's refresh time.
        """
        ...

    def remove(self, space: SpaceId, removals: Iterable[Removal]) -> None:
        """Make these entries be gone, unless they are of a newer revision; keys that are not there are fine.

        An upsert of an older revision that comes late does not bring them back, as far as the index remembers.
        """
        ...

    def held(self, space: SpaceId, keys: Sequence[str]) -> Collection[str]:
        """Which of these entries the index holds anything of, be it unfit to be found; for an erasure."""
        ...

    def wipe(self) -> bool:
        """Leave nothing in files of one's own of what was removed; False when that has to be tried again."""
        ...

    @property
    def needs_sweeps(self) -> bool:
        """Whether writes may leave something behind that a sweep takes out; costs nothing."""
        ...

    def sweep(self, space: SpaceId, gone: Gone, after: str = "") -> Swept:
        """Take out what the engine holds more than once or too long, of some of a space's entries, by key.

        What is newer than the rest of its entry, or than `gone` says, stays: the rest may be on its way.

        Args:
            space: Of the entries.
            gone: Is asked before anything is taken out.
            after: The key behind which to begin.
        """
        ...

    def keyword(self, search: Search) -> Matches:
        """Entries with at least one of the terms that pass the filters, likely best first, and the space's figures."""
        ...

    def vector(self, search: Search) -> Candidates:
        """The entries that pass the filters and lie nearest to the search's vector as they are seen, best first.

        What is seen is not brought to unit length again, so that it is an order of plain vectors along a direction
        (`Whitening.direction`). Empty without a vector.
        """
        ...

    def around(self, search: Search, places: Sequence[Place]) -> Candidates:
        """What was said within `talk.AROUND` of these places, in no order, whatever filters but statuses say."""
        ...

    def sample(self, space: SpaceId, limit: int) -> Candidates:
        """At most so many entries of the space, from all parts of it, without counts."""
        ...

    def statistics(self, space: SpaceId, terms: Sequence[str]) -> Statistics:
        """The space's own figures for these terms."""
        ...


class SearchIndexes(Protocol):
    """The engine behind the generations."""

    @property
    def is_remote(self) -> bool:
        """Whether a search waits for a network, so that two of them gain from running side by side."""
        ...

    @property
    def is_off(self) -> bool:
        """Whether there is no engine, by choice: everything else then raises ``index_off``, and nothing is built."""
        ...

    def create(self, generation: Generation) -> SearchIndex:
        """An empty index for a new generation; its `generation` is what has to be kept."""
        ...

    def open(self, generation: Generation) -> SearchIndex:
        """The index of a generation made before; over a network nothing is asked for that.

        Raises:
            IndexUnavailable: ``index_missing`` when its data is known to be gone; it has to be rebuilt.
        """
        ...

    def drop(self, generation: Generation) -> None:
        """Make the generation's data be gone; fine when it is not there."""
        ...

    def sweep(self, named: Collection[str]) -> int:
        """Drop what a crash left behind of generations other than those with these ids; how many were dropped."""
        ...

    def close(self) -> None:
        """End what is open; nothing is asked for afterwards."""
        ...
