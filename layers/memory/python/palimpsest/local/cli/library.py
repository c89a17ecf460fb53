"""The verbs of documents: send a conversation, list what there is, show one."""

from __future__ import annotations

import json
import uuid
from argparse import ArgumentParser
from pathlib import Path

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, beginning, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal


def is_document(name: str) -> bool:
    """An id of a document stands here, not one of a memory."""
    return name.startswith("doc_")


def forget(session: Session, document: str) -> Exit:
    """Forget a document."""
    return session.show(session.api.delete(f"/documents/{part(document)}"), _show_forgotten)


def restore(session: Session, document: str) -> Exit:
    """Bring a forgotten document back."""
    return session.show(_post(session, f"/documents/{part(document)}/restore", {}), _show_restored)


def _conversation_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="JSON: a list of turns, or an object with turns; - reads the standard input")
    parser.add_argument("--title", metavar="TEXT", help="its title")
    parser.add_argument("--date", metavar="WHEN", help="when it took place")
    parser.add_argument(
        "--external-id", metavar="NAME", help="what its source calls it; with the same one it is the same conversation"
    )
    parser.add_argument(
        "--extract",
        type=options.yes_or_no,
        metavar="WHETHER",
        help="yes or no: facts are learned from it; as its space has it by default",
    )


def _ingest_conversation(session: Session) -> Exit:
    given = session.arguments
    own = {
        "extract": given.extract,
        "title": given.title,
        "conversation_date": given.date,
        "external_id": given.external_id,
    }
    body = {**_conversation(session), **options.given_only(own), **session.space()}
    return session.show(_post(session, "/conversations", body), show_added)


def _conversation(session: Session) -> Json:
    name = session.arguments.file
    try:
        raw = session.text("-") if name == "-" else Path(name).read_text("utf-8")
        value = json.loads(raw)
    except OSError as error:
        raise Refusal(Exit.USAGE, f"{name!r} can't be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise Refusal(Exit.REFUSED, f"{name!r} is no JSON in UTF-8") from None
    if isinstance(value, list):
        return {"turns": value}
    if not isinstance(value, dict):
        raise Refusal(Exit.REFUSED, f"{name!r} is neither a list of turns nor an object with turns")
    return value


def _documents_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _documents(session: Session) -> Exit:
    query = {"limit": session.arguments.limit, "cursor": session.arguments.cursor, **session.space()}
    return session.show(session.api.get("/documents", query), _show_documents)


def _document_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the document, doc_…")
    parser.add_argument("--chunks", action="store_true", help="its chunks, in its order")
    _documents_arguments(parser)


def _document(session: Session) -> Exit:
    given = session.arguments
    path = f"/documents/{part(given.id)}"
    if given.chunks:
        query = {"limit": given.limit, "cursor": given.cursor}
        return session.show(session.api.get(f"{path}/chunks", query), _show_chunks)
    return session.show(session.api.get(path), _show_document)


def _post(session: Session, path: str, body: Json) -> Json:
    return session.api.post(path, body, idempotency_key=str(uuid.uuid4()))


def show_added(screen: Screen, answer: Json) -> None:
    """What became of a document that was sent."""
    document = answer["document"]
    screen.line(f"{answer['outcome']} {document['id']} {one_line(document['path'])} (in {document['space']})")


def _show_forgotten(screen: Screen, answer: Json) -> None:
    screen.line(f"forgotten {answer['document']['id']}; it can be restored until {answer['restore_until'][:10]}")


def _show_restored(screen: Screen, answer: Json) -> None:
    screen.line(f"restored {answer['document']['id']} {one_line(answer['document']['path'])}")


def _show_documents(screen: Screen, answer: Json) -> None:
    rows = [
        (each["id"], each["changed_at"][:10], _standing(each), str(each["chunk_count"]), each["path"])
        for each in answer["documents"]
    ]
    if rows:
        screen.table(("document", "changed", "state", "chunks", "path"), rows)
    elif not answer["next_cursor"]:
        screen.line("there is no document")
    _show_cursor(screen, answer)


def _standing(document: Json) -> str:
    read = document["sections_read"]
    return f"{document['state']} ({read})" if read else str(document["state"])


def _show_document(screen: Screen, document: Json) -> None:
    names: tuple[str, ...] = (
        "title",
        "path",
        "space",
        "kind",
        "state",
        "failure_detail",
        "media_type",
        "size",
        "chunk_count",
    )
    names += ("sections_read", "trust", "created_at", "changed_at", "created_by")
    pairs = [(name.replace("_", " "), str(document[name])) for name in names if document[name] is not None]
    screen.fields([("id", document["id"]), *pairs, *_source(document)])


def _source(document: Json) -> list[tuple[str, str]]:
    """Who sent it, and where it is fetched from."""
    link, told = document["link"] or {}, {"agent": document["source"]["agent"], "url": None}
    told |= {name: link.get(name) for name in ("url", "fetched_at", "next_at")}
    return [(name.replace("_", " "), str(value)) for name, value in told.items() if value]


def _show_chunks(screen: Screen, answer: Json) -> None:
    for chunk in answer["chunks"]:
        first = f"{chunk['position']}. "
        screen.paragraph(beginning(chunk["text"]), first=first)
        facts = [chunk["id"], *([" > ".join(chunk["breadcrumb"])] if chunk["breadcrumb"] else [])]
        facts += [f"page {chunk['page']}"] if chunk["page"] else []
        facts += _said(chunk["fragment"]) if chunk["fragment"] else []
        screen.line(" " * len(first) + screen.styled(one_line(" · ".join(facts)), "dim"))
    if not answer["chunks"]:
        screen.line("nothing is shown of it yet")
    _show_cursor(screen, answer)


def _said(fragment: Json) -> list[str]:
    """Who said it, and on which day."""
    return [fragment["speaker"] or fragment["role"], *([fragment["at"][:10]] if fragment["at"] else [])]


def _show_cursor(screen: Screen, answer: Json) -> None:
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


VERBS = (
    Verb(
        "ingest-conversation",
        "send a conversation, or send it again with more turns",
        _ingest_conversation,
        _conversation_arguments,
        ("POST /conversations",),
    ),
    Verb("documents", "list the documents of a space", _documents, _documents_arguments, ("GET /documents",)),
    Verb(
        "document",
        "show how a document stands, or its chunks",
        _document,
        _document_arguments,
        ("GET /documents/{id}", "GET /documents/{id}/chunks"),
    ),
)
