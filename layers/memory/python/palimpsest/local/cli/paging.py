"""Pages of a list on the command line: what asks for one, and how it is shown."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session


def page_arguments(parser: ArgumentParser) -> None:
    """How much of a list, and from where."""
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def page(session: Session, path: str, **more: str | None) -> Json:
    """A page of the list at `path`, of the space that was named."""
    given = session.arguments
    return session.api.get(path, {**more, "limit": given.limit, "cursor": given.cursor, **session.space()})


def show_rows(screen: Screen, answer: Json, titles: tuple[str, ...], rows: Sequence[Sequence[str]]) -> None:
    """The rows of a page under their titles, and how to go on."""
    cursor = answer.get("next_cursor")
    if rows:
        screen.table(titles, rows)
    elif not cursor:
        screen.line("nothing was found")
    if cursor:
        screen.line(f"there is more: --cursor {cursor}")
