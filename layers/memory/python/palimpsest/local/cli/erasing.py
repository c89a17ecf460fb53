"""The verbs that take memories away for good, and tell of it."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser

from palimpsest.local.cli import library, running
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit


def _erase(session: Session) -> Exit:
    given = session.arguments
    if given.id is None:
        return running.many(session, "/memory/erase")
    running.require_one(session)
    what = "documents" if library.is_document(given.id) else "memory"
    path = f"/{what}/{part(given.id)}/erase"
    return session.show(session.api.post(path, {}, idempotency_key=str(uuid.uuid4())), _show_erasing)


def _show_erasing(screen: Screen, answer: Json) -> None:
    erasure = answer["erasure"]
    how = "is being erased" if erasure["state"] == "pending" else "is erased"
    screen.line(f"{_subject(erasure)} {how}; its receipt: palimpsest erasure {erasure['id']}")


def _subject(erasure: Json) -> str:
    """Which memory or document it is about."""
    return str(erasure["root_id"] or erasure["document_id"])


def _erasure_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the erasure, era_…")


def _erasure(session: Session) -> Exit:
    return session.show(session.api.get(f"/erasures/{part(session.arguments.id)}"), _show_erasure)


def _show_erasure(screen: Screen, answer: Json) -> None:
    when = f" {_minute(answer['verified_at'])}" if answer["verified_at"] else ""
    screen.line(f"{answer['id']}: {answer['state']}{when}, of {_subject(answer)} in {answer['space']}")
    if answer["removed"]:
        screen.line()
        screen.table(("taken away", "how many"), [(kind, str(count)) for kind, count in answer["removed"].items()])
    if answer["hidden"]:
        screen.line()
        screen.line(f"forgotten, since made from it: {' '.join(answer['hidden'])}")
    screen.line()
    rows = [(each["where"], each["holds"], _minute(each["until"] or "for good")) for each in answer["remains"]]
    screen.table(("remains", "holds", "until"), rows)


def _minute(instant: str) -> str:
    return instant[:16].replace("T", " ")


VERBS = (
    Verb(
        "erase",
        "take a memory, a document, or all that a filter means, away for good; nothing brings them back",
        _erase,
        running.add_one_or_many,
        ("POST /memory/{id}/erase", "POST /memory/erase", "POST /documents/{id}/erase"),
    ),
    Verb(
        "erasure",
        "show what an erasure has taken away, and what remains until when",
        _erasure,
        _erasure_arguments,
        ("GET /erasures/{id}",),
    ),
)
