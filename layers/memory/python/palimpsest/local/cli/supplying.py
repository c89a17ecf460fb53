"""The verbs that give text for a prompt."""

from __future__ import annotations

from argparse import ArgumentParser

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json
from palimpsest.local.cli.reading import show_troubled
from palimpsest.local.cli.screen import Screen, one_line, plain
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

_SECTIONS = ("profile", "relevant", "recent", "decisions")


def _context_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("query", help="what the prompt is about; - reads it from the standard input")
    parser.add_argument("--budget", type=options.positive, metavar="TOKENS", help="at most so many tokens; 2,000")
    parser.add_argument(
        "--section", action="append", choices=_SECTIONS, help="only this one beside what is pinned; may be repeated"
    )
    parser.add_argument("--dry-run", action="store_true", help="leave no trace of this recall")


def _context(session: Session) -> Exit:
    given = session.arguments
    own = {"budget_tokens": given.budget, "sections": given.section, "dry_run": given.dry_run or None}
    body = {"query": session.text(given.query), **options.given_only(own), **session.space()}
    return session.show(session.api.post("/memory/context", body), _show_context)


def _show_context(screen: Screen, answer: Json) -> None:
    if answer["context"]:
        screen.line(plain(answer["context"]))
    else:
        screen.line("nothing was found" if not answer["left_out"] else "nothing fits; give a larger --budget")
    show_troubled(screen, answer["arms"])


def _profile_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=options.positive, metavar="N", help="at most so many lines")


def _profile(session: Session) -> Exit:
    query = {"limit": session.arguments.limit, **session.space()}
    return session.show(session.api.get("/memory/profile", query), _show_profile)


def _show_profile(screen: Screen, answer: Json) -> None:
    for subject in answer["subjects"]:
        screen.line(screen.styled(one_line(subject["subject"]), "bold"))
        for line in subject["lines"]:
            (source, *_) = line["sources"]
            screen.paragraph(line["text"], first="- ")
            facts = " · ".join([source["memory_id"], line["why"], source["at"][:10]])
            screen.line("  " + screen.styled(one_line(facts), "dim"))
    if not answer["subjects"]:
        screen.line("nothing is known yet")
    if answer["disputed"]:
        screen.line(f"{answer['disputed']} left out because they are disputed: palimpsest conflicts list")


def _ambient_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("said", help="what was said last; - reads it from the standard input")
    parser.add_argument("--before", action="append", metavar="TEXT", help="a turn before it, in order; may be repeated")
    parser.add_argument("--budget", type=options.positive, metavar="TOKENS", help="at most so many tokens; 400")
    parser.add_argument("--dry-run", action="store_true", help="leave no trace of this recall")


def _ambient(session: Session) -> Exit:
    given = session.arguments
    turns = [*(given.before or []), session.text(given.said)]
    own = options.given_only({"budget_tokens": given.budget, "dry_run": given.dry_run or None})
    body = {"recent_turns": [{"role": "user", "content": turn} for turn in turns], **own, **session.space()}
    return session.show(session.api.post("/memory/ambient", body), _show_ambient)


def _show_ambient(screen: Screen, answer: Json) -> None:
    for snippet in answer["snippets"]:
        screen.paragraph(snippet["text"], first="- ")
        facts = " · ".join([snippet["tier"], f"{snippet['score']:.2f}", snippet["source"]["id"]])
        screen.line("  " + screen.styled(one_line(facts), "dim"))
    if not answer["snippets"]:
        screen.line(f"nothing is said: {answer['reason']}")


VERBS = (
    Verb(
        "context",
        "pack what is known of a question for a prompt",
        _context,
        _context_arguments,
        ("POST /memory/context",),
    ),
    Verb(
        "profile",
        "show what is known about the owner of a space",
        _profile,
        _profile_arguments,
        ("GET /memory/profile",),
    ),
    Verb(
        "ambient",
        "say what a talk should know, or why nothing is said",
        _ambient,
        _ambient_arguments,
        ("POST /memory/ambient",),
    ),
)
