"""What arrived of a document as sections: read by its media type, scrubbed, cut to fit the embedder's window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from palimpsest.domain.document import Document, DocumentKind, Original
from palimpsest.domain.errors import BlobMissing, Unreadable
from palimpsest.domain.library import transcript
from palimpsest.domain.library.blocks import Block
from palimpsest.domain.library.fragments import Conversation, converse
from palimpsest.domain.library.piece import Piece, of_fragment, of_section
from palimpsest.domain.library.sectioning import sections
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.document_reader import DocumentReader
from palimpsest.ports.embedder import Embedder
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.scrub import Scrub, Scrubber

_IN_MEMORY_BYTES: Final = 4 * 1024 * 1024
"""A larger document lies in a temporary file while it is read: readers of some formats go back and forth in it."""


@dataclass(frozen=True, slots=True)
class ReadSections:
    """Reads. `readers`: by media type."""

    blobs: Blobs
    spaces: Spaces
    scrub: Scrub
    embedder: Embedder
    readers: Mapping[str, DocumentReader]

    def __call__(self, document: Document) -> Iterator[Piece]:
        """The pieces of what arrived, in order, each as it is made; Unreadable, also on the way."""
        if document.kind is DocumentKind.CONVERSATION:
            return map(of_fragment, self._conversation(document.arrived.original).fragments)
        return self._file(document)

    def _file(self, document: Document) -> Iterator[Piece]:
        original = document.arrived.original
        reader = self.readers.get(original.media_type)
        if reader is None:
            raise Unreadable("unknown_format")
        scrubber = self.scrub.of(self.spaces.by_id(document.space))
        with SpooledTemporaryFile(_IN_MEMORY_BYTES) as file:
            self._fetch(original, file)
            blocks = _scrubbed(reader.read(file).blocks, scrubber)
            yield from map(of_section, sections(blocks, self._tokens, self.embedder.window))

    def _conversation(self, original: Original) -> Conversation:
        """It was scrubbed before it was kept."""
        try:
            turns = transcript.read(b"".join(self.blobs.read(original.blob)))
        except BlobMissing as error:
            raise Unreadable("lost") from error
        return converse(turns, self._tokens, self.embedder.window)

    def _fetch(self, original: Original, file: IO[bytes]) -> None:
        try:
            file.writelines(self.blobs.read(original.blob))
        except BlobMissing as error:
            raise Unreadable("lost") from error
        file.seek(0)

    def _tokens(self, text: str) -> int:
        return self.embedder.tokens([text])[0]


def _scrubbed(blocks: Iterable[Block], scrubber: Scrubber) -> Iterator[Block]:
    for block in blocks:
        yield replace(block, text=scrubber.alone(block.text))
