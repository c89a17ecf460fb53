"""The echo guard: what a recall has just handed out is not learned again when an assistant saves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Head, State
from palimpsest.domain.echoing.deciding import echoed
from palimpsest.domain.echoing.reading import read
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.domain.language import Linguist
from palimpsest.domain.source import Trust
from palimpsest.domain.version import Statement, Version
from palimpsest.ports.embedder import Model, Vector
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.changes import Features
from palimpsest.stores.recalls import HandedOut, Recalls
from palimpsest.stores.reinforcements import Reinforcements, uses_of
from palimpsest.usecases.accepted import Accepted
from palimpsest.usecases.sources import Sources

_REFS = 40
"""Recalled versions that are looked at, newest recall first: an assistant is given some ten at a time."""

_NEAREST = 8
"""Of these so many are read: an echo repeats few memories, and those are the nearest ones."""

_KEPT = 2_000
"""Vectors that a process keeps, 1.5 KB each: a version's never change, and a talk recalls the same ones again."""

_CHARACTERS = 1_000
"""Of a save, and of all that is read, at 4 microseconds a character (2026-11-30); what is longer only word for word."""

_LEAST_SIMILARITY = 0.3
"""Below it words in common are chance, by any model; E5 gave echoes at least 0.83 (tests/corpora/echo, 2026-11-30)."""

_Ref = tuple[RootId, int]


@dataclass(frozen=True, slots=True)
class Echoed:
    """What a save repeats: the belief, its current version, and the last recall that handed it out."""

    head: Head
    current: Version
    handed_out: HandedOut


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was recalled in a space, newest recall first."""

    records: Sequence[HandedOut]
    vectors: dict[_Ref, Vector]

    def refs(self, prints: frozenset[str]) -> list[_Ref]:
        """The versions, newest first; those of recalls that had all of these sentences when there are any such."""
        return _refs([record for record in self.records if prints <= record.prints] or self.records)

    def has(self, prints: frozenset[str]) -> bool:
        """All of these sentences were handed out."""
        return prints <= frozenset().union(*(record.prints for record in self.records))

    def last(self, root: RootId) -> HandedOut:
        return next(record for record in self.records if any(ref.root == root for ref in record.refs))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A recalled version of a belief that is still there."""

    head: Head
    version: Version
    similarity: float


@dataclass(frozen=True, slots=True)
class Echo:
    """Tells echoes. It reads nothing where a first-hand source speaks, and a record where nothing was recalled."""

    recalls: Recalls
    beliefs: Beliefs
    reinforcements: Reinforcements
    linguist: Linguist
    model: Model
    _vectors: dict[_Ref, Vector] = field(default_factory=dict, init=False, repr=False, compare=False)

    def hearing(self, caller: Caller) -> Hearing:
        """For the saves of one request, which read what was recalled but once."""
        return Hearing(self, caller)

    def vectors_of(self, refs: Sequence[_Ref]) -> dict[_Ref, Vector]:
        """The vectors that there are."""
        unknown = [ref for ref in refs if ref not in self._vectors]
        if unknown:
            if len(self._vectors) + len(unknown) > _KEPT:
                self._vectors.clear()
            self._vectors.update(self.beliefs.vectors_of(unknown, self.model))
        known = {ref: self._vectors.get(ref) for ref in refs}
        return {ref: found for ref, found in known.items() if found is not None}

    def reinforce(self, found: Echoed) -> None:
        """Count the recall for the belief that was repeated, if it was not counted before."""
        (use,) = uses_of([found.handed_out])[found.head.root]
        self.reinforcements.count(found.head, use)


