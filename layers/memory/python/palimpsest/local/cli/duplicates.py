"""The verbs for entities that may be one."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from typing import Final

from palimpsest.local.cli import running
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.paging import page, page_arguments, show_rows
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

ENTITIES: Final = "/memory/entities"


def _resolve_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the run is over")
    parser.add_argument("--dry-run", action="store_true", help="change nothing; the run's log says what would be done")


def _resolve(session: Session) -> Exit:
    body = {"dry_run": session.arguments.dry_run, **session.space()}
    return running.begin(session, f"{ENTITIES}/resolve", body)


def _duplicates_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--apart", action="store_true", help="those of which somebody said that they are two")
    page_arguments(parser)


def _duplicates(session: Session) -> Exit:
    state = "apart" if session.arguments.apart else None
    return session.show(page(session, f"{ENTITIES}/duplicates", state=state), _show_duplicates)


def _apart_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the pair, dup_…")
    parser.add_argument("--take-back", action="store_true", help="they may be one after all")


def _apart(session: Session) -> Exit:
    given = session.arguments
    path = f"{ENTITIES}/duplicates/{part(given.id)}/answer"
    body = {"answer": "open" if given.take_back else "apart"}
    answer = session.api.post(path, body, idempotency_key=str(uuid.uuid4()))
    return session.show({"duplicates": [answer["duplicate"]]}, _show_duplicates)


def _show_duplicates(screen: Screen, answer: Json) -> None:
    rows = [
        (each["id"], f"{each['score']:.2f}", each["reason"], each["one"]["name"], each["other"]["name"])
        for each in answer["duplicates"]
    ]
    show_rows(screen, answer, ("pair", "score", "why", "one", "other"), rows)


PARTS = (
    Verb(
        "resolve",
        "merge what is one by its letters, and note what may be one",
        _resolve,
        _resolve_arguments,
        (f"POST {ENTITIES}/resolve",),
    ),
    Verb(
        "duplicates",
        "list entities that may be one",
        _duplicates,
        _duplicates_arguments,
        (f"GET {ENTITIES}/duplicates",),
    ),
    Verb(
        "apart",
        "say that two entities are two",
        _apart,
        _apart_arguments,
        (f"POST {ENTITIES}/duplicates/{{id}}/answer",),
    ),
)
