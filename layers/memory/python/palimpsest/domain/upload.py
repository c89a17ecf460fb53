"""An upload: a document that comes on a way of its own, past what a request holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from palimpsest.domain.ids import DocumentId, KeyId, UploadId
from palimpsest.domain.source import Source, Trust

UPLOAD_BYTES: Final = 100 * 1024 * 1024
"""The largest document that is taken."""

OPEN_FOR: Final = timedelta(hours=1)
"""How long its bytes may come."""

KEPT_FOR: Final = timedelta(days=1)
"""How long after that one can ask what became of it."""


class UploadState(StrEnum):
    """How an upload stands."""

    WAITING = "waiting"
    """Its bytes have not come, or nobody has looked at them yet."""
    RECEIVED = "received"
    """They are the next edition of a document."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload. Once it is received or has failed it has no path and no title any more.

    Attributes:
        space: The name of the space that it goes to.
        size: Of the bytes that are to come.
        expires_at: When they have to be there.
        document: What they became; None while they wait.
        outcome: What became of the document, as a word; empty while they wait.
        failure: The word that says why they became nothing; empty otherwise.
    """

    id: UploadId
    space: str
    path: str
    title: str | None
    media_type: str
    size: int
    source: Source
    asked_by: KeyId
    max_trust: Trust
    expires_at: datetime
    document: DocumentId | None = None
    outcome: str = ""
    failure: str = ""

    @property
    def state(self) -> UploadState:
        if self.failure:
            return UploadState.FAILED
        return UploadState.WAITING if self.document is None else UploadState.RECEIVED

    @property
    def blob(self) -> str:
        """Where its bytes lie until they are taken in."""
        return f"{UPLOADS}{self.id}"

    def received(self, document: DocumentId, outcome: str) -> Upload:
        """Its bytes are that document's."""
        return replace(self, path="", title=None, document=document, outcome=outcome)

    def failed(self, failure: str) -> Upload:
        """Nothing came of it."""
        return replace(self, path="", title=None, failure=failure)


UPLOADS: Final = "documents/uploads/"
"""What the keys of blobs begin with that are to be taken in."""