@dataclass(slots=True)
class Hearing:
    """The saves of one request by one caller."""

    echo: Echo
    caller: Caller
    _heard: dict[SpaceId, _Heard] = field(default_factory=dict, init=False)

    def of(self, accepted: Accepted, features: Features) -> Echoed | None:
        """What a draft repeats; None when it says anything else or is first-hand."""
        statement, space = accepted.statement, accepted.space.id
        if statement.source.trust is Trust.A1:
            return None
        if space not in self._heard:
            self._heard[space] = self._listen(space, accepted.stamp.at)
        heard = self._heard[space]
        if not heard.records:
            return None
        prints = frozenset(self.echo.recalls.fingerprints(space, statement.content))
        near = self._still_there(_nearest(heard, prints, features.vectors), accepted)
        found = self._verbatim(prints, near) if prints and heard.has(prints) else None
        found = found or self._in_other_words(statement, near)
        return None if found is None else self._as_it_stands(found, heard)

    def _listen(self, space: SpaceId, at: datetime) -> _Heard:
        records = self.echo.recalls.recent(space, self.caller.key, at)
        return _Heard(records, self.echo.vectors_of(_refs(records)))

    def _still_there(self, near: Sequence[tuple[_Ref, float]], accepted: Accepted) -> list[_Candidate]:
        """Those that are live in the space, and true at the times that the draft gives, if it gives any."""
        heads, versions = self.echo.beliefs.heads_and_versions([ref for ref, _ in near])
        hidden = Sources(self.echo.beliefs).hidden(versions.values())
        candidates = []
        for ref, similarity in near:
            head, version = heads.get(ref[0]), versions.get(ref)
            if head is None or version is None or version.ref in hidden or head.space != accepted.space.id:
                continue
            is_there = head.state is State.LIVE and not head.is_expired(accepted.stamp.at)
            if is_there and _gives_no_new_time(accepted.statement, version.statement):
                candidates.append(_Candidate(head, version, similarity))
        return candidates

    def _verbatim(self, prints: frozenset[str], candidates: Sequence[_Candidate]) -> _Candidate | None:
        """The one that has most of the sentences, when together they have all."""
        each = [prints & self._prints(candidate) for candidate in candidates]
        if frozenset().union(*each) != prints:
            return None
        return max(zip(each, candidates, strict=True), key=lambda pair: len(pair[0]))[1]

    def _in_other_words(self, statement: Statement, candidates: Sequence[_Candidate]) -> _Candidate | None:
        near = [candidate for candidate in candidates if candidate.similarity >= _LEAST_SIMILARITY]
        if not near or len(statement.content) > _CHARACTERS:
            return None
        texts = _that_fit([candidate.version.statement.content for candidate in near])
        said = [read(text, self.echo.linguist) for text in texts]
        place = echoed(read(statement.content, self.echo.linguist, is_framed=True), said)
        return None if place is None else near[place]

    def _prints(self, candidate: _Candidate) -> frozenset[str]:
        return frozenset(self.echo.recalls.fingerprints(candidate.head.space, candidate.version.statement.content))

    def _as_it_stands(self, found: _Candidate, heard: _Heard) -> Echoed | None:
        """The echo of a belief, which may have got another version since it was recalled."""
        root, number = found.head.root, found.head.current
        known = {(root, found.version.number): found.version}
        current = known.get((root, number)) or self.echo.beliefs.versions([(root, number)]).get((root, number))
        return None if current is None else Echoed(found.head, current, heard.last(root))


def _refs(records: Sequence[HandedOut]) -> list[_Ref]:
    every = (ref for record in records for ref in record.refs)
    return list(dict.fromkeys((ref.root, ref.number) for ref in every if ref.number is not None))[:_REFS]


def _nearest(heard: _Heard, prints: frozenset[str], vectors: Vector) -> list[tuple[_Ref, float]]:
    """The versions that a text may repeat, each with the cosine of the nearest passages."""
    said = heard.refs(prints)
    near = [(ref, _cosine(heard.vectors.get(ref), vectors)) for ref in said]
    return sorted(near, key=lambda pair: -pair[1])[:_NEAREST]


def _cosine(recalled: Vector | None, saved: Vector) -> float:
    """1 while either has no vectors: words decide, and a save must not wait for an embedder that is late."""
    if recalled is None or not len(recalled) or not len(saved):
        return 1.0
    return float(np.max(recalled @ saved.T))


def _gives_no_new_time(saved: Statement, recalled: Statement) -> bool:
    given = (saved.valid_from, saved.valid_until, saved.event_date)
    known = (recalled.valid_from, recalled.valid_until, recalled.event_date)
    return all(time is None or time == other for time, other in zip(given, known, strict=True))


def _that_fit(texts: Sequence[str]) -> list[str]:
    """The texts, but empty ones for those that are too much to read beside the ones before them."""
    left = _CHARACTERS
    fitting = []
    for text in texts:
        fitting.append(text if len(text) <= left else "")
        left -= len(fitting[-1])
    return fitting
