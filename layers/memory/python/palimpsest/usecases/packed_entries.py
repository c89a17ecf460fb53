"""Memories and parts of documents as entries of a context."""

from __future__ import annotations

from palimpsest.domain.belief import Memory
from palimpsest.domain.ids import parse_reference
from palimpsest.domain.packing.entry import Entry
from palimpsest.usecases.answers import AnyHit, ContextHit


def entry_of(memory: Memory, about: str = "") -> Entry:
    """A memory, told by its version."""
    said = memory.version.statement
    sources = (parse_reference(each) for each in said.derived_from)
    return Entry(
        key=str(memory.version.ref),
        root=memory.head.root,
        text=said.content,
        said_at=said.event_date or said.asserted_at,
        about=about,
        is_pinned=memory.head.annotations.pinned,
        made_from=frozenset(each.root for each in sources if each is not None),
    )


def entry_of_hit(hit: AnyHit) -> Entry:
    """A result of a recall; a part of a document is about where it stands there."""
    if isinstance(hit, ContextHit):
        return _part(hit)
    return entry_of(hit.memory)


def _part(hit: ContextHit) -> Entry:
    chunk = hit.chunk
    said = chunk.fragment.at if chunk.fragment is not None else None
    about = " > ".join(dict.fromkeys([hit.document.title, *chunk.breadcrumb]))
    return Entry(chunk.id, chunk.id, chunk.text, said_at=said, about=about)
