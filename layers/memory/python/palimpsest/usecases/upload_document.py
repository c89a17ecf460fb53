"""Send a document past what a request holds: an address for its bytes first, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, LostRace, NotFound, RequestRepeated, TooLong
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import UploadId
from palimpsest.domain.upload import OPEN_FOR, UPLOAD_BYTES, Upload, UploadState
from palimpsest.ports.table import Put
from palimpsest.ports.upload_places import UploadPlace, UploadPlaces
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.idempotency import Answered
from palimpsest.stores.uploads import Uploads
from palimpsest.usecases.add_document import AddDocument, Sending
from palimpsest.usecases.drafts import SourceClaim
from palimpsest.usecases.steps import ATTEMPTS

BEGUN = "begun"
"""The outcome of the request for an address, for its record."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A document that is to come, as it is told of. `size`: in bytes."""

    path: str
    size: int
    space: str | None = None
    title: str | None = None
    media_type: str | None = None
    source: SourceClaim = field(default_factory=SourceClaim)


@dataclass(frozen=True, slots=True)
class UploadBegun:
    """An upload and where its bytes go."""

    upload: Upload
    place: UploadPlace


@dataclass(frozen=True, slots=True)
class UploadDocument:
    """Gives addresses, takes bytes where there is no other who does, and tells what became of them."""

    add_document: AddDocument
    uploads: Uploads
    places: UploadPlaces
    ask: Callable[[Work], object]

    def __call__(self, caller: Caller, announced: Announced, request: Idempotency | None = None) -> UploadBegun:
        """Where the bytes go.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: It can't be kept, is larger than 100 MB, or nobody here reads its media type.
        """
        upload = self._upload(caller, announced)
        steps = self.add_document.steps
        for _ in range(ATTEMPTS):
            earlier = steps.answered(caller, request)
            if earlier is not None:
                begun = self._of(UploadId(earlier.subject))
                return UploadBegun(begun, self.places.place(begun))
            answer = [] if request is None else [self._record(caller, upload, request)]
            with suppress(RequestRepeated):
                self.uploads.begin(upload, answer)
                return UploadBegun(upload, self.places.place(upload))
        raise LostRace(ATTEMPTS)

    def show(self, caller: Caller, upload: UploadId) -> Upload:
        """How it stands; NotFound when it is unknown or goes to a space that the key may not enter."""
        caller.require(Role.READER)
        found = self._of(upload)
        if not caller.may_enter(found.space):
            raise NotFound("upload")
        return found

    def put(self, upload: UploadId, url: str, size: int | None, content: Iterable[bytes]) -> None:
        """Keep the bytes that came to the address `url`, and have them taken in.

        Raises:
            NotFound: It is not the address of an upload that waits.
            TooLong: `size`, as it is said before the bytes come, or the bytes are more than were announced.
            Invalid: They are fewer.
        """
        found = self.uploads.find(upload)
        if found is None or not self._is_open(found) or not compare_digest(self.places.place(found).url, url):
            raise NotFound("upload")
        if size is None:
            raise Invalid("size", "say how long the body is (Content-Length)")
        if size > found.size:
            raise _too_long(found)
        self.add_document.blobs.put(found.blob, _as_long_as(found, content))
        self.ask(Work(Job.RECEIVE, upload))

    def _upload(self, caller: Caller, announced: Announced) -> Upload:
        if announced.size > UPLOAD_BYTES:
            raise TooLong("size", limit=UPLOAD_BYTES, unit="bytes")
        told = announced.space, announced.title, announced.media_type, announced.source
        accepted = self.add_document.accept(caller, Sending(announced.path, b"\0", *told))
        return Upload(
            id=UploadId(f"upl_{self.add_document.steps.beliefs.ids.ulid()}"),
            space=caller.require_space(announced.space),
            path=accepted.path,
            title=accepted.title,
            media_type=accepted.media_type,
            size=announced.size,
            source=accepted.source,
            asked_by=caller.key,
            max_trust=caller.max_trust,
            expires_at=self.add_document.steps.clock.now() + OPEN_FOR,
        )

    def _of(self, upload: UploadId) -> Upload:
        found = self.uploads.find(upload)
        if found is None:
            raise NotFound("upload")
        return found

    def _is_open(self, upload: Upload) -> bool:
        return upload.state is UploadState.WAITING and self.add_document.steps.clock.now() < upload.expires_at

    def _record(self, caller: Caller, upload: Upload, request: Idempotency) -> Put:
        steps = self.add_document.steps
        return steps.idempotency.record(caller.key, request, Answered(upload.id, 0, BEGUN), steps.clock.now())


def _as_long_as(upload: Upload, content: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes; raises on the way when they are not as many as were announced, so that nothing of them is kept."""
    came = 0
    for chunk in content:
        came += len(chunk)
        if came > upload.size:
            raise _too_long(upload)
        yield chunk
    if came < upload.size:
        raise Invalid("size", "the body is shorter than was announced; send it again")


def _too_long(upload: Upload) -> TooLong:
    return TooLong("size", limit=upload.size, unit="bytes")
