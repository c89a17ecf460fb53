"""What was found in a source as items of the source's own partition, so that erasing the source takes it along."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.graph.links import (
    Links,
    MemorySource,
    Mention,
    Outcome,
    ReadBy,
    Relation,
    Source,
    parse_source,
)
from palimpsest.domain.ids import EntityId, RunId, SpaceId
from palimpsest.domain.naming.proposals import Method
from palimpsest.ports.table import Item, Key
from palimpsest.stores import graph_keys
from palimpsest.stores.codec import Reader, decimal, item
from palimpsest.stores.held_codec import held_items, read_held, read_span, written_span

LIVE: Final = "L"
STALE: Final = "S"
"""What the sort keys in the indexes begin with: of links of a source that is live, and of one that is not."""

SUBJECT: Final = "#subject"
"""What the sort key of a mention ends with when the source is about the entity."""


def partition(source: Source) -> str:
    """Where the links of a source lie."""
    return (
        graph_keys.memory_source(source.root)
        if isinstance(source, MemorySource)
        else graph_keys.chunk_source(source.chunk)
    )


def items_of(links: Links) -> dict[Key, Item]:
    """All items of one source's links, by key."""
    found = [
        _extraction(links),
        *_mentions(links),
        *_relations(links),
        *held_items(links, partition(links.source), _place(links)),
    ]
    return {Key(str(each["pk"]), str(each["sk"])): each for each in found}


def read_all(stored: Iterable[Item]) -> list[Links]:
    """The links of a source's partition: one for each version that was read, in their order."""
    by_number: dict[int, list[Reader]] = {}
    for each in stored:
        r = Reader(each)
        by_number.setdefault(graph_keys.number_of_link(r.text("sk")), []).append(r)
    return [_read(readers) for _, readers in sorted(by_number.items())]


def read_mention(stored: Item) -> Mention:
    """The mention in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Mention(
        entity=EntityId(r.text("sk").rpartition("#")[2]),
        name=r.text("name"),
        method=r.choice("method", Method),
        confidence=r.number("confidence"),
        span=read_span(r),
    )


def read_relation(stored: Item) -> Relation:
    """The relation in an item; CorruptItem when it is none."""
    r = Reader(stored)
    return Relation(
        subject=EntityId(r.text("subject")),
        predicate=r.text("predicate"),
        target=r.optional("target", lambda name: EntityId(r.text(name))),
        confidence=r.number("confidence"),
        phrase=r.text("phrase"),
        proposed=r.optional("proposed", r.text),
        evidence=read_span(r),
    )


def _extraction(links: Links) -> Item:
    return item(
        graph_keys.extraction(partition(links.source), links.source.number),
        source=str(links.source),
        space=links.space,
        said_at=links.said_at,
        read_at=links.read_at,
        outcome=links.outcome,
        read_by=links.read_by,
        vocabulary=links.vocabulary,
        model=links.model,
        run=links.run,
        is_live=links.is_live,
        seen=list(links.seen),
        revision=links.revision or None,
    )


def _mentions(links: Links) -> list[Item]:
    pk, begin = partition(links.source), f"{_place(links)}#"
    return [
        item(
            graph_keys.mention(pk, links.source.number, mention.entity),
            name=mention.name,
            method=mention.method,
            confidence=decimal(mention.confidence),
            **written_span(mention.span),
            g2pk=graph_keys.mentions_of(mention.entity),
            g2sk=begin
            + ",".join(each for each in links.entities if each != mention.entity)
            + (SUBJECT if mention.entity in links.subjects else ""),
        )
        for mention in links.mentions
    ]


def _relations(links: Links) -> list[Item]:
    return [_relation(links, place, each) for place, each in enumerate(links.relations)]


def _relation(links: Links, place: int, relation: Relation) -> Item:
    return item(
        graph_keys.relation(partition(links.source), links.source.number, place),
        subject=relation.subject,
        predicate=relation.predicate,
        target=relation.target,
        confidence=decimal(relation.confidence),
        phrase=relation.phrase,
        proposed=relation.proposed,
        **written_span(relation.evidence),
        **({} if relation.target is None else _ends(links, relation, relation.target)),
    )


def _ends(links: Links, relation: Relation, target: EntityId) -> dict[str, str]:
    """Where the indexes list it; an attribute, which leads nowhere, is in neither."""
    stated = f"{LIVE if links.is_live else STALE}#{relation.predicate}"
    return {
        "g1pk": graph_keys.relations_of(relation.subject),
        "g1sk": f"{stated}#{target}#{links.source}",
        "g2pk": graph_keys.relations_of(target),
        "g2sk": f"{stated}#{relation.subject}#{links.source}",
    }


def _place(links: Links) -> str:
    """What sorts the entries of a source in an index: the newest last, apart from those that are not live."""
    return f"{LIVE if links.is_live else STALE}#{instants.write(links.said_at)}#{links.source}"


def _read(readers: Sequence[Reader]) -> Links:
    (head,) = [r for r in readers if r.text("sk").startswith("GX#")]
    return Links(
        source=head.parsed("source", parse_source),
        space=SpaceId(head.text("space")),
        said_at=head.instant("said_at"),
        read_at=head.instant("read_at"),
        outcome=head.choice("outcome", Outcome),
        read_by=head.choice("read_by", ReadBy),
        vocabulary=head.integer("vocabulary"),
        model=head.optional("model", head.text),
        run=head.optional("run", lambda name: RunId(head.text(name))),
        is_live=head.flag("is_live"),
        mentions=tuple(read_mention(r.item) for r in readers if r.text("sk").startswith("GM#")),
        relations=tuple(read_relation(r.item) for r in readers if r.text("sk").startswith("GR#")),
        seen=head.texts("seen"),
        held=tuple(read_held(r.item) for r in readers if r.text("sk").startswith("GH#")),
        revision=head.optional("revision", head.integer) or 0,
    )
