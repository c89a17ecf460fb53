"""How fast a document is read, scrubbed, cut and embedded, beside what the embedder needs by itself for its chunks."""

from __future__ import annotations

import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from harness import command, embedding, machine, phases, report
from harness.api import Api
from harness.embedding import Job
from harness.report import Goal
from harness.server import own
from harness.talk import Talk

RATE_GOAL = 0.9
"""Of the embedder's own rate."""

_SEED = 7
_TURNS = 6
"""In a section: some 900 characters."""
_BATCH = 100
"""Chunks that the worker embeds at once."""
_PAUSE_SECONDS = 0.05
_LONGEST_SECONDS = 3_600.0


class NotRead(Exception):
    """The document was not read in time, or not at all; with the state that it was in."""


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as folder:
        with own(Path(folder), has_extra=options.extra) as server, closing(server.api()) as api:
            while phases.is_degraded(api.post("/memory/recall", {"query": "warm up"}).document):
                time.sleep(_PAUSE_SECONDS)
            text = _document(options.sections)
            seconds, chunks = _read(api, text)
            engine = api.get("/status").document["embedder"]["engine"]
        jobs = [Job(chunks, clients, is_query=False, batch=_BATCH // clients) for clients in (1, 2)]
        alone, by_two = embedding.measure(Path(folder), jobs, has_extra=options.extra)
    embedding_seconds, two_seconds = sum(alone.seconds), sum(by_two.seconds) / 2
    rate = embedding_seconds / seconds
    report.table(
        f"Markdown of {len(text.encode()) / 1e6:.2f} MB, {len(chunks)} chunks",
        ("what", "s", "chunks/s"),
        [
            (name, took, len(chunks) / took)
            for name, took in {
                "sent until shown": seconds,
                "the embedder by itself": embedding_seconds,
                "the embedder by itself, two callers": two_seconds,
            }.items()
        ],
    )
    goals = [Goal("ingest, of the embedder's own rate", rate, RATE_GOAL, at_least=True)]
    report.goals(goals)
    report.facts(machine.facts(engine))
    took = {"seconds": seconds, "embedding_seconds": embedding_seconds, "two_callers_seconds": two_seconds}
    report.write(options.out, {"chunks": len(chunks), **took, "rate": rate, "goals": goals})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--sections", type=int, default=1_000, metavar="N", help="of the document")
    return parser.parse_args()


def _document(sections: int) -> str:
    turns = Talk(_SEED).turns(sections * _TURNS)
    return "\n\n".join(f"## Section {n}\n\n{' '.join(islice(turns, _TURNS))}" for n in range(sections))


def _read(api: Api, text: str) -> tuple[float, tuple[str, ...]]:
    """Seconds from sending until it is shown, and what was embedded for each chunk."""
    began = time.perf_counter()
    sent = api.post("/documents", {"path": "talk.md", "text": text, "media_type": "text/markdown"})
    document = sent.document["document"]["id"]
    while (state := api.get(f"/documents/{document}").document["state"]) != "ready":
        if state == "failed" or time.perf_counter() - began > _LONGEST_SECONDS:
            raise NotRead(state)
        time.sleep(_PAUSE_SECONDS)
    return time.perf_counter() - began, tuple(_chunks(api, document))


def _chunks(api: Api, document: str) -> Iterator[str]:
    cursor = ""
    while True:
        page = api.get(f"/documents/{document}/chunks?limit=100{cursor}").document
        for chunk in page["chunks"]:
            yield f"{' > '.join(chunk['breadcrumb'])}\n\n{chunk['text']}"
        if page["next_cursor"] is None:
            return
        cursor = f"&cursor={page['next_cursor']}"


if __name__ == "__main__":
    main()
