"""Uploads: what is announced, where its bytes go, and what became of them."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from palimpsest.api.wire.fields import Answer, LibraryPath, Name, Request, Space, WrittenInstant
from palimpsest.api.wire.sources import SourceRequest
from palimpsest.domain import instants
from palimpsest.domain.upload import UPLOAD_BYTES, Upload, UploadState
from palimpsest.usecases.upload_document import Announced, UploadBegun

_METHOD: Final = "PUT"


class UploadRequest(Request):
    """A document that is to come. `size` is exact: bytes of another length are refused."""

    path: LibraryPath
    size: Annotated[int, Field(strict=True, ge=1, le=UPLOAD_BYTES)]
    title: Name | None = None
    media_type: Name | None = None
    space: Space | None = None
    source: SourceRequest = SourceRequest()

    def to_announced(self) -> Announced:
        """The same for the core."""
        return Announced(self.path, self.size, self.space, self.title, self.media_type, self.source.to_claim())


class UploadBegunAnswer(Answer):
    """Where the bytes go: one request with that method and these headers, without a key, before it expires.

    On one machine `url` is a path of this server.
    """

    upload_id: str = Field(examples=["upl_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    url: str
    method: str = _METHOD
    headers: dict[str, str]
    expires_at: WrittenInstant

    @classmethod
    def of(cls, begun: UploadBegun) -> UploadBegunAnswer:
        """What is told of an upload that began."""
        expires_at = instants.write(begun.upload.expires_at)
        headers = dict(begun.place.headers)
        return cls(upload_id=begun.upload.id, url=begun.place.url, headers=headers, expires_at=expires_at)


class UploadAnswer(Answer):
    """How an upload stands; `document_id` and `outcome` once it is received, `failure` when nothing came of it."""

    upload_id: str = Field(examples=["upl_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    state: UploadState
    document_id: str | None
    outcome: str | None
    failure: str | None
    expires_at: WrittenInstant

    @classmethod
    def of(cls, upload: Upload) -> UploadAnswer:
        """What is told of it."""
        return cls(
            upload_id=upload.id,
            state=upload.state,
            document_id=upload.document,
            outcome=upload.outcome or None,
            failure=upload.failure or None,
            expires_at=instants.write(upload.expires_at),
        )
