"""The verbs for what can't both be true: conflicts, and findings, which may become some."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, beginning
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.cli.writing import show_scrubbed
from palimpsest.local.exits import Exit

_STATES = ("pending", "resolved")
_ACTIONS = ("keep_new", "keep_existing", "keep_both", "merge")
_FOUND = ("open", "confirmed", "dismissed")
_REPLIES = ("confirm", "dismiss", "reopen")


def _page_arguments(parser: ArgumentParser, states: tuple[str, ...]) -> None:
    parser.add_argument("--state", choices=states, help=f"{states[0]} by default")
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _page(session: Session, path: str) -> Json:
    given = session.arguments
    query = {"state": given.state, "limit": given.limit, "cursor": given.cursor, **session.space()}
    return session.api.get(path, query)


def _list(session: Session) -> Exit:
    return session.show(_page(session, "/memory/conflicts"), _show_conflicts)


def _id_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the conflict, cfl_…")


def _show(session: Session) -> Exit:
    return session.show(session.api.get(f"/memory/conflicts/{part(session.arguments.id)}"), _show_conflict)


def _resolve_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("action", choices=_ACTIONS, help="what to do")
    parser.add_argument("--winner", metavar="ID", help="with keep_existing: which side stays; else the older")
    parser.add_argument("--content", metavar="TEXT", help="the text that reconciles both, with merge; - reads it")
    parser.add_argument("--canonical", metavar="TEXT", help="the same in a form that stands alone")


def _resolve(session: Session) -> Exit:
    given = session.arguments
    content = None if given.content is None else session.text(given.content)
    fields = {"action": given.action, "winner": given.winner, "content": content, "canonical": given.canonical}
    path = f"/memory/conflicts/{part(given.id)}/resolve"
    answer = session.api.post(path, options.given_only(fields), idempotency_key=str(uuid.uuid4()))
    return session.show(answer, _show_decided)


def _revert(session: Session) -> Exit:
    path = f"/memory/conflicts/{part(session.arguments.id)}/revert"
    return session.show(session.api.post(path, {}, idempotency_key=str(uuid.uuid4())), _show_decided)


def _list_findings(session: Session) -> Exit:
    return session.show(_page(session, "/memory/findings"), _show_findings)


def _finding_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the finding, fnd_…")


def _show_one(session: Session) -> Exit:
    return session.show(session.api.get(f"/memory/findings/{part(session.arguments.id)}"), _show_finding)


def _answer_arguments(parser: ArgumentParser) -> None:
    _finding_argument(parser)
    parser.add_argument("answer", choices=_REPLIES, help="confirm begins a conflict, reopen takes a dismissal back")


def _answer(session: Session) -> Exit:
    given = session.arguments
    path = f"/memory/findings/{part(given.id)}/answer"
    answer = session.api.post(path, {"answer": given.answer}, idempotency_key=str(uuid.uuid4()))
    return session.show(answer, _show_answered)


def _show_conflicts(screen: Screen, answer: Json) -> None:
    _show_pairs(screen, "conflict", answer["conflicts"], answer["next_cursor"])


def _show_findings(screen: Screen, answer: Json) -> None:
    _show_pairs(screen, "finding", answer["findings"], answer["next_cursor"])


def _show_pairs(screen: Screen, title: str, pairs: list[Json], next_cursor: str | None) -> None:
    rows = [(each["id"], each["opened_at"][:10], _said(each["existing"]), _said(each["incoming"])) for each in pairs]
    if rows:
        screen.table((title, "since", "older", "newer"), rows)
    elif not next_cursor:
        screen.line("nothing was found")
    if next_cursor:
        screen.line(f"there is more: --cursor {next_cursor}")


def _said(memory: Json) -> str:
    return beginning(memory["content"])


def _show_conflict(screen: Screen, conflict: Json) -> None:
    pairs = _show_sides(screen, conflict)
    decision = conflict["decision"]
    if decision:
        undone = f", taken back by {decision['reverted_by']}" if decision["reverted_at"] else ""
        pairs.append(("decision", f"{decision['action']} by {decision['model'] or decision['by']}{undone}"))
    screen.fields(pairs)


def _show_finding(screen: Screen, finding: Json) -> None:
    pairs = _show_sides(screen, finding)
    pairs += [("answered by", finding["answered_by"])] if finding["answered_by"] else []
    pairs += [("conflict", finding["conflict_id"])] if finding["conflict_id"] else []
    screen.fields(pairs)


def _show_sides(screen: Screen, pair: Json) -> list[tuple[str, str]]:
    """What both say; the rest of what is told of a conflict or a finding comes below."""
    for side in ("existing", "incoming"):
        screen.paragraph(pair[side]["content"])
        screen.line()
    fields = [("id", pair["id"]), ("state", pair["state"])]
    for side in ("existing", "incoming"):
        memory = pair[side]
        fields.append((side, f"{memory['id']}, said {memory['asserted_at'][:10]}, trust {memory['source']['trust']}"))
    return [*fields, ("reason", pair["reason"]), ("judged by", pair["judged_by"])]


def _show_decided(screen: Screen, answer: Json) -> None:
    conflict = answer["conflict"]
    if conflict["state"] == "pending":
        screen.line(f"{conflict['id']} is pending again")
        return
    decision = conflict["decision"]
    made = f", {decision['made']}" if decision["made"] else ""
    screen.line(f"{conflict['id']} is resolved: {decision['action']}{made}")
    show_scrubbed(screen, answer)


def _show_answered(screen: Screen, answer: Json) -> None:
    finding = answer["finding"]
    became = f", and is the conflict {finding['conflict_id']}" if finding["conflict_id"] else ""
    screen.line(f"{finding['id']} is {finding['state']}{became}")


def _nothing(_: Session) -> Exit:
    raise AssertionError("argparse lets nobody get here without a part")


VERBS = (
    Verb(
        "conflicts",
        "list what can't both be true, and decide",
        _nothing,
        parts=(
            Verb(
                "list",
                "list conflicts, newest first",
                _list,
                lambda parser: _page_arguments(parser, _STATES),
                ("GET /memory/conflicts",),
            ),
            Verb("show", "show one conflict in full", _show, _id_argument, ("GET /memory/conflicts/{id}",)),
            Verb("resolve", "decide", _resolve, _resolve_arguments, ("POST /memory/conflicts/{id}/resolve",)),
            Verb("revert", "take a decision back", _revert, _id_argument, ("POST /memory/conflicts/{id}/revert",)),
        ),
    ),
    Verb(
        "findings",
        "list what was noticed and not changed, and answer",
        _nothing,
        parts=(
            Verb(
                "list",
                "list findings, newest first",
                _list_findings,
                lambda parser: _page_arguments(parser, _FOUND),
                ("GET /memory/findings",),
            ),
            Verb(
                "show",
                "show one finding in full",
                _show_one,
                _finding_argument,
                ("GET /memory/findings/{id}",),
            ),
            Verb(
                "answer",
                "confirm, dismiss or reopen a finding",
                _answer,
                _answer_arguments,
                ("POST /memory/findings/{id}/answer",),
            ),
        ),
    ),
)
