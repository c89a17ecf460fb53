"""The verbs that change many memories at once, and those that look after such runs."""

from __future__ import annotations

import time
import uuid
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from palimpsest.local.cli import library, options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_FIRST_POLL_SECONDS = 0.02
_LONGEST_POLL_SECONDS = 0.5
_GOES_ON = frozenset({"queued", "running", "interrupted"})
_ENDS = {"failed": Exit.UNEXPECTED, "awaiting_approval": Exit.WAITS}


def add_one_or_many(parser: ArgumentParser) -> None:
    """One memory, or which ones are meant."""
    parser.add_argument("id", nargs="?", help="the memory, mem_…; without it, all that the options mean")
    add_selection(parser)


def add_selection(parser: ArgumentParser) -> None:
    """Which memories are meant, and how a run over them is asked for."""
    parser.add_argument("--q", metavar="WORDS", help="those with all these words in the text")
    parser.add_argument("--tag", action="append", metavar="TAG", help="those with this tag; may be repeated")
    parser.add_argument("--session", metavar="NAME", help="those from this conversation")
    parser.add_argument("--agent", action="append", metavar="NAME", help="those from this source; may be repeated")
    parser.add_argument(
        "--type", action="append", choices=options.MEMORY_TYPES, help="those of this kind; may be repeated"
    )
    parser.add_argument("--attributed-to", metavar="NAME", help="the statements of this person")
    parser.add_argument("--entity", metavar="NAME", help="those that name this entity: one of its names, or ent_…")
    parser.add_argument("--from", dest="date_from", metavar="WHEN", help="those from this date or instant on")
    parser.add_argument("--to", dest="date_to", metavar="WHEN", help="those up to this date or instant")
    parser.add_argument("--dry-run", action="store_true", help="change nothing; tell what would be changed")
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the run is over")


def _selection(session: Session) -> Json:
    given = session.arguments
    own: dict[str, Any] = {"q": given.q, "tags": given.tag, "session": given.session, "source_agents": given.agent}
    own |= {"memory_types": given.type, "attributed_to": given.attributed_to, "entity": given.entity}
    return options.given_only(own | {"date_from": given.date_from, "date_to": given.date_to})


def many(session: Session, path: str) -> Exit:
    """Begin a run over what the options mean, and wait for it."""
    selection = _selection(session)
    if not selection:
        raise Refusal(Exit.USAGE, "say which memory, or which ones: --q, --tag, --entity, --session, --type …")
    if session.arguments.dry_run:
        selection["dry_run"] = True
    return begin(session, path, {**selection, **session.space()})


def begin(session: Session, path: str, body: Json) -> Exit:
    """Begin a run, and wait for it unless that is not wanted."""
    return _follow(session, _post(session, path, body)["run"])


def _forget_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", help="the memory, mem_…, or the document, doc_…; without it, all that the options mean"
    )
    add_selection(parser)


def _forget(session: Session) -> Exit:
    given = session.arguments
    if given.id is None:
        return many(session, "/memory/forget")
    require_one(session)
    if library.is_document(given.id):
        return library.forget(session, given.id)
    answer = _post(session, f"/memory/{part(given.id)}/forget", {})
    return session.show(answer, _show_forgotten)


def require_one(session: Session) -> None:
    """Refuse options that say which memories are meant beside the one that is named."""
    if _selection(session) or session.arguments.dry_run:
        raise Refusal(Exit.USAGE, "give one memory, or options that say which ones are meant, not both")


def _runs_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")


def _runs(session: Session) -> Exit:
    query = {"limit": session.arguments.limit, "cursor": session.arguments.cursor, **session.space()}
    return session.show(session.api.get("/runs", query), _show_runs)


def _id_argument(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the run, run_…")


def _run_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("--log", action="store_true", help="what became of it and of each item, not only how it stands")
    _runs_arguments(parser)


def _run(session: Session) -> Exit:
    given = session.arguments
    path = f"/runs/{part(given.id)}"
    if given.log:
        query = {"limit": given.limit, "cursor": given.cursor}
        return session.show(session.api.get(f"{path}/events", query), _show_log)
    return session.show(session.api.get(path), _show_run)


def _waiting_arguments(parser: ArgumentParser) -> None:
    _id_argument(parser)
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the run is over")


def _decision_arguments(parser: ArgumentParser) -> None:
    _waiting_arguments(parser)
    parser.add_argument("--always", action="store_true", help="for all later runs of its kind in its space, too")


def _auto_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="decide nothing; count what there is to decide")
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the run is over")


def _auto(session: Session) -> Exit:
    body = {"dry_run": session.arguments.dry_run, **session.space()}
    return begin(session, "/memory/conflicts/resolve-auto", body)


