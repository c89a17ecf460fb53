"""PoQuAD through the HTTP API: is a question's passage found among all passages, in Polish?

Each passage is a memory of one space and each question one recall. R@k counts questions whose passage is among the
first k. Questions that their passage does not answer test abstention: AUROC is the probability that a question with an
answer gets a higher figure than one without.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from harness import asking, command, machine, poquad_data, ranking, report, saving, server
from harness.asking import Found
from harness.poquad_data import Question, Reading
from harness.server import Server

DEPTHS = (1, 5, 10)
SIGNALS: dict[str, Callable[[Found], float]] = {
    "first score": lambda found: found.score,
    "first similarity": lambda found: found.similarity,
}


def main() -> None:
    parser = command.parser(__doc__)
    command.add_data(parser)
    options = parser.parse_args()
    reading = poquad_data.read(options.data)
    began = time.perf_counter()
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as running:
        roots, found = _ask(running, reading)
        wall_seconds = time.perf_counter() - began
        engine = running.api().get("/status").document["embedder"]["engine"]
    result = _tell(reading.questions, roots, found)
    latency, degraded = asking.spread(found), sum(bool(each.degraded) for each in found)
    print(
        f"\nrecall of 100: p50 {latency.p50} ms, p95 {latency.p95} ms; {degraded} degraded; {wall_seconds:.0f} s in all"
    )
    facts = machine.facts(engine)
    report.facts(facts)
    told = {"facts": facts, "recall_ms": latency, "degraded": degraded, "wall_seconds": round(wall_seconds, 1)}
    report.write(options.out, {**told, **result})


def _ask(running: Server, reading: Reading) -> tuple[list[str], list[Found]]:
    space = f"poquad-{secrets.token_hex(4)}"
    roots = saving.save_all(running, space, [{"content": passage} for passage in reading.passages])
    return roots, asking.recall_each(running, space, [question.text for question in reading.questions])


def _tell(questions: Sequence[Question], roots: Sequence[str], found: Sequence[Found]) -> dict[str, object]:
    pairs = list(zip(questions, found, strict=True))
    answerable = [(question, each) for question, each in pairs if question.answerable]
    others = [each for question, each in pairs if not question.answerable]
    recall = {
        f"R@{k}": ranking.mean([ranking.fraction({roots[q.passage]}, each.roots, k) for q, each in answerable])
        for k in DEPTHS
    }
    head = ("passages", "questions", *recall)
    report.table("PoQuAD, questions with an answer", head, [(len(roots), len(answerable), *recall.values())])
    if not others:
        return {"recall": recall}
    area = {
        name: ranking.auroc([signal(each) for _, each in answerable], [signal(each) for each in others])
        for name, signal in SIGNALS.items()
    }
    report.table("Abstention, AUROC", ("questions without an answer", *area), [(len(others), *area.values())])
    return {"recall": recall, "auroc": area}


if __name__ == "__main__":
    main()
