"""The verbs that run and look after a server."""

from __future__ import annotations

import time
from argparse import ArgumentParser

from palimpsest import settings as environment
from palimpsest.local.cli.client import Json
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_POLL_SECONDS = 0.5


def _status(session: Session) -> Exit:
    return session.show(session.api.get("/status"), _show_status)


def _rebuild_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-wait", action="store_true", help="do not wait until the new index answers")


def _rebuild(session: Session) -> Exit:
    before = session.api.get("/status")["index"]["generation"]
    answer = session.api.post("/admin/index/rebuild", {})
    if session.arguments.no_wait:
        return session.show(
            answer, lambda screen, _: screen.line("the index is being rebuilt; `status` tells how far it is")
        )
    began = time.monotonic()
    while True:
        index = session.api.get("/status")["index"]
        if index["state"] == "ready" and index["generation"] != before:
            return session.show({"index": index}, lambda screen, _: screen.line("the new index answers"))
        if index["state"] != "building":
            raise Refusal(Exit.UNEXPECTED, f"the rebuild ended and the index is {index['state']}")
        session.progress(f"rebuilding, {time.monotonic() - began:.0f} s; recall goes on over the old index")
        time.sleep(_POLL_SECONDS)


def _serve_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--sigterm-is-forwarded",
        action="store_true",
        help="for a parent that forwards SIGTERM, as make does: a second one does not end it at once, a third does",
    )


def _serve(session: Session) -> Exit:
    try:
        environment.limit_algebra_threads()
        from palimpsest.local.server import serve  # the client verbs start without it
    except ModuleNotFoundError as error:
        advice = "install it again with: pip install palimpsest"
        raise Refusal(Exit.UNEXPECTED, f"the server needs the package {error.name}; {advice}") from error
    forwarded: bool = session.arguments.sigterm_is_forwarded
    return serve(session.settings, session.screen.out, is_sigterm_forwarded=forwarded)


def _show_status(screen: Screen, answer: Json) -> None:
    index, embedder = answer["index"], answer["embedder"]
    lag = f", {index['lag_seconds']:.1f} s behind" if index["lag_seconds"] else ""
    waiting = f", {_waiting(index['pending_embeddings'])}" if index["pending_embeddings"] is not None else ""
    given_up = f", {index['given_up']} pieces of work given up" if index.get("given_up") else ""
    screen.fields(
        [
            ("version", answer["version"]),
            ("store", answer["store"]),
            ("embedder", f"{embedder['model']} ({embedder['engine']}){waiting}"),
            *([("model", _model(answer["model"]))] if answer.get("model") else []),
            *([("reranker", answer["reranker"])] if answer.get("reranker") else []),
            ("index", f"{index['state']}{lag}{given_up}"),
            ("index model", index["model"]),
            *([("searches", _searches(answer["arms"]))] if answer.get("arms") else []),
        ]
    )


def _model(model: Json) -> str:
    name: str = model["name"]
    return name + (", today's budget is used up" if model["used_up"] else "")


def _searches(arms: list[Json]) -> str:
    """Which of them are mute, where and since when."""
    told = [f"{arm['name']} mute in {_places(arm)} since {arm['since'][:10]}" for arm in arms if not arm["healthy"]]
    return "; ".join(told) or "all healthy"


def _places(arm: Json) -> str:
    names: list[str] = arm["spaces"]
    more = arm["mute_spaces"] - len(names)
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _waiting(count: int) -> str:
    return f"{count} memories wait for it" if count else "nothing waits"


VERBS = (
    Verb(
        "status",
        "show what runs, with which models, and how the index stands",
        _status,
        routes=("GET /status", "GET /health"),
    ),
    Verb("serve", "start the memory on this machine", _serve, _serve_arguments),
    Verb(
        "rebuild-index",
        "build the search index anew from the table, while the old one answers",
        _rebuild,
        _rebuild_arguments,
        ("POST /admin/index/rebuild",),
    ),
)
