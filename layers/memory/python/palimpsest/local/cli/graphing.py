"""The verbs for the graph as a whole: look at it, keep it as a file, have sources read for it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path

from palimpsest.api.graphml import graphml
from palimpsest.local.cli import entities, options, running
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_PAGE = 200
_NOT_ENTITIES = ("mem_", "doc_", "chk_")


def _graph_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--around",
        metavar="ID",
        help="only what this memory, entity, document or chunk is joined to: its id, or a name of the entity",
    )
    parser.add_argument("--depth", type=options.positive, metavar="N", help="how far around it, up to 3; 1 by default")
    parser.add_argument("--as-of", metavar="WHEN", help="with --around, what was true then")
    parser.add_argument("--chunks-of", metavar="ID", help="only this document, opened into its chunks")
    parser.add_argument("--graphml", metavar="FILE", help="write all of it into this file, as GraphML")
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many entries of a page")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _graph(session: Session) -> Exit:
    given = session.arguments
    around = None if given.around is None else _node(session, given.around)
    query = {"around": around, "depth": given.depth, "as_of": given.as_of}
    query |= {"chunks_of": given.chunks_of, "cursor": given.cursor}
    query |= session.space()
    if given.graphml is None:
        return session.show(session.api.get("/memory/graph", {**query, "limit": given.limit}), _show_graph)
    nodes: dict[str, Json] = {}
    edges: dict[tuple[str, ...], Json] = {}
    for page in _pages(session, {**query, "limit": given.limit or _PAGE}):
        nodes |= {node["id"]: node for node in page["nodes"]}
        edges |= {(edge["from"], edge["to"], edge["relation"]): edge for edge in page["edges"]}
    try:
        Path(given.graphml).write_text(graphml(nodes.values(), edges.values()), "utf-8")
    except OSError as error:
        raise Refusal(Exit.USAGE, f"{given.graphml!r} can't be written ({error.strerror})") from None
    told = {"file": given.graphml, "nodes": len(nodes), "edges": len(edges)}
    return session.show(
        told,
        lambda screen, _: screen.line(one_line(f"{len(nodes)} nodes and {len(edges)} edges are in {given.graphml}")),
    )


def _node(session: Session, named: str) -> str:
    return named if named.startswith(_NOT_ENTITIES) else entities.found(session, named)


def _pages(session: Session, query: Json) -> Iterator[Json]:
    while True:
        page = session.api.get("/memory/graph", query)
        yield page
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]


def _show_graph(screen: Screen, answer: Json) -> None:
    nodes = {node["id"]: node for node in answer["nodes"]}
    if nodes:
        rows = [(each["id"], each["kind"], each["type"] or "", each["label"]) for each in nodes.values()]
        screen.table(("node", "kind", "type", "label"), rows)
    elif not answer["next_cursor"]:
        screen.line("nothing was found")
    if answer["edges"]:
        screen.line()
        rows = [
            (nodes[each["from"]]["label"], each["relation"], str(each["weight"]), nodes[each["to"]]["label"])
            for each in answer["edges"]
        ]
        screen.table(("from", "relation", "weight", "to"), [(_short(one), *rest) for one, *rest in rows])
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"


_LABEL = 40


def _index_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the run is over")


def _indexing(word: str) -> Callable[[Session], Exit]:
    def index(session: Session) -> Exit:
        return running.begin(session, f"/memory/{word}", session.space())

    return index


def _auto_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("state", choices=("on", "off", "as-everywhere"), help="as-everywhere: as the installation does")


def _auto(session: Session) -> Exit:
    name = session.arguments.space
    if name is None:
        raise Refusal(Exit.USAGE, "say of which space: --space NAME")
    wanted = {"on": True, "off": False}.get(session.arguments.state)
    return session.show(session.api.patch(f"/spaces/{part(name)}", {"auto_index": wanted}), _show_auto)


def _show_auto(screen: Screen, answer: Json) -> None:
    space = answer["space"]
    state = {True: "on", False: "off"}.get(space["auto_index"], "as everywhere here")
    screen.line(f"auto-index of {space['name']}: {state}")


VERBS = (
    Verb(
        "graph",
        "show memories, documents and entities with what joins them, or write them into a file",
        _graph,
        _graph_arguments,
        ("GET /memory/graph",),
    ),
    Verb(
        "index",
        "read what nobody has read for entities yet",
        _indexing("index"),
        _index_arguments,
        ("POST /memory/index",),
    ),
    Verb(
        "reindex",
        "read everything for entities anew (with an owner's key)",
        _indexing("reindex"),
        _index_arguments,
        ("POST /memory/reindex",),
    ),
    Verb(
        "auto-index",
        "say whether what is saved in a space is read for entities by itself (with an owner's key)",
        _auto,
        _auto_arguments,
        ("PATCH /spaces/{name}",),
    ),
)
