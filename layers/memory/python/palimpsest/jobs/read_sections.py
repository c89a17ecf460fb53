"""What arrived of a document as sections: read by its media type, scrubbed, cut to fit the embedder's window."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from palimpsest.domain.document import Document, DocumentKind, Original
from palimpsest.domain.errors import BlobMissing, Unreadable
from palimpsest.domain.library import transcript
from palimpsest.domain.library.blocks import Block, Reading
from palimpsest.domain.library.fragments import Conversation, converse
from palimpsest.domain.library.markdown import read_markdown
from palimpsest.domain.library.media_types import MARKDOWN
from palimpsest.domain.library.piece import Piece, of_fragment, of_section
from palimpsest.domain.library.plain_text import read_plain_text
from palimpsest.domain.library.sectioning import sections
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.embedder import Embedder
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.scrub import Scrub, Scrubber


@dataclass(frozen=True, slots=True)
class ReadSections:
    """Reads."""

    blobs: Blobs
    spaces: Spaces
    scrub: Scrub
    embedder: Embedder

    def __call__(self, document: Document) -> Iterator[Piece]:
        """The pieces of what arrived, in order, each as it is made; Unreadable, also on the way."""
        if document.kind is DocumentKind.CONVERSATION:
            return map(of_fragment, self._conversation(document.arrived.original).fragments)
        scrubber = self.scrub.of(self.spaces.by_id(document.space))
        blocks = _scrubbed(self._reading(document.arrived.original).blocks, scrubber)
        return map(of_section, sections(blocks, self._tokens, self.embedder.window))

    def _conversation(self, original: Original) -> Conversation:
        """It was scrubbed before it was kept."""
        try:
            turns = transcript.read(b"".join(self.blobs.read(original.blob)))
        except BlobMissing as error:
            raise Unreadable("lost") from error
        return converse(turns, self._tokens, self.embedder.window)

    def _reading(self, original: Original) -> Reading:
        try:
            lines = _lines(self.blobs.read(original.blob))
        except BlobMissing as error:
            raise Unreadable("lost") from error
        return read_markdown(lines) if original.media_type == MARKDOWN else read_plain_text(lines)

    def _tokens(self, text: str) -> int:
        return self.embedder.tokens([text])[0]


def _scrubbed(blocks: Iterable[Block], scrubber: Scrubber) -> Iterator[Block]:
    for block in blocks:
        yield replace(block, text=scrubber.alone(block.text))


def _lines(content: Iterable[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, with their ends; Unreadable when it is none."""
    decoder, rest = codecs.getincrementaldecoder("utf-8-sig")(), ""
    try:
        for piece in content:
            *whole, rest = (rest + decoder.decode(piece)).splitlines(keepends=True) or [""]
            yield from whole
        yield from (rest + decoder.decode(b"", final=True)).splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise Unreadable("not_utf8") from error
