"""What is known about the owner of a space."""

from __future__ import annotations

from pydantic import Field

from palimpsest.api.wire.fields import Answer, WrittenInstant
from palimpsest.api.wire.memory import EXAMPLE_ID
from palimpsest.domain import instants
from palimpsest.domain.packing.shortening import beginning
from palimpsest.usecases.profile import Line, Profiled, Subject, SubjectKind, Why

_LINE_TOKENS = 400
"""Of a line; the memory by its id has the rest."""


class LineSource(Answer):
    """The memory that says it."""

    memory_id: str = Field(examples=[f"{EXAMPLE_ID}@2"])
    at: WrittenInstant
    created_by: str


class LineItem(Answer):
    """One thing that is known, in the words of the memory that says it."""

    text: str
    cut: bool
    why: Why
    pinned: bool
    sources: tuple[LineSource, ...]

    @classmethod
    def of(cls, line: Line) -> LineItem:
        """What is told of a line."""
        version = line.memory.version
        source = LineSource(
            memory_id=str(version.ref),
            at=instants.write(version.statement.asserted_at),
            created_by=version.created_by,
        )
        pinned = line.memory.head.annotations.pinned
        whole = version.statement.content
        text = beginning(whole, _LINE_TOKENS)
        return cls(text=text, cut=text != whole, why=line.why, pinned=pinned, sources=(source,))


class SubjectItem(Answer):
    """What is known of one subject: the owner, or what the lines themselves name."""

    subject: str
    kind: SubjectKind
    lines: tuple[LineItem, ...]

    @classmethod
    def of(cls, subject: Subject) -> SubjectItem:
        """What is told of a subject."""
        return cls(subject=subject.name, kind=subject.kind, lines=tuple(map(LineItem.of, subject.lines)))


class ProfileAnswer(Answer):
    """What is known about the owner, the owner first. `truncated`: there may be more."""

    space: str
    subjects: tuple[SubjectItem, ...]
    disputed: int
    truncated: bool

    @classmethod
    def of(cls, space: str, profiled: Profiled) -> ProfileAnswer:
        """What is told of a profile."""
        return cls(
            space=space,
            subjects=tuple(map(SubjectItem.of, profiled.subjects)),
            disputed=len(profiled.disputed),
            truncated=profiled.is_cut,
        )
