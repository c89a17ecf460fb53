"""The verbs of documents: send files, list what there is, show one."""

from __future__ import annotations

import json
import time
import uuid
from argparse import ArgumentParser
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, Problem, part
from palimpsest.local.cli.file_choice import Chosen, LeftOut, chosen
from palimpsest.local.cli.progress import Progress
from palimpsest.local.cli.screen import Screen, beginning, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.cli.watching import Changed, looks
from palimpsest.local.exits import Exit, Refusal

_ABOUT_THE_FILE = frozenset({409, 413, 422})
_TAKEN_IN_SECONDS = 20.0
_WATCHED_SECONDS = 2.0
_LOOKED_AGAIN_SECONDS = 0.2


def is_document(name: str) -> bool:
    """An id of a document stands here, not one of a memory."""
    return name.startswith("doc_")


def forget(session: Session, document: str) -> Exit:
    """Forget a document."""
    return session.show(session.api.delete(f"/documents/{part(document)}"), _show_forgotten)


def restore(session: Session, document: str) -> Exit:
    """Bring a forgotten document back."""
    return session.show(_post(session, f"/documents/{part(document)}/restore", {}), _show_restored)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE|FOLDER|URL",
        help="what to send; of a folder all text files, of a page its text",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="follow files and folders until this command is ended; have the server look at pages every day",
    )
    parser.add_argument(
        "--as",
        dest="named",
        metavar="PATH",
        help="the path that identifies it in its space; of a folder, what the paths begin with. As given by default",
    )


def _add(session: Session) -> Exit:
    given = session.arguments
    if given.named and len(given.files) > 1:
        raise Refusal(Exit.USAGE, "--as names one file, folder or page; send others by themselves")
    pages = [name for name in given.files if is_page(name)]
    files = [Path(name) for name in given.files if not is_page(name)]
    counts = Counter(_send_page(session, name) for name in pages)
    changed, is_watching = Changed(), given.watch and bool(files)
    for _ in looks(lambda: time.sleep(_WATCHED_SECONDS), is_watching=is_watching):
        found = changed.of(each for file in files for each in chosen(file, Path.cwd(), given.named))
        counts.update(_send_files(session, list(found)))
    if sum(counts.values()) > 1 and not session.is_json:
        session.screen.line(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return Exit.REFUSED if "refused" in counts else Exit.OK


def is_page(name: str) -> bool:
    """An address of the web stands here, not the name of a file."""
    return name.lower().startswith(("https://", "http://"))


def _send_page(session: Session, url: str) -> str:
    own = {"path": session.arguments.named, "watch": session.arguments.watch or None}
    return _send(session, url, {"url": url, **options.given_only(own)})


def _send_files(session: Session, found: Sequence[Chosen | LeftOut]) -> Iterator[str]:
    progress = Progress(session.screen.out, len(found), None if session.is_json else session.screen.width)
    for each in found:
        progress.step(each.path)
        body = None if isinstance(each, LeftOut) or each.is_large else _body(each)
        progress.clear()
        if isinstance(each, LeftOut):
            yield _tell_left_out(session, each)
        else:
            yield _upload(session, each) if body is None else _send(session, each.path, body)


def _body(file: Chosen) -> Json:
    try:
        return {"path": file.path, "base64": b64encode(file.file.read_bytes()).decode("ascii")}
    except OSError as error:
        raise Refusal(Exit.USAGE, f"{file.path!r} can't be read any more ({error.strerror})") from None


def _upload(session: Session, file: Chosen) -> str:
    """What became of a file that no request holds."""
    try:
        begun = _post(session, "/documents/uploads", {"path": file.path, "size": file.size, **session.space()})
        with file.file.open("rb") as content:
            session.api.upload(begun["url"], begun["headers"], content)
    except Problem as problem:
        if problem.status not in _ABOUT_THE_FILE:
            raise
        return _tell_left_out(session, LeftOut(file.path, str(problem), is_refused=True))
    return _tell_upload(session, file, begun["upload_id"])


def _tell_upload(session: Session, file: Chosen, upload: str) -> str:
    """Once it was taken in; it may take longer than anybody waits."""
    ends = time.monotonic() + _TAKEN_IN_SECONDS
    while True:
        told = session.api.get(f"/documents/uploads/{part(upload)}")
        if told["state"] != "waiting" or time.monotonic() >= ends:
            break
        time.sleep(_LOOKED_AGAIN_SECONDS)
    if told["state"] == "failed":
        return _tell_left_out(session, LeftOut(file.path, str(told["failure"]), is_refused=True))
    outcome = str(told["outcome"] or "sent")
    answer = {"path": file.path, **told, "outcome": outcome}
    document = told["document_id"] or upload
    session.show(answer, lambda screen, _: screen.line(f"{outcome} {document} {one_line(file.path)}"))
    return outcome


def _send(session: Session, name: str, body: Json) -> str:
    """What became of one of them; that the server refuses it does not stop the others."""
    try:
        answer = _post(session, "/documents", {**body, **session.space()})
    except Problem as problem:
        if problem.status not in _ABOUT_THE_FILE:
            raise
        return _tell_left_out(session, LeftOut(name, str(problem), is_refused=True))
    session.show(answer, _show_added)
    return str(answer["outcome"])


def _tell_left_out(session: Session, file: LeftOut) -> str:
    outcome = "refused" if file.is_refused else "left out"
    told = {"path": file.path, "outcome": outcome.replace(" ", "_"), "reason": file.reason}
    session.show(told, lambda screen, _: screen.line(f"{outcome} {one_line(file.path)}: {one_line(file.reason)}"))
    return outcome


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
    return session.show(_post(session, "/conversations", body), _show_added)


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


def _show_added(screen: Screen, answer: Json) -> None:
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
        "add",
        "send files to be kept, read and recalled",
        _add,
        _add_arguments,
        ("POST /documents", "POST /documents/uploads", "GET /documents/uploads/{id}"),
    ),
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
