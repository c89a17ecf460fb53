"""Add a document, or send another edition of one that is there: kept as it came, read in the background."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from palimpsest.domain import text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Document, DocumentKind, Original
from palimpsest.domain.errors import Invalid, LostRace, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import DocumentId
from palimpsest.domain.library.media_types import MediaTypes
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.table import Put, Write
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.documents import Documents
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases import accepting
from palimpsest.usecases.drafts import SourceClaim
from palimpsest.usecases.scrub import Scrubber
from palimpsest.usecases.steps import ATTEMPTS, Steps


class Added(StrEnum):
    """What became of what was sent."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Sending:
    """A document as it is sent.

    Attributes:
        path: What identifies it in its space; with the same path it is another edition of the same document.
        title: The last part of the path when none is given.
        media_type: Told from the path when none is given.
    """

    path: str
    content: bytes
    space: str | None = None
    title: str | None = None
    media_type: str | None = None
    source: SourceClaim = field(default_factory=SourceClaim)
    kind: DocumentKind = DocumentKind.FILE


@dataclass(frozen=True, slots=True)
class DocumentAdded:
    """The document, the name of its space, and what became of what was sent."""

    document: Document
    space: str
    outcome: Added


@dataclass(frozen=True, slots=True)
class AddDocument:
    """Keeps the bytes, then the document that tells of them, and has them read. `ask`: has a worker read them."""

    steps: Steps
    documents: Documents
    blobs: Blobs
    media_types: MediaTypes
    ask: Callable[[Work], object]

    def __call__(self, caller: Caller, sending: Sending, idempotency: Idempotency | None = None) -> DocumentAdded:
        """The document with what was sent on its way.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: It can't be kept, or nobody here reads its media type.
            BlobsUnavailable: It could not be kept.
            WrongState: It is a retry, and the document was forgotten since.
        """
        caller.require(Role.WRITER)
        name = caller.require_space(sending.space)
        space = self.steps.spaces.find(name)
        scrubber = self.steps.scrub.of(space)
        path, title = _accepted(sending, scrubber)
        media_type = self._media_type(path, sending)
        space = space or self.steps.spaces.begin(name)
        for _ in range(ATTEMPTS):
            earlier = self.steps.answered(caller, idempotency)
            if earlier is not None and (made := self._made(earlier)) is not None:
                return DocumentAdded(made, name, Added(earlier.outcome))
            known = self.documents.at(space.id, path)
            added = self._add(caller, space, known, _Accepted(sending, path, title, media_type, scrubber), idempotency)
            if added is not None:
                if added.document.has_work:
                    self.ask(Work(Job.INGEST, added.document.id))
                return added
        raise LostRace(ATTEMPTS)

    def _add(
        self, caller: Caller, space: Space, known: Document | None, accepted: _Accepted, idempotency: Idempotency | None
    ) -> DocumentAdded | None:
        """None when somebody else came between."""
        now = self.steps.clock.now()
        document = known or Document(
            id=DocumentId(f"doc_{self.steps.beliefs.ids.ulid()}"),
            space=space.id,
            path=accepted.path,
            title=accepted.title,
            kind=accepted.sending.kind,
            created_at=now,
            changed_at=now,
            created_by=caller.key,
            trust=caller.max_trust,
        )
        original = accepted.original(document)
        if known is not None and known.has(original) and known.title == accepted.title:
            for write in self._record(caller, document, Added.UNCHANGED, idempotency):
                self.steps.idempotency.keep(write)
            return DocumentAdded(known, space.name, Added.UNCHANGED)
        outcome = Added.ADDED if known is None else Added.UPDATED
        trust = accepting.source(accepted.sending.source, caller, accepted.scrubber).trust
        sent = document.sent(original, accepted.title, trust, now, caller.key)
        self.blobs.put(original.blob, accepted.sending.content)
        also: list[Write] = [*self._record(caller, document, outcome, idempotency)]
        is_there = self.documents.begin(sent, also) if known is None else self.documents.move(known, sent, also)
        return DocumentAdded(sent, space.name, outcome) if is_there else None

    def _media_type(self, path: str, sending: Sending) -> str:
        found = self.media_types.of(path, sending.media_type)
        if found is None and sending.kind is DocumentKind.FILE:
            raise Invalid("media_type", "nobody here reads documents of this media type")
        return found or sending.media_type or ""

    def _made(self, earlier: Answered) -> Document | None:
        """What the first of the same requests came to; a conversation without a name has another path in the second."""
        document = DocumentId(earlier.subject)
        made = self.documents.find([document]).get(document)
        if made is not None and made.restore_until is not None:
            raise WrongState(made.state, "the document of this request was forgotten since; restore it or send it anew")
        return made

    def _record(self, caller: Caller, document: Document, outcome: Added, idempotency: Idempotency | None) -> list[Put]:
        if idempotency is None:
            return []
        answered = Answered(document.id, 0, outcome)
        return [self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())]


@dataclass(frozen=True, slots=True)
class _Accepted:
    """A document that may be kept."""

    sending: Sending
    path: str
    title: str
    media_type: str
    scrubber: Scrubber

    def original(self, document: Document) -> Original:
        """Its bytes as those of the document's next edition."""
        content = self.sending.content
        digest = hashlib.sha256(content).hexdigest()
        blob = f"{blobs_of(document, document.editions + 1)}{digest[:16]}"
        return Original(blob, digest, self.media_type, len(content))


def blobs_of(document: Document, edition: int) -> str:
    """What the keys of the blobs of an edition begin with: of several who sent one at once each has its own."""
    return f"documents/{document.space}/{document.id}/{edition:08d}-"


def _accepted(sending: Sending, scrubber: Scrubber) -> tuple[str, str]:
    path = scrubber.text(text.accept(sending.path, "path", limit_characters=text.PATH_CHARACTERS), "path")
    title = accepting.name(sending.title, "title", scrubber) or path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if not sending.content:
        raise Invalid("text", "the document is empty; send something to be read")
    return path, title
