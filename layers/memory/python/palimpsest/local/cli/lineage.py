"""The verbs that look at the versions of a memory."""

from __future__ import annotations

from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, beginning, plain
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

_ANNOTATIONS = ("tags", "pinned", "importance", "expires_at")


def _history_arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many steps of a page")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")
    parser.add_argument("--forgotten", action="store_true", help="also when it is forgotten")
    parser.add_argument("--proof", action="store_true", help="verify the chain of content hashes")


def _history(session: Session) -> Exit:
    given = session.arguments
    path = f"/memory/{part(given.id)}"
    if given.proof:
        proof = session.api.get(f"{path}/proof")
        session.show(proof, _show_proof)
        return Exit.OK if proof["verified"] else Exit.UNEXPECTED
    query = {"limit": given.limit, "cursor": given.cursor, "include_forgotten": given.forgotten or None}
    return session.show(session.api.get(f"{path}/history", query), _show_history)


def _diff_arguments(parser: ArgumentParser) -> None:
    options.add_id(parser)
    parser.add_argument(
        "--from", dest="older", type=options.positive, metavar="N", help="the version before, by default"
    )
    parser.add_argument(
        "--to", dest="newer", type=options.positive, metavar="N", help="the current version, by default"
    )


def _diff(session: Session) -> Exit:
    query = {"from": session.arguments.older, "to": session.arguments.newer}
    return session.show(session.api.get(f"/memory/{part(session.arguments.id)}/diff", query), _show_diff)


def _show_history(screen: Screen, answer: Json) -> None:
    head = answer["head"]
    screen.line(f"{answer['root_id']}: {head['state']}, version {head['version']} of {head['versions']}")
    versions = [
        (str(version["version"]), version["status"], _minute(version["recorded_at"]), beginning(version["content"]))
        for version in answer["versions"]
    ]
    if versions:
        screen.line()
        screen.table(("version", "status", "recorded", "text"), versions, most_lines=6)
    if answer["steps"]:
        screen.line()
        screen.table(("step", "when", "by", "what"), [_step(step) for step in answer["steps"]])
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _step(step: Json) -> tuple[str, str, str, str]:
    what = [step["reason"]]
    what += [f"version {step['version']}"] if step["version"] else []
    what += [step["because"]] if step["because"] else []
    if step["note"]:
        what.append(f"back to version {step['note']}" if step["reason"] == "reverted" else step["note"])
    what += [step["run_id"]] if step.get("run_id") else []
    what += _changed(step["before"], step["after"]) if step.get("after") else []
    return str(step["revision"]), _minute(step["at"]), step["by"], ", ".join(what)


def _changed(before: Json, after: Json) -> list[str]:
    names = [name for name in _ANNOTATIONS if before[name] != after[name]]
    return [f"{name.replace('_', ' ')} {_worded(before[name])} -> {_worded(after[name])}" for name in names]


def _worded(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(f"#{tag}" for tag in value) or "none"
        case float() | int():
            return f"{value:g}"
        case _:
            return "never" if value is None else str(value)


def _show_proof(screen: Screen, answer: Json) -> None:
    screen.table(
        ("version", "intact", "recorded", "content hash"),
        [
            (
                str(link["version"]),
                "yes" if link["intact"] else "NO",
                _minute(link["recorded_at"]),
                link["content_hash"],
            )
            for link in answer["links"]
        ],
    )
    screen.line("every version is as it was written" if answer["verified"] else "THE CHAIN IS BROKEN")


def _show_diff(screen: Screen, answer: Json) -> None:
    screen.line(screen.styled(f"{answer['root_id']} from version {answer['from']} to {answer['to']}", "bold"))
    screen.line("".join(_part(screen, part["kind"], plain(part["text"])) for part in answer["parts"]))


def _part(screen: Screen, kind: str, text: str) -> str:
    if kind == "same":
        return text
    before, after, color = ("[-", "-]", "red") if kind == "removed" else ("{+", "+}", "green")
    body = text.strip()
    shown = screen.styled(f"{before}{body}{after}", color)
    return text.replace(body, shown, 1) if body else text


def _minute(instant: str) -> str:
    return instant[:16].replace("T", " ")


VERBS = (
    Verb(
        "history",
        "show all versions of a memory and who changed what, when and why",
        _history,
        _history_arguments,
        ("GET /memory/{id}/history", "GET /memory/{id}/proof"),
    ),
    Verb("diff", "show how the text changed between two versions", _diff, _diff_arguments, ("GET /memory/{id}/diff",)),
)
