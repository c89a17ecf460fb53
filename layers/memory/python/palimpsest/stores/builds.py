"""How far the building of an index generation has come, and which generations are to be taken away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.belief import State
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import SpaceId
from palimpsest.ports.table import Condition, Delete, Equals, Missing, Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item


class Phase(StrEnum):
    """FILL: what the table holds is put in. FOLLOW: it answers, and what came meanwhile is put in, space by space."""

    FILL = "fill"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build has come; each move of it adds one to `revision`.

    Attributes:
        moved_at: When work on it was last done.
        after: Name of the last space that is done; empty before the first.
        space: The space that is being filled, by id.
        began_at: When the filling of that space began.
        state: The beliefs of that space that are being put in.
        before: Place of the last of them that is in whole; None before the first.
        within: Place of the one that is in up to version `versions`, or of the document that is in up to so many
            chunks; None between two of them.
        refused: How many beliefs and chunks the index refused for good.
        unembedded: How many texts the embedder refused; they wait as pending.
        is_made: There is an index, and what it can do is kept with the generation.
        is_at_chunks: The beliefs of that space are in, and its documents come.
    """

    generation: str
    phase: Phase
    moved_at: datetime
    revision: int = 0
    after: str = ""
    space: SpaceId | None = None
    began_at: datetime | None = None
    state: State = State.LIVE
    before: str | None = None
    within: str | None = None
    versions: int = 0
    refused: int = 0
    unembedded: int = 0
    is_made: bool = False
    is_at_chunks: bool = False

    def filling(self, space: SpaceId, now: datetime) -> Progress:
        """With the filling of a space begun."""
        return replace(self._at_the_beginning(), space=space, began_at=now)

    def at_chunks(self) -> Progress:
        """With the beliefs of the space in."""
        return self if self.is_at_chunks else replace(self._at_the_beginning(), is_at_chunks=True)

    def past(self, space: str) -> Progress:
        """With a space done."""
        return replace(self._at_the_beginning(), after=space, space=None, began_at=None)

    def _at_the_beginning(self) -> Progress:
        return replace(self, state=State.LIVE, before=None, within=None, versions=0, is_at_chunks=False)

    def following(self) -> Progress:
        """With every space filled."""
        return replace(self.past(""), phase=Phase.FOLLOW)


@dataclass(frozen=True, slots=True)
class Builds:
    """Reads and moves progress; a move is conditional on what its maker read, so that one of two workers goes on."""

    table: Table

    def read(self, generation: str) -> Progress | None:
        """None when nothing was done for it yet, or all is."""
        key = keys.build(generation)
        stored = self.table.get([key]).items.get(key)
        return None if stored is None else _read(generation, Reader(stored))

    def move(self, progress: Progress, now: datetime) -> Progress | None:
        """Keep the progress; None when somebody else has moved it since it was read."""
        moved = replace(progress, revision=progress.revision + 1, moved_at=now)
        condition: Condition = Equals("revision", progress.revision) if progress.revision else Missing("pk")
        stored = item(
            keys.build(progress.generation),
            revision=moved.revision,
            phase=moved.phase,
            moved_at=moved.moved_at,
            after=moved.after,
            space=moved.space,
            began_at=moved.began_at,
            state=moved.state,
            before=moved.before,
            within=moved.within,
            versions=moved.versions,
            refused=moved.refused,
            unembedded=moved.unembedded,
            is_made=moved.is_made,
            is_at_chunks=moved.is_at_chunks or None,
        )
        try:
            self.table.write(Put(stored, condition))
        except ConditionFailed:
            return None
        return moved

    def end(self, generation: str) -> None:
        """Forget the progress."""
        self.table.write(Delete(keys.build(generation)))


def _read(generation: str, r: Reader) -> Progress:
    space = r.optional("space", r.text)
    return Progress(
        generation=generation,
        phase=r.choice("phase", Phase),
        moved_at=r.instant("moved_at"),
        revision=r.integer("revision"),
        after=r.text("after"),
        space=None if space is None else SpaceId(space),
        began_at=r.optional("began_at", r.instant),
        state=r.choice("state", State),
        before=r.optional("before", r.text),
        within=r.optional("within", r.text),
        versions=r.optional("versions", r.integer) or 0,
        refused=r.integer("refused"),
        unembedded=r.integer("unembedded"),
        is_made=r.flag("is_made"),
        is_at_chunks="is_at_chunks" in r.item,
    )
