"""The verbs that read memories."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen, beginning, one_line
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

_TROUBLED = {"degraded": "was degraded", "failed": "failed"}


def _recall_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("query", help="what to recall, in plain words; - reads it from the standard input")
    options.add_filters(parser)
    parser.add_argument("--now", metavar="WHEN", help="when it is asked, for words such as yesterday; now by default")
    parser.add_argument("--tz", metavar="ZONE", help="on whose clock, e.g. Europe/Warsaw; UTC by default")
    parser.add_argument("--include-stale", action="store_true", help="also versions that were replaced")
    parser.add_argument("--min-score", type=float, metavar="X", help="leave out what scores less; 0 to 1")
    parser.add_argument(
        "--rerank",
        choices=("auto", "off", "lexical", "model"),
        help="who looks at the best 20 again: the server's reranker (auto, model), nobody (off), their words (lexical)",
    )
    parser.add_argument("--explain", action="store_true", help="show how each result came to its score")
    parser.add_argument("--dry-run", action="store_true", help="leave no trace of this recall")


def _recall(session: Session) -> Exit:
    given = session.arguments
    own = {"min_score": given.min_score, "include_stale": given.include_stale or None}
    own |= {"now": given.now, "tz": given.tz, "rerank": given.rerank}
    own |= {"explain": given.explain or None, "dry_run": given.dry_run or None}
    body = {"query": session.text(given.query), **options.filter_fields(given), **options.given_only(own)}
    return session.show(session.api.post("/memory/recall", {**body, **session.space()}), _show_recalled)


def _list_arguments(parser: ArgumentParser) -> None:
    options.add_filters(parser)
    parser.add_argument("--q", metavar="WORDS", help="only with all these words in the text")
    parser.add_argument(
        "--status", choices=options.STATUSES, help="current by default; older versions are in the history"
    )
    parser.add_argument("--cursor", metavar="CURSOR", help="go on where a page ended")
    parser.add_argument("--all", action="store_true", help="all pages")


def _list(session: Session) -> Exit:
    given = session.arguments
    query: dict[str, Any] = {**options.query_fields(given), "q": given.q, "status": given.status, **session.space()}
    cursor = given.cursor
    while True:
        page = session.api.get("/memory/list", {**query, "cursor": cursor})
        cursor = page["next_cursor"]
        has_next = bool(given.all and cursor)
        session.show(page, _show_rows if has_next else _show_page)
        if not has_next:
            return Exit.OK


def _show_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="the memory, mem_…, or one version of it, mem_…@2")
    parser.add_argument("--forgotten", action="store_true", help="also when it is forgotten")


def _show(session: Session) -> Exit:
    query = {"include_forgotten": True} if session.arguments.forgotten else {}
    return session.show(session.api.get(f"/memory/{part(session.arguments.id)}", query), _show_memory)


_UNSURE = {
    "weak": "none of this may be the answer (confidence: weak)",
    "none": "nothing here seems to be about that (confidence: none)",
}


def _show_recalled(screen: Screen, answer: Json) -> None:
    for number, result in enumerate(answer["results"], start=1):
        _show_result(screen, number, result)
    if not answer["results"]:
        screen.line("nothing was found")
    elif answer["confidence"] in _UNSURE:
        screen.line(_UNSURE[answer["confidence"]])
    show_troubled(screen, answer["arms"])


def show_troubled(screen: Screen, arms: list[Json]) -> None:
    """A line for each search arm that could not do all of its work, or is known not to."""
    for arm in arms:
        if arm["state"] in _TROUBLED:
            what = "second look" if arm["name"] == "rerank" else f"{arm['name']} search"
            screen.line(f"the {what} {_TROUBLED[arm['state']]}: {arm.get('reason', 'no reason given')}")
        elif arm.get("reason") == "mute":
            screen.line(f"the {arm['name']} search lately did not give what is there; see `palimpsest status`")


def _show_result(screen: Screen, number: int, result: Json) -> None:
    first = f"{number}. "
    if "chunk" in result:
        screen.paragraph(beginning(result["chunk"]["text"]), first=first)
        facts, standing = _place_facts(result), []
    else:
        memory = result["memory"]
        screen.paragraph(memory["content"], first=first)
        facts, standing = [memory["id"], memory["memory_type"], memory["asserted_at"][:10]], _standing(memory)
    facts = [f"{result['score']:.2f}", *facts, *([", ".join(result["why"])] if result["why"] else []), *standing]
    screen.line(" " * len(first) + screen.styled(one_line(" · ".join(facts)), "dim"))
    if result.get("scores"):
        scores = [f"{name} {score:.2f}" for name, score in result["scores"].items() if score is not None]
        screen.line(" " * len(first) + screen.styled(" · ".join(scores), "dim"))


def _place_facts(result: Json) -> list[str]:
    """Where a chunk stands: its document's path, page and headings."""
    source = result["source"]
    page = [f"page {source['page']}"] if source["page"] else []
    headings = [" > ".join(result["chunk"]["breadcrumb"])] if result["chunk"]["breadcrumb"] else []
    return [source["document_id"], source["path"], *page, *headings]


