"""What the time that a query names is good for, over `tests/corpora/asking`: as a boost, as a filter, or put aside.

One space with all memories; each question is recalled as it is (boosted), with the understood dates sent as a filter,
and with a filter that everything passes, which puts the query's own time aside. R@1 and R@3: the share of what is right
among the first; by whether the time in the question is that of the memory (`then`), another one (`elsewhere`) or none.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import command, machine, ranking, report, saving, server
from harness.api import Api
from harness.server import Server

FOLDER = Path(__file__).parents[1] / "tests" / "corpora" / "asking"
NOW = "2025-06-11T12:00:00Z"
KINDS = ("then", "elsewhere", "none")
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Of a score that the time decides: what the answer would be, from the shares that the scores tell."""

_EVERYTHING = "0001-01-01"
_ALL = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's kind, and how much of what is right each way finds among the first 1 and 3."""

    kind: str
    found: Mapping[str, tuple[float, float]]


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("--url", metavar="URL", help="a running server; without it one is started for the benchmark")
    parser.add_argument("--key", metavar="KEY", help="an owner's key of that server")
    options = parser.parse_args()
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as running:
        asked = _ask(running)
        facts = machine.facts(running.api().get("/status").document["embedder"]["engine"])
    told = _tell(asked)
    report.facts(facts)
    report.write(options.out, {"facts": facts, "found": told})


def _ask(running: Server) -> list[Asked]:
    space = f"asking-{secrets.token_hex(4)}"
    memories, questions = _rows("memories"), _rows("questions")
    roots = saving.save_all(running, space, [_draft(each) for each in memories])
    known = {each["id"]: root for each, root in zip(memories, roots, strict=True)}
    api = running.api()
    asked = [_asked(api, space, row, {known[each] for each in row["relevant"]}) for row in questions]
    api.close()
    return asked


def _asked(api: Api, space: str, row: Mapping[str, Any], gold: set[str]) -> Asked:
    body = {"query": row["query"], "space": space, "now": NOW, "limit": _ALL, "dry_run": True, "explain": True}
    boosted = api.post("/memory/recall", body).document
    understood = {end: boosted["understood"][end] for end in ("date_from", "date_to") if boosted["understood"][end]}
    filtered = api.post("/memory/recall", {**body, **(understood or {"date_from": _EVERYTHING})}).document
    plain = api.post("/memory/recall", {**body, "date_from": _EVERYTHING}).document
    ways = {"aside": _roots(plain), "filter": _roots(filtered), "boost": _roots(boosted)}
    inside = {each["memory"]["root_id"] for each in boosted["results"] if each["scores"]["date"]}
    for share in SHARES:
        scores = {each["memory"]["root_id"]: each["score"] for each in plain["results"]}
        lifted = {root: (1 - share) * score + share * (root in inside) for root, score in scores.items()}
        ways[f"boost {share}"] = sorted(lifted, key=lambda root: -lifted[root])
    found = {way: (ranking.fraction(gold, roots, 1), ranking.fraction(gold, roots, 3)) for way, roots in ways.items()}
    return Asked(row["date"], found)


def _draft(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": row["text"], "asserted_at": row["asserted_at"], "event_date": row.get("event_date")}


def _roots(document: Mapping[str, Any]) -> list[str]:
    return [each["memory"]["root_id"] for each in document["results"]]


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def _tell(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    told: dict[str, dict[str, float]] = {}
    for way in asked[0].found:
        told[way] = {}
        for kind in KINDS:
            of_kind = [each.found[way] for each in asked if each.kind == kind]
            told[way] |= {f"{kind} R@{k}": ranking.mean([each[at] for each in of_kind]) for at, k in enumerate((1, 3))}
    counts = ", ".join(f"{sum(each.kind == kind for each in asked)} {kind}" for kind in KINDS)
    rows = [(way, *figures.values()) for way, figures in told.items()]
    report.table(f"What the time in a question is good for ({counts})", ("way", *told["boost"]), rows)
    return told


if __name__ == "__main__":
    main()
