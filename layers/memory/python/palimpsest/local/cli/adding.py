"""The verb `add`: send files and pages, follow them, and tell how they were read."""

from __future__ import annotations

import time
import uuid
from argparse import ArgumentParser
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, Problem, part
from palimpsest.local.cli.endings import Endings, counted
from palimpsest.local.cli.file_choice import Chosen, LeftOut, chosen
from palimpsest.local.cli.progress import Progress
from palimpsest.local.cli.screen import one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.cli.watching import Changed, Gone, looks
from palimpsest.local.exits import Exit, Refusal

_ABOUT_THE_FILE = frozenset({409, 413, 422})
_TAKEN_IN_SECONDS = 20.0
_WATCHED_SECONDS = 2.0
_LOOKED_AGAIN_SECONDS = 0.2


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
    parser.add_argument("--no-wait", action="store_true", help="do not wait until what was sent is read")


def _add(session: Session) -> Exit:
    given = session.arguments
    if given.named and len(given.files) > 1:
        raise Refusal(Exit.USAGE, "--as names one file, folder or page; send others by themselves")
    adding = _Adding(session, Endings(session, not given.no_wait))
    with adding.endings:
        adding.send()
        adding.endings.wait()
    return Exit.REFUSED if "refused" in adding.counts or adding.endings.states["failed"] else Exit.OK


def is_page(name: str) -> bool:
    """An address of the web stands here, not the name of a file."""
    return name.lower().startswith(("https://", "http://"))


@dataclass(slots=True)
class _Adding:
    """What is sent by one command. `counts`: what became of how many."""

    session: Session
    endings: Endings
    counts: Counter[str] = field(default_factory=Counter)
    _documents: dict[str, str] = field(default_factory=dict)
    """By the paths of the files that were sent as them."""

    def send(self) -> None:
        """All that was named, and what changes in it as long as it is followed."""
        given = self.session.arguments
        for name in filter(is_page, given.files):
            own = {"path": given.named, "watch": given.watch or None}
            self._send(name, {"url": name, **options.given_only(own)})
        files = [Path(name) for name in given.files if not is_page(name)]
        changed = Changed()
        for look in looks(lambda: time.sleep(_WATCHED_SECONDS), is_watching=given.watch and bool(files)):
            there = files if look == 0 else filter(Path.exists, files)
            found = changed.of(each for file in there for each in chosen(file, Path.cwd(), given.named))
            self._send_files(list(found))
            if given.watch:
                self.endings.look()
        if self.counts.total() > 1 and not self.session.is_json:
            self.session.screen.line(counted(self.counts))

    def _send_files(self, found: list[Chosen | LeftOut | Gone]) -> None:
        session = self.session
        progress = Progress(session.screen.out, len(found), None if session.is_json else session.screen.width)
        for each in found:
            progress.step(each.path)
            content = _content(each) if isinstance(each, Chosen) else each
            progress.clear()
            if isinstance(content, Gone):
                self._tell_gone(content)
            elif isinstance(content, LeftOut):
                self._tell_left_out(content)
            else:
                self._send_file(each.path, content)

    def _send_file(self, path: str, content: BytesIO | BinaryIO) -> None:
        with content:
            if isinstance(content, BytesIO):
                self._send(path, {"path": path, "base64": b64encode(content.getbuffer()).decode("ascii")})
            else:
                self._upload(path, content)

    def _send(self, name: str, body: Json) -> None:
        """One of them; that the server refuses it does not stop the others."""
        try:
            answer = _post(self.session, "/documents", {**body, **self.session.space()})
        except Problem as problem:
            return self._refused(name, problem)
        return self._sent(name, answer)

    def _upload(self, path: str, content: BinaryIO) -> None:
        """A file that no request holds; it may take longer to be taken in than anybody waits."""
        session, size = self.session, content.seek(0, 2)
        content.seek(0)
        try:
            begun = _post(session, "/documents/uploads", {"path": path, "size": size, **session.space()})
            session.api.upload(begun["url"], begun["headers"], content)
        except Problem as problem:
            return self._refused(path, problem)
        ends = time.monotonic() + _TAKEN_IN_SECONDS
        while True:
            told = session.api.get(f"/documents/uploads/{part(begun['upload_id'])}")
            if told["state"] != "waiting" or time.monotonic() >= ends:
                break
            time.sleep(_LOOKED_AGAIN_SECONDS)
        if told["state"] == "failed":
            return self._tell_left_out(LeftOut(path, str(told["failure"]), is_refused=True))
        if told["document_id"] is not None:
            document = session.api.get(f"/documents/{part(told['document_id'])}")
            return self._sent(path, {"document": document, "outcome": told["outcome"]})
        self.counts["sent"] += 1
        line = f"sent {begun['upload_id']} {one_line(path)}"
        session.show({"path": path, **told, "outcome": "sent"}, lambda screen, _: screen.line(line))
        return None

    def _sent(self, name: str, answer: Json) -> None:
        self.counts[str(answer["outcome"])] += 1
        self._documents[name] = str(answer["document"]["id"])
        self.endings.expect(answer)

    def _refused(self, name: str, problem: Problem) -> None:
        if problem.status not in _ABOUT_THE_FILE:
            raise problem
        self._tell_left_out(LeftOut(name, str(problem), is_refused=True))

    def _tell_left_out(self, file: LeftOut) -> None:
        outcome = "refused" if file.is_refused else "left out"
        self.counts[outcome] += 1
        told = {"path": file.path, "outcome": outcome.replace(" ", "_"), "reason": file.reason}
        line = f"{outcome} {one_line(file.path)}: {one_line(file.reason)}"
        self.session.show(told, lambda screen, _: screen.line(line))

    def _tell_gone(self, file: Gone) -> None:
        document = self._documents.pop(file.path, None)
        if document is None:
            return
        self.counts["gone"] += 1
        told = {"path": file.path, "outcome": "gone", "document_id": document}
        line = f"gone {one_line(file.path)}: its document is kept; palimpsest forget {document} takes it out"
        self.session.show(told, lambda screen, _: screen.line(line))


def _content(file: Chosen) -> BytesIO | BinaryIO | LeftOut:
    """The bytes of a file, in memory when a request holds them."""
    try:
        return file.file.open("rb") if file.is_large else BytesIO(file.file.read_bytes())
    except OSError as error:
        return LeftOut(file.path, f"it can't be read any more ({error.strerror})", is_refused=True)


def _post(session: Session, path: str, body: Json) -> Json:
    return session.api.post(path, body, idempotency_key=str(uuid.uuid4()))


VERBS = (
    Verb(
        "add",
        "send files to be kept, read and recalled",
        _add,
        _add_arguments,
        (
            "POST /documents",
            "GET /documents/{id}",
            "POST /documents/uploads",
            "GET /documents/uploads/{id}",
        ),
    ),
)
