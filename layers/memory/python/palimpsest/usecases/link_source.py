"""Find the entities of one source: read it, check what is proposed, and write it with the entities that are new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from palimpsest.domain.errors import LostRace
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.graph.links import ChunkSource, Links, Outcome, ReadBy, Source
from palimpsest.domain.ids import RunId
from palimpsest.domain.naming.names import name_key
from palimpsest.domain.naming.proposals import Kept
from palimpsest.domain.naming.runs import phrases
from palimpsest.domain.naming.validating import is_math_dense, validate
from palimpsest.ports.clock import Clock
from palimpsest.ports.table import Check
from palimpsest.stores.link_codec import partition
from palimpsest.stores.links import LinkStore
from palimpsest.stores.moves import Guarded
from palimpsest.stores.seen_phrases import SeenPhrases
from palimpsest.stores.spaces import Space
from palimpsest.stores.vocabularies import ActiveVocabulary
from palimpsest.usecases.found_names import FoundNames
from palimpsest.usecases.known_names import KnownNames
from palimpsest.usecases.name_reader import Asked, NameReader, NamesRead
from palimpsest.usecases.propose import Propose
from palimpsest.usecases.take_up import TakeUp
from palimpsest.usecases.wanted_entities import WantedEntities

_ATTEMPTS: Final = 5
_MOST_PHRASES: Final = 5


@dataclass(frozen=True, slots=True)
class Readable:
    """A source as it is to be read.

    Attributes:
        guard: Holds while the source is what it was.
        title: As `Asked` has it.
        run, fence: Of the run that it is read for.
    """

    source: Source
    space: Space
    text: str
    said_at: datetime
    guard: Check
    title: str = ""
    run: RunId | None = None
    fence: Guarded | None = None


@dataclass(frozen=True, slots=True)
class Linked:
    """What came of it.

    Attributes:
        links: As they stand; None when there is no such source, or it is not live.
        again: Sources in which a name of this one was seen before it was known for one; None when this was read before.
    """

    links: Links | None
    again: tuple[Source, ...] | None = None


@dataclass(frozen=True, slots=True)
class LinkSource:
    """Links sources. `vocabulary`: the words of a space."""

    links: LinkStore
    wanted: WantedEntities
    seen: SeenPhrases
    read: NameReader
    known: KnownNames
    vocabulary: Callable[[Space], ActiveVocabulary]
    propose: Propose
    take_up: TakeUp
    clock: Clock

    def __call__(self, readable: Readable) -> Linked:
        """Read it, in place of what was found in it before.

        Raises:
            LostRace: Others changed its entities each time.
        """
        words = self.vocabulary(readable.space)
        if isinstance(readable.source, ChunkSource) and is_math_dense(readable.text):
            return Linked(self._write(readable, FoundNames(Outcome.MATH_DENSE, words.revision, readable.run)), ())
        asked = Asked(readable.text, readable.space, self.known(readable.space.id), words, readable.title)
        read, kept = self._read(asked)
        hashes, elsewhere = ({}, {}) if read.by is ReadBy.MODEL else self._phrases(readable, kept)
        if elsewhere:
            read, kept = self._read(replace(asked, seen=tuple(hashes[each] for each in elsewhere)))
        held = self.propose.held(kept, words)
        seen = (*(hashes.keys() - elsewhere.keys()), *self.propose(readable.space, readable.source, held))
        outcome = Outcome.LINKED if kept.entities or kept.attributes else Outcome.EMPTY
        found = FoundNames(outcome, words.revision, readable.run, read.by, read.model, kept, seen, held)
        written = self._write(readable, found)
        if written is not None and written.held:
            self.take_up.late(readable.space, written)
        return Linked(written, tuple(dict.fromkeys(elsewhere.values())))

    def _read(self, asked: Asked) -> tuple[NamesRead, Kept]:
        read = self.read(asked)
        return read, validate(read.proposals, asked.vocabulary.names)

    def _phrases(self, readable: Readable, kept: Kept) -> tuple[dict[str, str], dict[str, Source]]:
        """Capitalised phrases that are no names yet, by hash, and in which other source some were seen."""
        named = {name_key(each.name) for each in kept.entities}
        some = [each for each in phrases(readable.text) if name_key(each) not in named][:_MOST_PHRASES]
        hashes = self.seen.hashes(some)
        first = self.seen.first(readable.space.id, hashes)
        own = partition(readable.source)
        elsewhere = {each: source for each, source in first.items() if partition(source) != own}
        self.seen.note(readable.space.id, hashes.keys() - first.keys(), readable.source)
        return hashes, elsewhere

    def _write(self, readable: Readable, found: FoundNames) -> Links | None:
        number = readable.source.number
        for _ in range(_ATTEMPTS):
            was = {links.source.number: links for links in self.links.of(readable.source)}.get(number)
            known, fresh = self.wanted(readable.space, found.names)
            said_at, now = readable.said_at, self.clock.now()
            will = found.links(readable.source, readable.space.id, known, said_at=said_at, now=now)
            if was is not None:
                will = replace(will, seen=tuple(sorted({*will.seen, *was.seen})))  # what is erased takes them along
            used = set(will.entities)
            begun = [entity for entity in fresh if entity.id in used]
            if self._move(was, will, readable, begun):
                self.known.add(readable.space.id, begun)
                return will
            if not self.links.holds(readable.guard):
                return None
        raise LostRace(_ATTEMPTS)

    def _move(self, was: Links | None, will: Links, readable: Readable, fresh: list[Entity]) -> bool:
        return self.links.move(was, will, guard=readable.guard, fresh=fresh, fence=readable.fence)
