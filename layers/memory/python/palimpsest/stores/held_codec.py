"""What a source holds for terms of the vocabulary that are only proposed, as items of its own partition."""

from __future__ import annotations

from collections.abc import Mapping

from palimpsest.domain.graph.links import HeldOut, Links
from palimpsest.domain.naming.proposals import Span
from palimpsest.ports.table import Item, Value
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, decimal, item


def held_items(links: Links, pk: str, begin: str) -> list[Item]:
    """The items of a source's links. `begin`: what sorts the source in an index."""
    return [
        item(
            graph_keys.held_out(pk, links.source.number, place),
            proposal=each.proposal,
            kind=each.kind,
            term=each.term,
            name=each.name,
            confidence=decimal(each.confidence),
            target=each.target or None,
            phrase=each.phrase or None,
            **written_span(each.span),
            g1pk=graph_keys.held_out_for(links.space, each.proposal),
            g1sk=f"{begin}#{place}",
        )
        for place, each in enumerate(links.held)
    ]


def read_held(stored: Item) -> HeldOut:
    """What is held, in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return HeldOut(
        proposal=r.text("proposal"),
        kind=r.text("kind"),
        term=r.text("term"),
        name=r.text("name"),
        confidence=r.number("confidence"),
        target=r.optional("target", r.text) or "",
        phrase=r.optional("phrase", r.text) or "",
        span=read_span(r),
    )


def written_span(span: Span | None) -> Mapping[str, Value | None]:
    """A place in a text as an attribute."""
    return {"span": None if span is None else [span.start, span.end]}


def read_span(r: Reader) -> Span | None:
    """The place in a text that an item tells of."""
    found = r.optional("span", r.range)
    return None if found is None else Span(*found)
