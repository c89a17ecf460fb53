"""What a chunk is made of: a section of a document, or a fragment of a conversation."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.document import Fragment
from palimpsest.domain.library import fragments
from palimpsest.domain.library.section import Section


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document, as a chunk will say it. `digest`: equal in two editions when nothing of it changed."""

    text: str
    digest: str
    breadcrumb: tuple[str, ...] = ()
    page: int | None = None
    fragment: Fragment | None = None


def of_section(section: Section) -> Piece:
    return Piece(section.text, section.digest, section.breadcrumb, section.page)


def of_fragment(fragment: fragments.Fragment) -> Piece:
    turn = fragment.turn
    told = Fragment(fragment.index, turn.role, turn.speaker, turn.at, fragment.label, fragment.chars, fragment.bytes)
    return Piece(fragment.text, fragment.digest, fragment=told)
