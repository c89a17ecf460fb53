"""Selections as a run keeps them, and the search for what passes one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from palimpsest.domain import instants
from palimpsest.domain.analysis import analyse, analyse_query
from palimpsest.domain.belief import Head, State
from palimpsest.domain.errors import IndexUnavailable, Invalid
from palimpsest.domain.ids import RootId, SpaceId
from palimpsest.domain.language import Linguist
from palimpsest.domain.selection import Selection
from palimpsest.domain.version import MemoryType, Version
from palimpsest.stores.listing import Listing
from palimpsest.stores.spaces import Space
from palimpsest.stores.tail import Tail
from palimpsest.usecases.naming_memories import NamingMemories
from palimpsest.usecases.searching import Searching

_CHUNK: Final = 50


def has_words(words: str | None, linguist: Linguist) -> Callable[[str], bool]:
    """Whether a text has each of the words, in any of its forms. No text has words of which none counts."""
    wanted = _wanted(words or "", linguist)

    def has(content: str) -> bool:
        terms = set(analyse(content, linguist).terms) if wanted else set()
        return (bool(wanted) or words is None) and all(word & terms for word in wanted)

    return has


def require_words(words: str | None, linguist: Linguist) -> None:
    """Raise Invalid when words are given and none of them counts: left out, they would mean everything."""
    if words is not None and not _wanted(words, linguist):
        raise Invalid("q", "q has no word to look for")


def _wanted(words: str, linguist: Linguist) -> list[set[str]]:
    """For each word that counts its forms."""
    analysed = (set(analyse_query(word, linguist)) for word in words.split())
    return [terms for terms in analysed if terms]


def written(selection: Selection) -> str:
    """The selection as text."""
    return json.dumps(
        {
            "ids": selection.ids,
            "words": selection.words,
            "tags": selection.tags,
            "session": selection.session,
            "source_agents": selection.source_agents,
            "memory_types": selection.memory_types,
            "attributed_to": selection.attributed_to,
            "dated_from": _instant(selection.dated_from),
            "dated_until": _instant(selection.dated_until),
            "entity": selection.entity,
        },
        ensure_ascii=False,
    )


def read(text: str) -> Selection:
    """The selection that `written` wrote."""
    told: dict[str, Any] = json.loads(text)
    return Selection(
        ids=tuple(map(RootId, told["ids"])),
        words=told["words"],
        tags=tuple(told["tags"]),
        session=told["session"],
        source_agents=tuple(told["source_agents"]),
        memory_types=tuple(map(MemoryType, told["memory_types"])),
        attributed_to=told["attributed_to"],
        dated_from=told["dated_from"] and instants.read(told["dated_from"]),
        dated_until=told["dated_until"] and instants.read(told["dated_until"]),
        entity=told.get("entity"),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """Beliefs that pass, and where the search goes on; None when all were looked at."""

    heads: tuple[Head, ...]
    place: str | None


@dataclass(frozen=True, slots=True)
class Select:
    """Goes through a space, some beliefs at a time; what no codec can read is passed over."""

    listing: Listing
    searching: Searching
    linguist: Linguist
    naming: NamingMemories

    def passing(self, space: SpaceId, selection: Selection, beliefs: Sequence[tuple[Head, Version]]) -> list[Head]:
        """Those of the beliefs of a space that pass."""
        has = has_words(selection.words, self.linguist)
        passed = [
            head for head, version in beliefs if selection.passes(head, version) and has(version.statement.content)
        ]
        return passed if selection.entity is None else self.naming(space, selection.entity, passed)

    def __call__(self, space: Space, selection: Selection, states: Sequence[State], place: str, most: int) -> Found:
        """Of the next `most` beliefs in those states, from `place` on, those that pass."""
        if selection.ids:
            named = self.listing.beliefs.heads(selection.ids, only_readable=True).values()
            ours = [head for head in named if head.space == space.id and head.state in states]
            return Found(self._passing(space, selection, ours), None)
        walk = self._walk(space, states, place)
        some = list(islice(walk, most))
        heads = [head for _, head in some]
        return Found(self._passing(space, selection, heads), some[-1][0] if len(some) == most else None)

    def _walk(self, space: Space, states: Sequence[State], place: str) -> Iterator[tuple[str, Head]]:
        """Heads with their places: a state and a place in its listing."""
        begun, _, before = place.partition(" ")
        tail = self._tail(space)
        for state in states[states.index(State(begun)) if begun else 0 :]:
            below = before if state == begun else None
            for at, head in self.listing.walk(space, state, below or None, tail, only_readable=True):
                yield f"{state} {at}", head

    def _passing(self, space: Space, selection: Selection, heads: Sequence[Head]) -> tuple[Head, ...]:
        found: list[Head] = []
        for at in range(0, len(heads), _CHUNK):
            some = heads[at : at + _CHUNK]
            versions = self.listing.beliefs.versions([(h.root, h.current) for h in some], only_readable=True)
            known = [(head, version) for head in some if (version := versions.get((head.root, head.current)))]
            found += self.passing(space.id, selection, known)
        return tuple(found)

    def _tail(self, space: Space) -> Tail:
        try:
            generation = self.searching.answering()
        except IndexUnavailable:
            generation = None
        return self.searching.tail(space, generation)


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else instants.write(instant)
