"""Saving and recalling over HTTP, by how much a space holds, beside the embedder's own time.

For each size a data folder is seeded through the product's own verbs with made-up talk and synthetic vectors; then the
real server is started on it and asked real questions, which it really embeds. No question and no text comes twice. Each
recall asks for the usual ten and leaves its record. Afterwards the same texts are embedded in a process of its own, by
the same engine, with as many callers: that is the embedder's own time, and "beside" is the median over the texts of the
whole time less the embedder's. With several clients the two can't be told apart so, and stand side by side.

Processor time is the server's own over the whole phase, by answer, beside that of the embedder alone: it says what the
work costs also on a machine that has other work.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import command, embedding, folders, load, machine, phases, report
from harness.embedding import Job
from harness.phases import Driven, Phase
from harness.report import Goal
from harness.server import Server, own
from harness.talk import Talk

SPACE = "bench"
SIZES = "1000,10000,100000"
RECALL_GOALS_MS = {10_000: (10.0, 30.0), 100_000: (10.0, 30.0), 1_000_000: (45.0, None)}
"""At the median and at the 95th percentile."""
SAVE_GOAL_MS, START_GOAL_SECONDS = 20.0, 2.0
RESIDENT_AT, RESIDENT_GOAL_MB, RESIDENT_GOAL_WITH_EXTRA_MB = 100_000, 500.0, 600.0

_GROWN = {"PALIMPSEST_AUTO_INDEX": "false"}
_SETTLED_SECONDS = 30.0
"""After the first recalls, until they are counted. A space that was counted rests: 20 recalls of ten for 40 minutes."""
_SEED = 2
_WARM_UP = 20


@dataclass(frozen=True, slots=True)
class Measured:
    """What one size came to."""

    memories: int
    engine: str
    health_seconds: float
    first_recall_seconds: float
    phases: tuple[Phase, ...]
    memory_mb: dict[str, float]

    def phase(self, name: str, clients: int) -> Phase:
        """The phase of that name."""
        return next(phase for phase in self.phases if (phase.name, phase.clients) == (name, clients))


def main() -> None:
    options = _options()
    measured = []
    for memories in options.sizes:
        with folders.seeded(memories, options.folders, SPACE, has_extra=options.extra) as folder:
            measured.append(_measure(folder, memories, options))
        _tell(measured[-1])
    reached = [goal for each in measured for goal in goals(each)]
    report.goals(reached)
    facts = machine.facts(measured[-1].engine)
    report.facts(facts)
    report.write(options.out, {"facts": facts, "sizes": measured, "goals": reached})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument(
        "--sizes", type=folders.sizes, default=folders.sizes(SIZES), metavar="N,N", help="memories in the space"
    )
    parser.add_argument("--recalls", type=int, default=300, metavar="N", help="recalls of a phase")
    parser.add_argument("--saves", type=int, default=200, metavar="N", help="saves of a phase")
    parser.add_argument("--clients", type=int, default=8, metavar="N", help="clients at once, beside the one")
    parser.add_argument("--folders", type=Path, metavar="FOLDER", help="keep seeded folders there for another time")
    return parser.parse_args()


def _measure(folder: Path, memories: int, options: Namespace) -> Measured:
    talk = Talk(_SEED)
    with own(folder, has_extra=options.extra, settings=_GROWN) as server:
        first_recall_seconds = _first_recall(server, talk)
        load.drive(server, load.saves(SPACE, list(talk.turns(1))), 1)
        engine = server.api().get("/status").document["embedder"]["engine"]
        driven = list(_drive_all(server, talk, options))
        memory_mb = machine.resident_mb(server.pid or 0)
    health_seconds = server.healthy - server.began
    jobs = [Job(each.texts, each.clients, is_query=not each.is_save) for each in driven]
    alone = embedding.measure(folder, jobs, has_extra=options.extra)
    measured = tuple(phases.measured(each, one) for each, one in zip(driven, alone, strict=True))
    return Measured(memories, engine, health_seconds, first_recall_seconds, measured, memory_mb)


def _first_recall(server: Server, talk: Talk) -> float:
    """Seconds from the start of the process to the answer of a recall that had a vector and all of its arms."""
    while True:
        answers = load.drive(server, load.recalls(SPACE, list(talk.questions(1))), 1)
        if not phases.is_degraded(answers[0].document):
            return time.perf_counter() - server.began


def _drive_all(server: Server, talk: Talk, options: Namespace) -> Iterator[Driven]:
    """Recalls on the settled space, saves, and recalls when the index and the tail have what was just saved."""
    load.drive(server, load.recalls(SPACE, list(talk.questions(_WARM_UP))), 1)
    time.sleep(_SETTLED_SECONDS)
    for clients in (1, options.clients):
        questions = list(talk.questions(options.recalls))
        yield phases.drive("recall", server, questions, load.recalls(SPACE, questions), clients)
    for clients in (1, options.clients):
        texts = list(talk.turns(options.saves))
        yield phases.drive("save", server, texts, load.saves(SPACE, texts), clients)
    questions = list(talk.questions(options.recalls))
    yield phases.drive("recall after saves", server, questions, load.recalls(SPACE, questions), 1)


def goals(measured: Measured) -> list[Goal]:
    """What is asked of this size, beside what was measured."""
    size = f"{measured.memories:,} memories"
    found = [Goal(f"{size}: start-up to the first /health, s", measured.health_seconds, START_GOAL_SECONDS)]
    recall, save = measured.phase("recall", 1), measured.phase("save", 1)
    if measured.memories in RECALL_GOALS_MS and recall.beside:
        median, rarely = RECALL_GOALS_MS[measured.memories]
        found.append(Goal(f"{size}: recall p50 beside the embedder, ms", recall.beside.p50, median))
        if rarely is not None:
            found.append(Goal(f"{size}: recall p95 beside the embedder, ms", recall.beside.p95, rarely))
    if save.beside:
        found.append(Goal(f"{size}: save p50 beside the embedder, ms", save.beside.p50, SAVE_GOAL_MS))
    if measured.memories == RESIDENT_AT:
        goal = RESIDENT_GOAL_WITH_EXTRA_MB if measured.engine == "ctranslate2" else RESIDENT_GOAL_MB
        found.append(Goal(f"{size}: resident memory, MB", measured.memory_mb["resident"], goal))
    return found


def _tell(measured: Measured) -> None:
    head = (
        "what",
        "clients",
        "p50",
        "p95",
        "p99",
        "embedder p50",
        "beside it p50",
        "a second",
        "degraded",
        "CPU",
        "embedder CPU",
    )
    rows = [
        (p.name, p.clients, p.whole.p50, p.whole.p95, p.whole.p99, p.embedder.p50, p.beside.p50 if p.beside else "-",
         p.per_second, p.degraded, "-" if p.cpu_ms is None else p.cpu_ms, p.embedder_cpu_ms)
        for p in measured.phases
    ]  # fmt: skip
    report.table(f"{measured.memories:,} memories, milliseconds", head, rows)
    print(f"\nstart-up: /health {measured.health_seconds:.2f} s, first recall {measured.first_recall_seconds:.2f} s")
    print("memory, MB: " + ", ".join(f"{name} {value:.0f}" for name, value in measured.memory_mb.items()))
    for phase in measured.phases:
        if phase.told:
            told = ", ".join(f"{name} {value:.1f}" for name, value in phase.told.items())
            print(f"{phase.name}, {phase.clients} clients, as answered, p50 ms: {told}", flush=True)


if __name__ == "__main__":
    main()