def _show_rows(screen: Screen, answer: Json) -> None:
    rows = [
        (memory["id"], memory["asserted_at"][:10], memory["memory_type"], _marked(memory))
        for memory in answer["memories"]
    ]
    if rows:
        screen.table(("memory", "said", "type", "text"), rows)


def _show_page(screen: Screen, answer: Json) -> None:
    _show_rows(screen, answer)
    if not answer["memories"] and not answer["next_cursor"]:
        screen.line("nothing was found")
    if answer["next_cursor"]:
        screen.line(f"there is more: --cursor {answer['next_cursor']}")


def _standing(memory: Json) -> list[str]:
    """What whoever reads a memory should know before believing it."""
    standing = [memory["status"]] if memory["status"] != "current" else []
    return standing + (["disputed"] if memory.get("disputed") else [])


def _marked(memory: Json) -> str:
    marks = _standing(memory)
    marks += ["pinned"] if memory["pinned"] else []
    marks += [f"#{tag}" for tag in memory["tags"]]
    return f"{beginning(memory['content'])} ({', '.join(marks)})" if marks else beginning(memory["content"])


def _show_memory(screen: Screen, memory: Json) -> None:
    screen.paragraph(memory["content"])
    screen.line()
    source = memory["source"]
    names: tuple[str, ...] = (
        "status",
        "memory_type",
        "space",
        "asserted_at",
        "recorded_at",
        "stale_since",
        "valid_from",
        "valid_until",
    )
    names += ("event_date", "expires_at", "restore_until", "attributed_to", "canonical", "created_by", "content_hash")
    pairs = [("id", memory["id"])] + [(name.replace("_", " "), str(memory[name])) for name in names if memory.get(name)]
    pairs += [("disputed", "yes; palimpsest conflicts list shows with what")] if memory.get("disputed") else []
    pairs += [("tags", ", ".join(memory["tags"]))] if memory["tags"] else []
    pairs += [("pinned", "yes")] if memory["pinned"] else []
    pairs += [("metadata", json.dumps(memory["metadata"], ensure_ascii=False))] if memory["metadata"] else []
    pairs += [("source", f"{source['agent']}, trust {source['trust']}")]
    screen.fields([*pairs, *_learned(memory)])


def _learned(memory: Json) -> list[tuple[str, str]]:
    """How it was learned from a conversation."""
    told = memory.get("extraction")
    if not told:
        return []
    begin, end = told["chars"]
    by = told["model"] or told["method"]
    when = [("date phrase", told["date_phrase"])] if told["date_phrase"] else []
    place = f"{told['document_id']}, {told['chunk_id']}, characters {begin} to {end}"
    return [
        ("learned from", place),
        ("learned by", f"{by}, confidence {told['confidence']:.2f}"),
        ("about", told["subject"]),
        *when,
    ]


VERBS = (
    Verb("recall", "find what fits a question", _recall, _recall_arguments, ("POST /memory/recall",)),
    Verb("list", "list memories, newest first", _list, _list_arguments, ("GET /memory/list",)),
    Verb("show", "show one memory in full", _show, _show_arguments, ("GET /memory/{id}",)),
)
