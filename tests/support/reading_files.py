"""Reading a document as people see the outcome: what kind each block is, and its text."""

from __future__ import annotations

from io import BytesIO

from palimpsest.adapters.documents.readers import all_readers
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, BlockKind, Reading

READERS = {ending: reader for reader in all_readers() for ending in reader.endings}


def reading(ending: str, content: bytes | str) -> Reading:
    return READERS[ending].read(BytesIO(content.encode() if isinstance(content, str) else content))


def blocks(ending: str, content: bytes | str) -> list[tuple[str, str]]:
    return [(_name(block), block.text) for block in reading(ending, content).blocks]


def _name(block: Block) -> str:
    return f"h{block.level}" if block.kind is BlockKind.HEADING else block.kind.value


def refusal(ending: str, content: bytes | str) -> str:
    """The reason for which a document can't be read; `read` when it can."""
    try:
        list(reading(ending, content).blocks)
    except Unreadable as error:
        return error.reason
    return "read"