def _move(word: str) -> Callable[[Session], Exit]:
    def move(session: Session) -> Exit:
        given = session.arguments
        body = {"scope": "always" if given.always else "once"} if word in ("approve", "deny") else {}
        return _follow(session, _post(session, f"/runs/{part(given.id)}/{word}", body)["run"])

    return move


def _follow(session: Session, run: Json) -> Exit:
    """Wait until the run is over or waits for approval, and show it."""
    began, pause = time.monotonic(), _FIRST_POLL_SECONDS
    while not session.arguments.no_wait and run["status"] in _GOES_ON:
        session.progress(f"{run['id']} is {run['status']}, {time.monotonic() - began:.0f} s")
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_POLL_SECONDS)
        run = session.api.get(f"/runs/{part(run['id'])}")
    session.show({"run": run}, lambda screen, answer: _show_run(screen, answer["run"]))
    return _ENDS.get(run["status"], Exit.OK)


def _post(session: Session, path: str, body: Json) -> Json:
    return session.api.post(path, body, idempotency_key=str(uuid.uuid4()))


def _show_forgotten(screen: Screen, answer: Json) -> None:
    memory, until = answer["memory"], answer["restore_until"]
    place = f"{memory['memory_type']} in {memory['space']}"
    screen.line(f"forgotten (until {until} it can be restored) {memory['id']} ({place})")


def _show_runs(screen: Screen, answer: Json) -> None:
    rows = [(run["id"], run["begun_at"][:16], _kind(run), run["status"], _counts(run)) for run in answer["runs"]]
    if rows:
        screen.table(("run", "asked for", "what", "status", "items"), rows)
    else:
        screen.line("there were no runs")
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _show_run(screen: Screen, run: Json) -> None:
    pairs = [("run", run["id"]), ("what", f"{_kind(run)} in {run['space']}"), ("status", run["status"])]
    pairs += [("because", run["reason"])] if run["reason"] else []
    pairs += [("items", _counts(run)), ("asked for", f"{run['begun_at']} by {run['by']}")]
    screen.fields(pairs)
    if run["status"] == "awaiting_approval":
        screen.line(f"let it go on with: palimpsest approve {run['id']}")
    elif run["dry_run"]:
        needs = "; it would need approval" if run["needs_approval"] else ""
        screen.line(f"nothing was changed{needs}; each item: palimpsest run {run['id']} --log")


def _kind(run: Json) -> str:
    return f"{run['kind'].replace('_', ' ')}{' (dry run)' if run['dry_run'] else ''}"


def _counts(run: Json) -> str:
    counts = run["counts"]
    names = ("applied", "skipped", "failed", "undone", "kept")
    return ", ".join([f"{counts['planned']} planned", *(f"{counts[n]} {n}" for n in names if counts[n])])


def _show_log(screen: Screen, answer: Json) -> None:
    for event in answer["events"]:
        where = event["subject"] or (event["at"] or "")[:19]
        note = f" ({event['note']})" if event["note"] else ""
        by = f" by {event['by']}" if event["by"] else ""
        screen.line(f"{where}  {event['what']}{by}{note}")
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


VERBS = (
    Verb(
        "forget",
        "take a memory or a document, or all that a filter means, out of everything; they can be restored for a while",
        _forget,
        _forget_arguments,
        ("POST /memory/{id}/forget", "DELETE /memory/{id}", "POST /memory/forget", "DELETE /documents/{id}"),
    ),
    Verb(
        "resolve-auto",
        "have the language model decide the conflicts that it is sure of",
        _auto,
        _auto_arguments,
        ("POST /memory/conflicts/resolve-auto",),
    ),
    Verb(
        "runs",
        "list what changed many memories at once or by itself, newest first",
        _runs,
        _runs_arguments,
        ("GET /runs",),
    ),
    Verb(
        "run",
        "show how a run stands, or its log",
        _run,
        _run_arguments,
        ("GET /runs/{id}", "GET /runs/{id}/events"),
    ),
    Verb("undo", "take back what a run did", _move("undo"), _waiting_arguments, ("POST /runs/{id}/undo",)),
    Verb("stop", "stop a run; what it did stays done", _move("stop"), _waiting_arguments, ("POST /runs/{id}/stop",)),
    Verb(
        "approve",
        "let a run go on that waits for approval",
        _move("approve"),
        _decision_arguments,
        ("POST /runs/{id}/approve",),
    ),
    Verb("deny", "end a run that waits for approval", _move("deny"), _decision_arguments, ("POST /runs/{id}/deny",)),
)
