"""The verbs that manage keys."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _list(session: Session) -> Exit:
    query = {"limit": session.arguments.limit, "cursor": session.arguments.cursor}
    return session.show(session.api.get("/keys", query), _show_keys)


def _create_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--role", required=True, choices=("reader", "writer", "owner"), help="what it may do")
    parser.add_argument(
        "--for",
        dest="spaces",
        action="append",
        metavar="SPACE",
        help="a space that it may enter, or a prefix that ends in *; may be repeated; every space by default",
    )
    parser.add_argument(
        "--default-space",
        metavar="SPACE",
        help="the space meant when none is named; by default the only one of --for, else default",
    )
    parser.add_argument("--max-trust", choices=("a1", "a2", "b"), help="the best trust that its writes can have")
    parser.add_argument("--label", metavar="TEXT", help="whose it is")
    parser.add_argument("--expires-at", metavar="WHEN", help="until when it is valid")


def _create(session: Session) -> Exit:
    names = ("role", "spaces", "default_space", "max_trust", "label", "expires_at")
    body = options.given_only({name: getattr(session.arguments, name) for name in names})
    return session.show(session.api.post("/keys", body, idempotency_key=str(uuid.uuid4())), _show_issued)


def _key_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the id of the key, as `keys list` shows it")


def _rotate(session: Session) -> Exit:
    return session.show(session.api.post(f"/keys/{part(session.arguments.id)}/rotate", {}), _show_issued)


def _revoke(session: Session) -> Exit:
    return session.show(session.api.delete(f"/keys/{part(session.arguments.id)}"), _show_revoked)


def _show_keys(screen: Screen, answer: Json) -> None:
    titles = ("key", "role", "trust", "state", "label", "spaces")
    screen.table(titles, [_row(key) for key in answer["keys"]])
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _row(key: Json) -> tuple[str, ...]:
    state = "revoked" if key["revoked_at"] else f"until {key['expires_at'][:10]}" if key["expires_at"] else "valid"
    return key["id"], key["role"], key["max_trust"], state, key["label"] or "", _spaces(key)


def _spaces(key: Json) -> str:
    return "every space" if key["spaces"] is None else ", ".join(key["spaces"])


def _show_issued(screen: Screen, answer: Json) -> None:
    key = answer["key"]
    rows = [("key", key["id"]), ("role", key["role"]), ("spaces", _spaces(key)), ("default", key["default_space"])]
    screen.fields([*rows, ("secret", answer["secret"])])
    screen.line("The secret is shown this once; keep it now.")


def _show_revoked(screen: Screen, answer: Json) -> None:
    screen.line(f"revoked {answer['key']['id']}")


def _nothing(_: Session) -> Exit:
    raise AssertionError("argparse lets nobody get here without a part")


VERBS = (
    Verb(
        "keys",
        "list, make, rotate and revoke keys (with an owner's key)",
        _nothing,
        parts=(
            Verb("list", "list keys, newest first; secrets are never shown", _list, _list_arguments, ("GET /keys",)),
            Verb("create", "make a key", _create, _create_arguments, ("POST /keys",)),
            Verb(
                "rotate",
                "give a key a new secret; the old one ends",
                _rotate,
                _key_argument,
                ("POST /keys/{id}/rotate",),
            ),
            Verb("revoke", "end a key", _revoke, _key_argument, ("DELETE /keys/{id}",)),
        ),
    ),
)
