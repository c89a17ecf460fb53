"""Add a document, or send another edition of one that is there: kept as it came or to be fetched, then read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Document, DocumentKind, last_part
from palimpsest.domain.errors import Invalid, LostRace, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import DocumentId
from palimpsest.domain.library.media_types import MediaTypes
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.fetcher import Fetcher
from palimpsest.ports.table import Put, Write
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.documents import Documents
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.spaces import Space
from palimpsest.usecases import accepting, contents
from palimpsest.usecases.contents import AcceptedContent, AcceptedLink, Content, Kept, LinkTo
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
        path: What identifies it in its space; with the same path it is another edition of the same document. Of a link
            where none is given, its address without what only tracks readers.
        title: What the document says itself when none is given, else the last part of the path.
        media_type: Told from the path when none is given.
        also: What is written with the document, in one transaction.
    """

    path: str | None
    content: Content
    space: str | None = None
    title: str | None = None
    media_type: str | None = None
    source: SourceClaim = field(default_factory=SourceClaim)
    kind: DocumentKind = DocumentKind.FILE
    also: Callable[[Document], Iterable[Write]] = lambda document: ()


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
    fetcher: Fetcher
    ask: Callable[[Work], object]

    def __call__(self, caller: Caller, sending: Sending, idempotency: Idempotency | None = None) -> DocumentAdded:
        """The document with what was sent on its way.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: It can't be kept, nobody here reads its media type, or it is a link that leads inside a network.
            BlobsUnavailable: It could not be kept.
            WrongState: It is a retry, and the document was forgotten since.
        """
        caller.require(Role.WRITER)
        name = caller.require_space(sending.space)
        space = self.steps.spaces.find(name)
        accepted = self._accepted(caller, sending, self.steps.scrub.of(space))
        space = space or self.steps.spaces.begin(name)
        for _ in range(ATTEMPTS):
            earlier = self.steps.answered(caller, idempotency)
            if earlier is not None and (made := self._made(earlier)) is not None:
                return DocumentAdded(made, name, Added(earlier.outcome))
            added = self._add(caller, space, accepted, idempotency)
            if added is not None:
                if added.document.has_work or added.document.is_to_be_fetched(self.steps.clock.now()):
                    self.ask(Work(Job.INGEST, added.document.id))
                return added
        raise LostRace(ATTEMPTS)

    def accept(self, caller: Caller, sending: Sending) -> AcceptedContent:
        """What would be kept of it; raises as above."""
        caller.require(Role.WRITER)
        space = self.steps.spaces.find(caller.require_space(sending.space))
        return self._accepted(caller, sending, self.steps.scrub.of(space))

    def _add(
        self, caller: Caller, space: Space, accepted: AcceptedContent, idempotency: Idempotency | None
    ) -> DocumentAdded | None:
        """None when somebody else came between."""
        now = self.steps.clock.now()
        known = self.documents.at(space.id, accepted.path)
        document = known or self._begun(caller, space, accepted, now)
        sent = self._sent(caller, document, accepted, now)
        if sent is None:
            for write in self._record(caller, document, Added.UNCHANGED, idempotency):
                self.steps.idempotency.keep(write)
            return DocumentAdded(document, space.name, Added.UNCHANGED)
        outcome = Added.ADDED if known is None else Added.UPDATED
        also: list[Write] = [*self._record(caller, document, outcome, idempotency), *accepted.also(sent)]
        is_there = self.documents.begin(sent, also) if known is None else self.documents.move(known, sent, also)
        if is_there:
            return DocumentAdded(sent, space.name, outcome)
        self._leave_nothing(sent)
        return None

    def _leave_nothing(self, sent: Document) -> None:
        """Of bytes that were kept for a document which is erased by now, or never came to be."""
        there = self.documents.find([sent.id]).get(sent.id)
        if sent.arrival is not None and (there is None or there.erased_at is not None):
            self.blobs.delete(sent.arrival.original.blob)

    def _begun(self, caller: Caller, space: Space, accepted: AcceptedContent, now: datetime) -> Document:
        return Document(
            id=DocumentId(f"doc_{self.steps.beliefs.ids.ulid()}"),
            space=space.id,
            path=accepted.path,
            title=accepted.title or last_part(accepted.path),
            kind=accepted.kind,
            created_at=now,
            changed_at=now,
            created_by=caller.key,
            source=accepted.source,
            is_titled=accepted.title is not None,
        )

    def _sent(self, caller: Caller, document: Document, accepted: AcceptedContent, now: datetime) -> Document | None:
        """The document with what was sent; None when it has that already."""
        is_titled_alike = accepted.title == (document.title if document.is_titled else None)
        if isinstance(accepted.content, AcceptedLink):
            link = accepted.content.link(caller.key, now)
            if document.waits_for(link, now) and is_titled_alike:
                return None
            return document.linked(link, accepted.title, accepted.source, now)
        original = contents.original(document, accepted.content, accepted.media_type)
        if document.has(original) and is_titled_alike:
            return None
        content = accepted.content
        self.blobs.put(original.blob, self.blobs.read(content.blob) if isinstance(content, Kept) else content)
        kept = replace(document, kind=accepted.kind)
        return kept.sent(original, accepted.title, accepted.source, now, caller.key)

    def _accepted(self, caller: Caller, sending: Sending, scrubber: Scrubber) -> AcceptedContent:
        title = accepting.name(sending.title, "title", scrubber)
        source = accepting.source(sending.source, caller, scrubber)
        if isinstance(sending.content, LinkTo):
            link = contents.accept_link(sending.content, scrubber)
            path = contents.accept_path(sending.path, scrubber) if sending.path else contents.path_of(link, scrubber)
            self.fetcher.check(link.address)
            return AcceptedContent(path, title, link, "", DocumentKind.LINK, source)
        if isinstance(sending.content, bytes) and not sending.content.strip():
            raise Invalid("text", "the document is empty; send something to be read")
        path = contents.accept_path(sending.path or "", scrubber)
        media_type = self._media_type(path, sending)
        return AcceptedContent(path, title, sending.content, media_type, sending.kind, source, sending.also)

    def _media_type(self, path: str, sending: Sending) -> str:
        found = self.media_types.of(path, sending.media_type)
        if found is None and sending.kind is DocumentKind.FILE:
            raise Invalid("media_type", "nobody here reads documents of this media type")
        return found or sending.media_type or ""

    def _made(self, earlier: Answered) -> Document | None:
        """What the first of the same requests came to; a conversation without a name has another path in the second."""
        document = DocumentId(earlier.subject)
        made = self.documents.find([document]).get(document)
        if made is not None and (made.restore_until is not None or made.erased_at is not None):
            raise WrongState(made.state, "the document of this request was forgotten since; restore it or send it anew")
        return made

    def _record(self, caller: Caller, document: Document, outcome: Added, idempotency: Idempotency | None) -> list[Put]:
        if idempotency is None:
            return []
        answered = Answered(document.id, 0, outcome)
        return [self.steps.idempotency.record(caller.key, idempotency, answered, self.steps.clock.now())]
