"""The verbs for entities: what memories and documents name, and what people decide of it."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from collections.abc import Callable

from palimpsest.local.cli import duplicates, options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.paging import page, page_arguments, show_rows
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_ENTITIES = "/memory/entities"


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--q", metavar="WORDS", help="only those with this in a name or an alias")
    parser.add_argument("--type", metavar="TYPE", help="only of this type, such as person")
    page_arguments(parser)


def _list(session: Session) -> Exit:
    given = session.arguments
    return session.show(page(session, _ENTITIES, q=given.q, entity_type=given.type), _show_entities)


def _id_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the entity: ent_…, or one of its names")


def _show(session: Session) -> Exit:
    return session.show(session.api.get(_path(session)), _show_entity)


def _history_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    page_arguments(parser)


def _history(session: Session) -> Exit:
    given = session.arguments
    query = {"limit": given.limit, "cursor": given.cursor}
    return session.show(session.api.get(f"{_path(session)}/history", query), _show_history)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="what it is called")
    parser.add_argument("type", help="what kind of thing it is, such as person")
    parser.add_argument("--alias", action="append", metavar="NAME", help="what else it is called; may be repeated")


def _add(session: Session) -> Exit:
    given = session.arguments
    body = {"name": given.name, "entity_type": given.type, "aliases": given.alias or [], **session.space()}
    return session.show(_post(session, _ENTITIES, body), _show_decided)


def _rename_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("name", help="what it is called from now on; the name before stays an alias")


def _rename(session: Session) -> Exit:
    return _change(session, {"name": session.arguments.name})


def _retype_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("type", help="what kind of thing it is from now on")


def _retype(session: Session) -> Exit:
    return _change(session, {"entity_type": session.arguments.type})


def _alias_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument(
        "aliases", nargs="*", metavar="NAME", help="all that it is called besides its name; none: no more"
    )


def _alias(session: Session) -> Exit:
    return _change(session, {"aliases": session.arguments.aliases})


def _change(session: Session, body: Json) -> Exit:
    return session.show(session.api.patch(_path(session), body), _show_decided)


def _merge_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("into", help="the entity that it counts for from now on: ent_…, or one of its names")


def _merge(session: Session) -> Exit:
    into = found(session, session.arguments.into)
    return session.show(_post(session, f"{_path(session)}/merge", {"into": into}), _show_decided)


def _delete(session: Session) -> Exit:
    return session.show(session.api.delete(_path(session)), _show_decided)


def _undo_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the entity: ent_…, or one of its names; a deleted one by its id alone")


def _posting(word: str) -> Callable[[Session], Exit]:
    def post(session: Session) -> Exit:
        return session.show(_post(session, f"{_path(session)}/{word}", {}), _show_decided)

    return post


def _related_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("--hops", type=options.positive, metavar="N", help="how far from it, up to 3; 1 by default")
    parser.add_argument("--type", metavar="TYPE", help="only of this type")
    parser.add_argument("--path-to", metavar="ID", help="only the shortest way to this entity: ent_…, or a name")
    parser.add_argument("--as-of", metavar="WHEN", help="what was true then")
    parser.add_argument("--believed-at", metavar="WHEN", help="what was believed then")
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")


def _related(session: Session) -> Exit:
    given = session.arguments
    end = None if given.path_to is None else found(session, given.path_to)
    when = {"as_of": given.as_of, "believed_at": given.believed_at}
    query = {"hops": given.hops, "entity_type": given.type, "path_to": end, "limit": given.limit, **when}
    return session.show(session.api.get(f"{_path(session)}/related", query), _show_related)


def _merges(session: Session) -> Exit:
    return session.show(page(session, f"{_ENTITIES}/merges"), _show_merges)


def _revert_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the entity that was merged, ent_…")


def _revert(session: Session) -> Exit:
    path = f"{_ENTITIES}/merges/{part(session.arguments.id)}/revert"
    return session.show(_post(session, path, {}), _show_decided)


def _path(session: Session) -> str:
    return f"{_ENTITIES}/{part(found(session, session.arguments.id))}"


def found(session: Session, named: str) -> str:
    """The id of an entity that is named by its id or by what it is called; a refusal when nothing is called so."""
    if named.startswith("ent_"):
        return named
    wanted, cursor = _key(named), None
    while True:
        page = session.api.get(_ENTITIES, {"q": named, "limit": 200, "cursor": cursor, **session.space()})
        for entity in page["entities"]:
            if wanted in map(_key, (entity["name"], *entity["aliases"])):
                return str(entity["id"])
        cursor = page["next_cursor"]
        if cursor is None:
            raise Refusal(Exit.NOT_FOUND, f"nothing is called {named!r} here; palimpsest entities list --q shows names")


def _key(name: str) -> str:
    return " ".join(name.casefold().split()).removeprefix("@")


def _post(session: Session, path: str, body: Json) -> Json:
    return session.api.post(path, body, idempotency_key=str(uuid.uuid4()))


def _show_entities(screen: Screen, answer: Json) -> None:
    rows = [
        (each["id"], each["entity_type"], str(each["memories"]), str(each["documents"]), _called(each))
        for each in answer["entities"]
    ]
    show_rows(screen, answer, ("entity", "type", "memories", "documents", "name"), rows)


def _called(entity: Json) -> str:
    return ", ".join([entity["name"], *entity["aliases"]])


def _show_entity(screen: Screen, entity: Json) -> None:
    pairs = [("id", entity["id"]), ("name", entity["name"]), ("type", entity["entity_type"])]
    pairs += [("aliases", ", ".join(entity["aliases"]))] if entity["aliases"] else []
    pairs += [("space", entity["space"]), ("origin", entity["origin"])]
    pairs += [("memories", str(entity["memories"])), ("documents", str(entity["documents"]))]
    screen.fields([*pairs, ("created at", entity["created_at"]), ("changed at", entity["changed_at"])])
    if entity["sources"]:
        screen.line()
        rows = [(each["at"][:10], each["memory_id"] or each["chunk_id"]) for each in entity["sources"]]
        screen.table(("since", "named by"), rows)
    if entity["named_in"]:
        screen.line()
        documents = [(each["document_id"], str(each["chunk_count"]), each["title"]) for each in entity["named_in"]]
        screen.table(("document", "chunks", "title"), documents)


def _show_decided(screen: Screen, answer: Json) -> None:
    entity = answer["entity"]
    gone = "" if entity["status"] == "current" else f", {entity['status']}"
    screen.line(one_line(f"{entity['id']} {_called(entity)} ({entity['entity_type']} in {entity['space']}{gone})"))


def _show_history(screen: Screen, answer: Json) -> None:
    rows = [(step["at"][:16], step["what"], step["by"], _before(step)) for step in answer["steps"]]
    show_rows(screen, answer, ("when", "what", "by", "before"), rows)


def _before(step: Json) -> str:
    before = step["before"]
    other = [step["other"]] if step["other"] else []
    return ", ".join([*([f"{before['name']} ({before['entity_type']})"] if before else []), *other])


def _show_related(screen: Screen, answer: Json) -> None:
    rows = [
        (str(each["hops"]), each["entity"]["name"], str(each["shared"]), _stated(each)) for each in answer["related"]
    ]
    show_rows(screen, answer, ("hops", "entity", "named together", "stated"), rows)
    if answer["truncated"]:
        screen.line(f"{answer['truncated']} more are left out; --limit shows more")


def _stated(related: Json) -> str:
    told = [each["phrase"] or each["proposed"] or each["predicate"] for each in related["stated"]]
    arrows = ["<-" if each["to"] == related["via"] else "->" for each in related["stated"]]
    return ", ".join(f"{arrow} {words}" for arrow, words in zip(arrows, told, strict=True))


def _show_merges(screen: Screen, answer: Json) -> None:
    rows = [
        (each["entity"]["id"], each["at"][:10], each["entity"]["name"], each["into"]["name"])
        for each in answer["merges"]
    ]
    show_rows(screen, answer, ("merged", "since", "name", "counts for"), rows)


def _nothing(_: Session) -> Exit:
    raise AssertionError("argparse lets nobody get here without a part")


_ONE = f"{_ENTITIES}/{{id}}"

VERBS = (
    Verb(
        "entities",
        "list what memories and documents name, and decide what it is",
        _nothing,
        parts=(
            Verb("list", "list entities, newest first", _list, _list_arguments, (f"GET {_ENTITIES}",)),
            Verb("show", "show an entity, and what names it", _show, _id_argument, (f"GET {_ONE}",)),
            Verb("add", "declare an entity", _add, _add_arguments, (f"POST {_ENTITIES}",)),
            Verb("rename", "give an entity another name", _rename, _rename_arguments, (f"PATCH {_ONE}",)),
            Verb("retype", "give an entity another type", _retype, _retype_arguments, (f"PATCH {_ONE}",)),
            Verb("alias", "say what else an entity is called", _alias, _alias_arguments, (f"PATCH {_ONE}",)),
            Verb("merge", "let an entity count for another one", _merge, _merge_arguments, (f"POST {_ONE}/merge",)),
            Verb("delete", "take an entity out of the graph", _delete, _id_argument, (f"DELETE {_ONE}",)),
            Verb(
                "undo",
                "take back the last decision on an entity",
                _posting("undo"),
                _undo_arguments,
                (f"POST {_ONE}/undo",),
            ),
            Verb(
                "history", "show what was decided of an entity", _history, _history_arguments, (f"GET {_ONE}/history",)
            ),
            Verb(
                "related",
                "show what is related to an entity, or the way to another one",
                _related,
                _related_arguments,
                (f"GET {_ONE}/related",),
            ),
            *duplicates.PARTS,
            Verb("merges", "list the merges that stand", _merges, page_arguments, (f"GET {_ENTITIES}/merges",)),
            Verb(
                "revert",
                "part an entity from the one that it was merged into",
                _revert,
                _revert_arguments,
                (f"POST {_ENTITIES}/merges/{{id}}/revert",),
            ),
        ),
    ),
)
