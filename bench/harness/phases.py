"""One kind of request after another: driven, then told with the embedder's own time beside it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness import load, machine, timing
from harness.api import Answer, Json
from harness.embedding import Alone
from harness.load import Request
from harness.server import Server
from harness.timing import Spread


@dataclass(frozen=True, slots=True)
class Phase:
    """One kind of request by so many clients.

    Attributes:
        whole: Over HTTP.
        embedder: Embedding the same texts alone, with as many callers.
        beside: Whole time less the embedder's, text by text; for one client.
        told: Medians of what the answers say of themselves, in milliseconds.
        per_second: Answers a second, all clients together.
        degraded: Answers with an arm that did not do all it should.
        cpu_ms, embedder_cpu_ms: Processor time for one answer, of the server and of the embedder alone.
    """

    name: str
    clients: int
    whole: Spread
    embedder: Spread
    beside: Spread | None
    told: dict[str, float]
    per_second: float
    degraded: int
    cpu_ms: float | None
    embedder_cpu_ms: float


@dataclass(frozen=True, slots=True)
class Driven:
    """The answers of a phase, with the texts that had to be embedded for them."""

    name: str
    clients: int
    texts: tuple[str, ...]
    answers: tuple[Answer, ...]
    seconds: float
    cpu_seconds: float | None

    @property
    def is_save(self) -> bool:
        return self.name == "save"


def drive(name: str, server: Server, texts: Sequence[str], requests: Sequence[Request], clients: int) -> Driven:
    """The answers to these requests, which make the server embed `texts`."""
    cpu_before, began = machine.cpu_seconds(server.pid or 0), time.perf_counter()
    answers = load.drive(server, requests, clients)
    seconds, cpu_after = time.perf_counter() - began, machine.cpu_seconds(server.pid or 0)
    cpu_seconds = None if cpu_before is None or cpu_after is None else cpu_after - cpu_before
    return Driven(name, clients, tuple(texts), tuple(answers), seconds, cpu_seconds)


def measured(driven: Driven, alone: Alone) -> Phase:
    """What a phase came to; `alone`: the embedder on its texts, in order."""
    whole = [answer.seconds for answer in driven.answers]
    beside = [a - b for a, b in zip(whole, alone.seconds, strict=True)] if driven.clients == 1 else None
    documents = [answer.document for answer in driven.answers]
    return Phase(
        name=driven.name,
        clients=driven.clients,
        whole=Spread.of(whole),
        embedder=Spread.of(alone.seconds),
        beside=Spread.of(beside) if beside else None,
        told={} if driven.is_save else _told(documents),
        per_second=round(len(whole) / driven.seconds, 1),
        degraded=0 if driven.is_save else sum(map(is_degraded, documents)),
        cpu_ms=None if driven.cpu_seconds is None else round(1000 * driven.cpu_seconds / len(whole), 2),
        embedder_cpu_ms=round(1000 * alone.cpu_seconds / len(whole), 2),
    )


def _told(documents: Sequence[Json]) -> dict[str, float]:
    """Medians of the times in recalls' answers: the whole and each arm."""
    taken: dict[str, list[float]] = {"took": [document["took_ms"] for document in documents]}
    for document in documents:
        for arm in document["arms"]:
            taken.setdefault(arm["name"], []).append(arm["took_ms"])
    return {name: timing.median(values) for name, values in taken.items()}


def is_degraded(document: Mapping[str, Sequence[Json]]) -> bool:
    """An arm of this recall did not do all it should."""
    return any(arm["state"] in ("degraded", "failed") for arm in document["arms"])
