"""A version: one immutable row of a belief, and the statement in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palimpsest.domain import instants, proof
from palimpsest.domain.extraction import Extraction
from palimpsest.domain.ids import KeyId, RootId, RunId, VersionRef
from palimpsest.domain.source import Source
from palimpsest.domain.talk import Place


class MemoryType(StrEnum):
    """What kind of thing is held true. `context` is no member: it labels recall results and can't be saved."""

    FACT = "fact"
    PREFERENCE = "preference"
    EPISODE = "episode"
    PROCEDURE = "procedure"


class Because(StrEnum):
    """Why an update was made: the world changed, or the old version was never true."""

    CHANGED = "changed"
    CORRECTED = "corrected"


class Reason(StrEnum):
    """Why a step was made, as the history tells it."""

    SAVED = "saved"
    UPDATED = "updated"
    RESTATED = "restated"
    REVERTED = "reverted"
    ANNOTATED = "annotated"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"
    RESTORED = "restored"
    EMBEDDED = "embedded"
    UNJUDGED = "unjudged"
    DISPUTED = "disputed"
    RESOLVED = "resolved"
    RETIRED = "retired"
    REINSTATED = "reinstated"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class Statement:
    """What a version says, and of when.

    Attributes:
        content: The text, NFC.
        canonical: The same in a form that stands alone, when the caller gives one.
        level: L0 as said, L1 consolidated.
        asserted_at: When it was said.
        valid_from, valid_until: When it is true in the world.
        event_date: When what it tells of happened.
        metadata: A JSON object as text.
        extraction: Of what was learned from a conversation.
        place: Of what was saved with a session: where in it. What is said is the same wherever it was said.
    """

    content: str
    asserted_at: datetime
    memory_type: MemoryType = MemoryType.FACT
    canonical: str | None = None
    level: str = "L0"
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_date: datetime | None = None
    source: Source = Source()
    attributed_to: str | None = None
    metadata: str = "{}"
    derived_from: tuple[str, ...] = ()
    extraction: Extraction | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Version:
    """One immutable row of a belief.

    Attributes:
        revision: Which step added it.
        because: Given for updates alone.
        note: What the history should add, e.g. the version that was reverted to.
    """

    root: RootId
    number: int
    revision: int
    statement: Statement
    recorded_at: datetime
    created_by: KeyId
    run: RunId | None
    reason: Reason
    because: Because | None
    previous_hash: str | None
    content_hash: str
    note: str | None = None

    @property
    def ref(self) -> VersionRef:
        return VersionRef(self.root, self.number)

    def expected_hash(self) -> str:
        """What `content_hash` has to be, from everything else in the row."""
        said = self.statement
        return proof.digest(
            {
                "id": str(self.ref),
                "revision": self.revision,
                "content": said.content,
                "memory_type": said.memory_type,
                "canonical": said.canonical,
                "level": said.level,
                "asserted_at": instants.write(said.asserted_at),
                "recorded_at": instants.write(self.recorded_at),
                "valid_from": _written(said.valid_from),
                "valid_until": _written(said.valid_until),
                "event_date": _written(said.event_date),
                "source": [said.source.agent, said.source.session, said.source.channel, said.source.trust],
                "attributed_to": said.attributed_to,
                "metadata": said.metadata,
                "derived_from": said.derived_from,
                "run_id": self.run,
                "created_by": self.created_by,
                "reason": self.reason,
                "because": self.because,
                **({} if self.note is None else {"note": self.note}),
                **({} if said.extraction is None else {"extraction": _told(said.extraction)}),
            },
            self.previous_hash,
        )


def _written(instant: datetime | None) -> str | None:
    return None if instant is None else instants.write(instant)


def _told(extraction: Extraction) -> list[str | int | None]:
    found = extraction.method, extraction.model, extraction.percent, extraction.subject, extraction.date_phrase
    return [*found, extraction.document, extraction.chunk, *extraction.characters]
