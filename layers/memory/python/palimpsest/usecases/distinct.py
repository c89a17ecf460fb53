"""Of results that say the same the best: word for word by the same one, or one consolidated from the other."""

from __future__ import annotations

from collections.abc import Iterable

from palimpsest.domain.ids import parse_reference
from palimpsest.domain.text import same_text_form
from palimpsest.usecases.answers import AnyHit, Hit


def distinct(hits: Iterable[AnyHit]) -> list[AnyHit]:
    """The results without those that say what a better one says, given best first. Versions of one belief all stay."""
    kept: list[AnyHit] = []
    said: set[tuple[str, str | None]] = set()
    shown: set[str] = set()
    consolidated: set[str] = set()
    for hit in hits:
        own, words, sources = _id(hit), _words(hit), _sources(hit)
        is_same = words in said or own in consolidated or not shown.isdisjoint(sources)
        if is_same and own not in shown:
            continue
        kept.append(hit)
        said.add(words)
        shown.add(own)
        consolidated |= sources
    return kept


def _words(hit: AnyHit) -> tuple[str, str | None]:
    if isinstance(hit, Hit):
        statement = hit.memory.version.statement
        return same_text_form(statement.content), statement.attributed_to
    return same_text_form(hit.chunk.text), hit.chunk.fragment.speaker if hit.chunk.fragment else None


def _id(hit: AnyHit) -> str:
    return hit.memory.version.root if isinstance(hit, Hit) else hit.chunk.id


def _sources(hit: AnyHit) -> set[str]:
    """The beliefs that it was consolidated from, and the turn that it was learned from."""
    if not isinstance(hit, Hit):
        return set()
    statement = hit.memory.version.statement
    learned = set() if statement.extraction is None else {str(statement.extraction.chunk)}
    given = map(parse_reference, statement.derived_from) if statement.level != "L0" else ()
    return learned | {ref.root for ref in given if ref is not None}
