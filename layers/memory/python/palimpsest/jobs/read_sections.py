"""What arrived of a document as sections: read by its media type, scrubbed, cut to fit the embedder's window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from palimpsest.domain import text
from palimpsest.domain.arrival import Original
from palimpsest.domain.document import Document, DocumentKind
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


_THIN_CHARACTERS: Final = 200
_MARKUP_TIMES: Final = 50
"""A page that scripts fill has so many times as much markup as text, and less text than that."""


@dataclass(frozen=True, slots=True)
class Sections:
    """What arrived of a document. `title`: what it says itself; scrubbed like the pieces."""

    title: str | None
    pieces: Iterator[Piece]


@dataclass(frozen=True, slots=True)
class ReadSections:
    """Reads. `readers`: by media type."""

    blobs: Blobs
    spaces: Spaces
    scrub: Scrub
    embedder: Embedder
    readers: Mapping[str, DocumentReader]

    def __call__(self, document: Document) -> Sections:
        """The pieces of what arrived, in order, each as it is made; Unreadable, also on the way."""
        if document.kind is DocumentKind.CONVERSATION:
            return Sections(None, map(of_fragment, self._conversation(document.arrived.original).fragments))
        original = document.arrived.original
        reader = self.readers.get(original.media_type)
        if reader is None:
            raise Unreadable("unknown_format")
        with ExitStack() as stack:
            file = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY_BYTES))
            self._fetch(original, file)
            reading = reader.read(file)
            scrubber = self.scrub.of(self.spaces.by_id(document.space))
            title = None if reading.title is None else _title(scrubber.alone(reading.title))
            blocks = reading.blocks if document.link is None else _substantial(reading.blocks, original)
            return Sections(title, self._pieces(_scrubbed(blocks, scrubber), stack.pop_all()))

    def _pieces(self, blocks: Iterator[Block], files: ExitStack) -> Iterator[Piece]:
        with files:
            found = sections(blocks, self._tokens, self.embedder.window)
            first = next(found, None)
            if first is None:
                raise Unreadable("no_text")
            yield from map(of_section, chain([first], found))

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


def _title(found: str) -> str | None:
    return found[: text.NAME_CHARACTERS].strip() or None


def _substantial(blocks: Iterable[Block], original: Original) -> Iterator[Block]:
    """The blocks of a page that was fetched; Unreadable at its end when it has little text and much markup."""
    characters = 0
    for block in blocks:
        characters += len(block.text)
        yield block
    if characters < _THIN_CHARACTERS and original.size > _MARKUP_TIMES * max(characters, 1):
        raise Unreadable("thin")
