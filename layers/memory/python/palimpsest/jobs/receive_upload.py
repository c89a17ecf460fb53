"""Take in what was uploaded: its bytes become the next edition of a document. Done twice it does the same."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import BlobMissing, Conflict, Invalid, NotAllowed
from palimpsest.domain.ids import UploadId
from palimpsest.domain.upload import UPLOADS, Upload, UploadState
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.uploads import Uploads
from palimpsest.usecases.add_document import AddDocument, Sending
from palimpsest.usecases.contents import Kept
from palimpsest.usecases.drafts import SourceClaim


@dataclass(frozen=True, slots=True)
class ReceiveUpload:
    """Receives one upload. What does not come in time, or is no upload's, leaves nothing."""

    uploads: Uploads
    add_document: AddDocument
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        upload = self.uploads.find(UploadId(subject))
        if upload is not None and upload.state is UploadState.WAITING:
            size = self.add_document.blobs.size(upload.blob)
            if size is None and self.clock.now() < upload.expires_at:
                return False
            self.uploads.keep(self._received(upload, size))
        self.add_document.blobs.delete(f"{UPLOADS}{subject}")
        return False

    def _received(self, upload: Upload, size: int | None) -> Upload:
        if size is None:
            return upload.failed("not_arrived")
        if size != upload.size:
            return upload.failed("other_size")
        try:
            added = self.add_document(_caller(upload), self._sending(upload))
        except BlobMissing:
            return upload.failed("lost")
        except (Conflict, Invalid, NotAllowed):
            return upload.failed("refused")
        return upload.received(added.document.id, added.outcome)

    def _sending(self, upload: Upload) -> Sending:
        digest = hashlib.sha256()
        for chunk in self.add_document.blobs.read(upload.blob):
            digest.update(chunk)
        said = upload.source
        source = SourceClaim(said.agent, said.session, said.channel, said.trust)
        content = Kept(upload.blob, digest.hexdigest(), upload.size)
        return Sending(upload.path, content, upload.space, upload.title, upload.media_type, source)


def _caller(upload: Upload) -> Caller:
    """Whoever asked, as the key stood then."""
    return Caller(upload.asked_by, Role.WRITER, (upload.space,), upload.max_trust)
