"""Reading memories: lists, histories, diffs and proofs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from palimpsest.api.wire.fields import Answer, WrittenInstant
from palimpsest.api.wire.memory import MemoryItem, written
from palimpsest.domain import instants
from palimpsest.domain.belief import Annotations, Head, State
from palimpsest.domain.diff import DiffKind
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.version import Because, Reason
from palimpsest.usecases.readings import Diff, History, Link, Listed, Proof, StepRecord


class ListAnswer(Answer):
    """One page of memories, newest first. It may be short and yet have a cursor."""

    memories: tuple[MemoryItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed) -> ListAnswer:
        """What is told of a page."""
        return cls(memories=tuple(map(MemoryItem.of, listed.memories)), next_cursor=listed.next_cursor)


class HeadItem(Answer):
    """How a memory stands. `id` and `version` name the version that is current, or was when it left recall."""

    id: str
    version: int
    state: State
    versions: int
    revision: int
    created_at: WrittenInstant
    changed_at: WrittenInstant
    restore_until: WrittenInstant | None

    @classmethod
    def of(cls, head: Head) -> HeadItem:
        """What is told of a head."""
        return cls(
            id=str(VersionRef(head.root, head.current)),
            version=head.current,
            state=head.state,
            versions=head.count,
            revision=head.revision,
            created_at=instants.write(head.created_at),
            changed_at=instants.write(head.changed_at),
            restore_until=written(head.restore_until),
        )


class AnnotationsItem(Answer):
    """What is said of a memory without a version of its own."""

    tags: tuple[str, ...]
    pinned: bool
    importance: float
    expires_at: WrittenInstant | None

    @classmethod
    def of(cls, notes: Annotations) -> AnnotationsItem:
        """What is told of annotations."""
        ends = written(notes.expires_at)
        return cls(tags=notes.tags, pinned=notes.pinned, importance=notes.importance, expires_at=ends)


class StepItem(Answer):
    """One step: who, when and why. `version` is the one that it added, `note` what else there is to say.

    `before` and `after` tell the annotations around a step that changed them (`annotated`); null for other steps.
    """

    revision: int
    reason: Reason
    at: WrittenInstant
    by: str
    version: int | None
    because: Because | None
    note: str | None
    run_id: str | None
    before: AnnotationsItem | None
    after: AnnotationsItem | None

    @classmethod
    def of(cls, step: StepRecord) -> StepItem:
        """What is told of a step."""
        change = step.annotated
        return cls(
            revision=step.revision,
            reason=step.reason,
            at=instants.write(step.at),
            by=step.by,
            version=step.version,
            because=step.because,
            note=step.note,
            run_id=step.run,
            before=AnnotationsItem.of(change.before) if change else None,
            after=AnnotationsItem.of(change.after) if change else None,
        )


class HistoryAnswer(Answer):
    """A memory's versions and steps, newest first; one page."""

    root_id: str
    head: HeadItem
    versions: tuple[MemoryItem, ...]
    steps: tuple[StepItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, history: History) -> HistoryAnswer:
        """What is told of a history."""
        return cls(
            root_id=history.head.root,
            head=HeadItem.of(history.head),
            versions=tuple(map(MemoryItem.of, history.versions)),
            steps=tuple(map(StepItem.of, history.steps)),
            next_cursor=history.next_cursor,
        )


class DiffItem(Answer):
    """A run of words with the white space around them."""

    kind: DiffKind
    text: str


class DiffAnswer(Answer):
    """How the text went from one version to another: all parts but the added ones, joined, are the older text."""

    root_id: str
    older: int = Field(serialization_alias="from")
    newer: int = Field(serialization_alias="to")
    parts: tuple[DiffItem, ...]

    @classmethod
    def of(cls, diff: Diff) -> DiffAnswer:
        """What is told of a diff."""
        parts = tuple(DiffItem(kind=part.kind, text=part.text) for part in diff.parts)
        return cls(root_id=diff.root, older=diff.older, newer=diff.newer, parts=parts)


class LinkItem(Answer):
    """One version in the chain. `intact`: its hash covers what is stored and links to the version before."""

    version: int
    recorded_at: WrittenInstant
    content_hash: str
    previous_hash: str | None
    intact: bool

    @classmethod
    def of(cls, link: Link) -> LinkItem:
        """What is told of a link."""
        return cls(
            version=link.version,
            recorded_at=instants.write(link.recorded_at),
            content_hash=link.content_hash,
            previous_hash=link.previous_hash,
            intact=link.is_intact,
        )


class ProofAnswer(Answer):
    """The chain of content hashes, oldest first, and whether all of it holds."""

    root_id: str
    verified: bool
    algorithm: Literal["sha-256"] = "sha-256"
    links: tuple[LinkItem, ...]

    @classmethod
    def of(cls, proof: Proof) -> ProofAnswer:
        """What is told of a proof."""
        return cls(root_id=proof.root, verified=proof.is_verified, links=tuple(map(LinkItem.of, proof.links)))
