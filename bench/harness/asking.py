"""One recall for each question, by one client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.api import Json
from harness.server import Server
from harness.timing import Spread

_LIMIT = 100
"""The most that a recall gives: a session is found by its best turn, so ten sessions may need many turns."""


@dataclass(frozen=True, slots=True)
class Found:
    """An answer.

    Attributes:
        roots: Root ids, best first.
        score, similarity: Of the first; 0.0 when nothing was found.
        degraded: Names of the arms that did not do all they should.
    """

    roots: tuple[str, ...]
    score: float
    similarity: float
    degraded: tuple[str, ...]
    seconds: float


def recall_each(server: Server, space: str, questions: Sequence[str]) -> list[Found]:
    """What is found for each question; a dry run, so that no question changes the answer to the next."""
    api = server.api()
    found = []
    for question in questions:
        body = {"query": question, "space": space, "limit": _LIMIT, "dry_run": True}
        answer = api.post("/memory/recall", body)
        found.append(_found(answer.document, answer.seconds))
    api.close()
    return found


def spread(found: Sequence[Found]) -> Spread:
    """How long the recalls took, over HTTP, the embedding of the question included."""
    return Spread.of([each.seconds for each in found])


def _found(document: Json, seconds: float) -> Found:
    results = document["results"]
    first = results[0] if results else {"score": 0.0, "similarity": 0.0}
    return Found(
        roots=tuple(result["memory"]["root_id"] for result in results),
        score=first["score"],
        similarity=first["similarity"] or 0.0,
        degraded=tuple(arm["name"] for arm in document["arms"] if arm["state"] in ("degraded", "failed")),
        seconds=seconds,
    )
