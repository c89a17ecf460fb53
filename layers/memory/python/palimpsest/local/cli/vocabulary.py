"""The verbs for the vocabulary of a space: terms, and what is proposed."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_SHOW = "GET /memory/schema"
_KINDS = ("entity_type", "predicate")
_LISTS = ("entity_types", "predicates", "proposals")
_SHOWN_EXAMPLES = 3


def _list(session: Session) -> Exit:
    return session.show(session.api.get("/memory/schema", session.space()), _show_vocabulary)


def _term_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("term", help="its name, or its id, voc_…")
    parser.add_argument("--kind", choices=_KINDS, help="which of the two, where both have a term of that name")


def _show(session: Session) -> Exit:
    return session.show(session.api.get(_path(session)), _show_term)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("kind", choices=_KINDS, help="what it names: things, or what is stated between them")
    parser.add_argument("name", help="its name; it is put in snake_case")
    parser.add_argument("description", help="what it means: the rule for all who read with it; - reads it")


def _add(session: Session) -> Exit:
    given = session.arguments
    body = {"kind": given.kind, "name": given.name, "description": session.text(given.description)}
    answer = session.api.post("/memory/schema", body | session.space(), idempotency_key=str(uuid.uuid4()))
    return session.show(answer, _show_changed)


def _describe_arguments(parser: ArgumentParser) -> None:
    _term_arguments(parser)
    parser.add_argument("description", help="what it means from now on; - reads it")


def _describe(session: Session) -> Exit:
    body = {"description": session.text(session.arguments.description)}
    return session.show(session.api.patch(_path(session), body), _show_changed)


def _disable(session: Session) -> Exit:
    return session.show(session.api.patch(_path(session), {"status": "disabled"}), _show_changed)


def _enable(session: Session) -> Exit:
    return session.show(session.api.patch(_path(session), {"status": "active"}), _show_changed)


def _delete(session: Session) -> Exit:
    return session.show(session.api.delete(_path(session)), _show_changed)


def _approve_arguments(parser: ArgumentParser) -> None:
    _term_arguments(parser)
    parser.add_argument("--description", metavar="TEXT", help="what it means; - reads it")


def _approve(session: Session) -> Exit:
    given = session.arguments.description
    return _answer(session, "approve", options.given_only({"description": given and session.text(given)}))


def _dismiss(session: Session) -> Exit:
    return _answer(session, "dismiss", {})


def _reopen(session: Session) -> Exit:
    return _answer(session, "reopen", {})


def _answer(session: Session, what: str, body: Json) -> Exit:
    answer = session.api.post(f"{_path(session)}/{what}", body, idempotency_key=str(uuid.uuid4()))
    return session.show(answer, _show_changed)


def _path(session: Session) -> str:
    """The path of the term that was named; a name is looked up in the space."""
    given: str = session.arguments.term
    return f"/memory/schema/{part(given if given.startswith('voc_') else _id(session, given))}"


def _id(session: Session, given: str) -> str:
    name, kind = "_".join(given.replace("_", " ").replace("-", " ").casefold().split()), session.arguments.kind
    vocabulary = session.api.get("/memory/schema", session.space())
    found = [
        term for title in _LISTS for term in vocabulary[title] if term["name"] == name and kind in (None, term["kind"])
    ]
    if not found:
        raise Refusal(Exit.NOT_FOUND, f"the vocabulary of {vocabulary['space']} has no term {one_line(given)!r}")
    if len(found) > 1:
        raise Refusal(Exit.USAGE, f"{one_line(given)!r} is an entity type and a predicate; say which with --kind")
    return str(found[0]["id"])


def _show_vocabulary(screen: Screen, answer: Json) -> None:
    for title, terms in (("entity type", answer["entity_types"]), ("predicate", answer["predicates"])):
        rows = [(each["name"], each["tier"], each["status"], str(each["count"]), each["description"]) for each in terms]
        screen.table((title, "tier", "status", "count", "description"), rows)
        screen.line()
    proposals = [(each["name"], each["kind"], _standing(each), _examples(each)) for each in answer["proposals"]]
    if proposals:
        screen.table(("proposal", "kind", "status", "examples"), proposals)
    else:
        screen.line("nothing is proposed")


def _standing(term: Json) -> str:
    is_waiting = term["tier"] == "proposed" and term["status"] == "active"
    return "waits" if is_waiting else str(term["status"])


def _examples(term: Json) -> str:
    shown = [_example(each) for each in term["examples"][:_SHOWN_EXAMPLES]]
    more = len(term["examples"]) - len(shown)
    return "; ".join([*shown, *([f"{more} more"] if more else [])])


def _example(example: Json) -> str:
    if example["target"] is None:
        return str(example["name"])
    return f"{example['name']} → {example['target']}"


def _show_term(screen: Screen, term: Json) -> None:
    told = term | {"status": _standing(term), "count": str(term["count"])}
    screen.fields([(name, told[name]) for name in ("id", "kind", "name", "tier", "status", "description", "count")])
    for example in term["examples"]:
        where = example["memory_id"] or example["chunk_id"]
        phrase = f" ({example['phrase']})" if example["phrase"] else ""
        screen.paragraph(f"{_example(example)}{phrase}, {where}", first="  ")
    for event in term["history"]:
        screen.line(f"{event['at']}  {event['what']} by {event['by']}")


def _show_changed(screen: Screen, answer: Json) -> None:
    term = answer["term"]
    linked = [
        f"{answer[f'{what}_linked']} {what} linked" for what in ("entities", "relations") if answer[f"{what}_linked"]
    ]
    screen.line(", ".join([f"{term['name']} ({term['tier']} {term['kind']}) is {term['status']}", *linked]))


VERBS = (
    Verb(
        "schema",
        "show the vocabulary, change it, and answer proposals; alone it lists",
        _list,
        bare="list",
        parts=(
            Verb("list", "list all terms and proposals", _list, routes=(_SHOW,)),
            Verb(
                "show",
                "show a term with its history",
                _show,
                _term_arguments,
                ("GET /memory/schema/{id}", _SHOW),
            ),
            Verb("add", "add a term", _add, _add_arguments, ("POST /memory/schema",)),
            Verb(
                "describe",
                "say what a term of your own means",
                _describe,
                _describe_arguments,
                ("PATCH /memory/schema/{id}", _SHOW),
            ),
            Verb(
                "disable",
                "read no text with a term; what it names stays",
                _disable,
                _term_arguments,
                ("PATCH /memory/schema/{id}", _SHOW),
            ),
            Verb(
                "enable",
                "read texts with a term again",
                _enable,
                _term_arguments,
                ("PATCH /memory/schema/{id}", _SHOW),
            ),
            Verb(
                "delete",
                "delete a disabled term of your own",
                _delete,
                _term_arguments,
                ("DELETE /memory/schema/{id}", _SHOW),
            ),
            Verb(
                "approve",
                "take up what is proposed, and link its examples",
                _approve,
                _approve_arguments,
                ("POST /memory/schema/{id}/approve", _SHOW),
            ),
            Verb(
                "dismiss",
                "have nobody propose it again",
                _dismiss,
                _term_arguments,
                ("POST /memory/schema/{id}/dismiss", _SHOW),
            ),
            Verb(
                "reopen",
                "have what was dismissed wait again",
                _reopen,
                _term_arguments,
                ("POST /memory/schema/{id}/reopen", _SHOW),
            ),
        ),
    ),
)
