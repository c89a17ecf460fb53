"""The verb that rates a memory."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

_BACK = "none"
_RATINGS = ("useful", "harmful", "wrong", _BACK)


def _arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("rating", choices=_RATINGS, help="what it was; none takes back what you said today")


def _rate(session: Session) -> Exit:
    given = session.arguments
    body: Json = {"rating": None if given.rating == _BACK else given.rating}
    path = f"/memory/{part(given.id)}/rate"
    return session.show(session.api.post(path, body, idempotency_key=str(uuid.uuid4())), _show)


def _show(screen: Screen, answer: Json) -> None:
    told = ", ".join(f"{count} {name}" for name, count in answer["ratings"].items())
    screen.line(f"{answer['memory']['id']}: {told}; usefulness {answer['usefulness']:.2f}")


VERBS = (
    Verb(
        "rate",
        "say that a memory was useful, harmful or wrong",
        _rate,
        _arguments,
        ("POST /memory/{id}/rate",),
    ),
)
