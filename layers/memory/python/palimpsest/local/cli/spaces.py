"""The verbs for spaces and their settings."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser, ArgumentTypeError

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

_KINDS = ("phone", "email", "id", "iban", "card", "word")
_TREATMENTS = ("redact", "flag", "off")
_FIELDS = (
    "recovery_days",
    "redaction",
    "regions",
    "redaction_words",
    "auto_index",
    "extract",
    "extraction_topics",
    "extraction_instructions",
)


def _list_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _list(session: Session) -> Exit:
    query = {"limit": session.arguments.limit, "cursor": session.arguments.cursor}
    return session.show(session.api.get("/spaces", query), _show_spaces)


def _name_argument(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="the name of the space")


def _show(session: Session) -> Exit:
    return session.show(session.api.get(f"/spaces/{part(session.arguments.name)}"), _show_space)


def _settings_arguments(parser: ArgumentParser) -> None:
    _name_argument(parser)
    parser.add_argument("--recovery-days", type=int, metavar="N", help="how long a forgotten memory can be restored")
    parser.add_argument(
        "--treat",
        type=_treatment,
        action="append",
        dest="redaction",
        metavar="KIND=WORD",
        help=f"what is done with {', '.join(_KINDS)}: {', '.join(_TREATMENTS)}; may be repeated; those that are not "
        "named are treated as everywhere here",
    )
    parser.add_argument(
        "--region",
        action="append",
        dest="regions",
        metavar="CC",
        help="a country whose phone numbers are known without their prefix, such as PL; may be repeated",
    )
    parser.add_argument(
        "--word", action="append", dest="redaction_words", metavar="WORD", help="take this out, too; may be repeated"
    )
    parser.add_argument(
        "--auto-index",
        type=options.yes_or_no,
        metavar="WHETHER",
        help="yes or no: what is saved is read for entities by itself",
    )
    _extraction_arguments(parser)


def _extraction_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--extract",
        type=options.yes_or_no,
        metavar="WHETHER",
        help="yes or no: facts are learned from conversations that do not say otherwise",
    )
    parser.add_argument(
        "--topic",
        action="append",
        dest="extraction_topics",
        metavar="TOPIC",
        help="what a model should learn from conversations; may be repeated",
    )
    parser.add_argument(
        "--instructions",
        dest="extraction_instructions",
        metavar="TEXT",
        help="how a model should choose what it learns",
    )


def _set_arguments(parser: ArgumentParser) -> None:
    _settings_arguments(parser)
    parser.add_argument(
        "--as-everywhere",
        action="append",
        choices=_FIELDS,
        help="let the installation's setting hold again; may be repeated",
    )


def _create(session: Session) -> Exit:
    body = {"name": session.arguments.name, **_settings(session)}
    return session.show(session.api.post("/spaces", body, idempotency_key=str(uuid.uuid4())), _show_set)


def _set(session: Session) -> Exit:
    body = dict.fromkeys(session.arguments.as_everywhere or ()) | _settings(session)
    return session.show(session.api.patch(f"/spaces/{part(session.arguments.name)}", body), _show_set)


def _settings(session: Session) -> Json:
    given = options.given_only({name: getattr(session.arguments, name) for name in _FIELDS})
    return given | ({"redaction": dict(given["redaction"])} if "redaction" in given else {})


def _treatment(text: str) -> tuple[str, str]:
    kind, _, word = text.partition("=")
    if kind not in _KINDS or word not in _TREATMENTS:
        raise ArgumentTypeError(f"{text!r} is no KIND=WORD, such as phone=flag")
    return kind, word


def _show_spaces(screen: Screen, answer: Json) -> None:
    screen.table(("space", "since", "own settings"), [_row(space) for space in answer["spaces"]])
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _row(space: Json) -> tuple[str, ...]:
    return space["name"], (space["created_at"] or "")[:10], ", ".join(name for name, _ in _own(space))


def _show_space(screen: Screen, space: Json) -> None:
    screen.fields([("space", space["name"]), ("since", space["created_at"] or "not begun"), *_own(space)])


def _show_set(screen: Screen, answer: Json) -> None:
    _show_space(screen, answer["space"])


def _own(space: Json) -> list[tuple[str, str]]:
    """The settings that the space has of its own, in words."""
    treated = ", ".join(f"{kind}={word}" for kind, word in space["redaction"].items() if word)
    days, regions = space["recovery_days"], space["regions"]
    told = [
        ("recovery days", None if days is None else str(days)),
        ("redaction", treated or None),
        ("regions", None if regions is None else ", ".join(regions) or "none"),
        ("words", one_line(", ".join(space["redaction_words"])) or None),
        ("auto-index", None if space["auto_index"] is None else ("yes" if space["auto_index"] else "no")),
        ("extract", None if space["extract"] is None else ("yes" if space["extract"] else "no")),
        ("topics", one_line(", ".join(space["extraction_topics"])) or None),
        ("instructions", one_line(space["extraction_instructions"] or "") or None),
    ]
    return [(name, value) for name, value in told if value is not None]


def _nothing(_: Session) -> Exit:
    raise AssertionError("argparse lets nobody get here without a part")


VERBS = (
    Verb(
        "spaces",
        "list, begin, show and set spaces",
        _nothing,
        parts=(
            Verb("list", "list the spaces that the key may enter", _list, _list_arguments, ("GET /spaces",)),
            Verb("show", "show a space and the settings of its own", _show, _name_argument, ("GET /spaces/{name}",)),
            Verb("create", "begin a space (with an owner's key)", _create, _settings_arguments, ("POST /spaces",)),
            Verb(
                "set",
                "change the settings of a space (with an owner's key)",
                _set,
                _set_arguments,
                ("PATCH /spaces/{name}",),
            ),
        ),
    ),
)
