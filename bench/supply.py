"""What is supplied to prompts, over HTTP, beside the embedder: ambient and contexts.

The data folder is seeded as for `latency.py`; the real server embeds real questions. "Beside" is the median over the
talks of the whole time less the embedder's own for the query that a talk becomes. A context of all sections makes two
recalls, so its whole time has the embedder's twice.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from harness import command, embedding, folders, load, machine, phases, report
from harness.embedding import Job
from harness.load import Request
from harness.phases import Driven
from harness.report import Goal
from harness.server import Server, own
from harness.talk import Talk
from palimpsest.domain.packing.listening import Turn, hear

SPACE = "bench"
GOAL_MS = 100.0
_SEED = 5
_WARM_UP = 20


def main() -> None:
    options = _options()
    with folders.seeded(options.memories, options.folders, SPACE, has_extra=options.extra) as folder:
        with own(folder, has_extra=options.extra) as server:
            driven = list(_drive(server, Talk(_SEED), options.count))
        jobs = [Job(each.texts, 1, is_query=True) for each in driven]
        alone = embedding.measure(folder, jobs, has_extra=options.extra)
    told = [phases.measured(each, one) for each, one in zip(driven, alone, strict=True)]
    rows = [
        (each.name, each.whole.p50, each.whole.p95, each.embedder.p50, each.beside.p50 if each.beside else "-")
        for each in told
    ]
    report.table(
        f"{options.memories:,} memories, milliseconds", ("what", "p50", "p95", "embedder p50", "beside it p50"), rows
    )
    goals = [Goal("ambient p50 beside the embedder, ms", each.beside.p50, GOAL_MS) for each in told[:1] if each.beside]
    report.goals(goals)
    report.write(options.out, {"facts": machine.facts(""), "phases": told, "goals": goals})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--memories", type=int, default=10_000, metavar="N", help="in the space")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="requests of a phase")
    parser.add_argument("--folders", type=Path, metavar="FOLDER", help="keep seeded folders there for another time")
    return parser.parse_args()


def _drive(server: Server, talk: Talk, count: int) -> Iterator[Driven]:
    load.drive(server, load.recalls(SPACE, list(talk.questions(_WARM_UP))), 1)
    talks = [[Turn("user", said) for said in (*talk.turns(2), *talk.questions(1))] for _ in range(count)]
    queries = [hear(turns).query for turns in talks]
    yield phases.drive("ambient", server, queries, [_ambient(turns) for turns in talks], 1)
    questions = list(talk.questions(count))
    yield phases.drive("context", server, questions, [_context(each) for each in questions], 1)


def _ambient(turns: list[Turn]) -> Request:
    said = [{"role": each.role, "content": each.content} for each in turns]
    return Request("/memory/ambient", {"recent_turns": said, "space": SPACE, "dry_run": True})


def _context(question: str) -> Request:
    return Request("/memory/context", {"query": question, "space": SPACE, "dry_run": True})


if __name__ == "__main__":
    main()
