"""Terms of a vocabulary, and what became of them, as items."""

from __future__ import annotations

from palimpsest.domain.graph.term import TermChange, TermEvent, TermKind, TermStatus, VocabularyTerm
from palimpsest.domain.ids import KeyId, SpaceId
from palimpsest.domain.naming.vocabulary import Tier
from palimpsest.ports.table import Item, Value
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, item


def term_item(space: SpaceId, mac: str, term: VocabularyTerm) -> dict[str, Value]:
    return item(graph_keys.term(space, mac), **_told(term))


def read_term(stored: Item) -> VocabularyTerm:
    """The term in an item; CorruptItem when it is none."""
    return _read(Reader(stored))


def event_item(space: SpaceId, mac: str, event: TermEvent) -> dict[str, Value]:
    place = graph_keys.term_event(space, mac, event.revision)
    return item(place, at=event.at, by=event.by, what=event.what, before=_told(event.before))


def read_event(stored: Item) -> TermEvent:
    """The line of history in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return TermEvent(
        revision=int(r.text("sk").rpartition("#")[2]),
        at=r.instant("at"),
        by=KeyId(r.text("by")),
        what=r.choice("what", TermChange),
        before=_read(r.map("before")),
    )


def _told(term: VocabularyTerm) -> dict[str, Value]:
    return {
        "kind": term.kind,
        "name": term.name,
        "description": term.description,
        "tier": term.tier,
        "status": term.status,
        "revision": term.revision,
    }


def _read(r: Reader) -> VocabularyTerm:
    return VocabularyTerm(
        kind=r.choice("kind", TermKind),
        name=r.text("name"),
        description=r.text("description"),
        tier=r.choice("tier", Tier),
        status=r.choice("status", TermStatus),
        revision=r.integer("revision"),
    )
