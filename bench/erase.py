"""Erasing a memory with many versions: until it is off every surface, and until the receipt is there."""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import closing

from harness import command, machine, report, server
from harness.api import Api
from harness.report import Goal
from harness.talk import Talk
from harness.timing import Spread

GOAL_SECONDS = 2.0
_SEED = 20261130
_PAUSE_SECONDS = 0.02


def main() -> None:
    options = _options()
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as found, closing(found.api()) as api:
        spreads = _measured(api, options.runs, options.versions)
    report.table(
        f"{options.runs} memories with {options.versions} versions each, erased one after the other",
        ("until", "p50 ms", "p95 ms", "longest ms"),
        [(name, each.p50, each.p95, each.longest) for name, each in spreads.items()],
    )
    goals = [Goal("receipt, longest, s", spreads["receipt"].longest / 1000, GOAL_SECONDS)]
    report.goals(goals)
    facts = machine.facts("the server's")
    report.facts({name: fact for name, fact in facts.items() if name != "command"})
    report.write(options.out, {"spreads": spreads, "goals": goals})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--url", metavar="URL", help="a running server; without it one is started for the benchmark")
    parser.add_argument("--key", metavar="KEY", help="an owner's key of that server")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="memories to erase")
    parser.add_argument("--versions", type=int, default=100, metavar="N", help="of each")
    return parser.parse_args()


def _measured(api: Api, runs: int, versions: int) -> dict[str, Spread]:
    talk, space = Talk(_SEED), f"bench-{time.time_ns()}"
    answers, receipts = [], []
    for run in range(runs):
        root = _remembered(api, [f"{text} ({run})" for text in talk.turns(versions)], space)
        began = time.perf_counter()
        erasure = api.post(f"/memory/{root}/erase", {}).document["erasure"]["id"]
        answers.append(time.perf_counter() - began)
        while api.get(f"/erasures/{erasure}").document["state"] != "verified":
            time.sleep(_PAUSE_SECONDS)
        receipts.append(time.perf_counter() - began)
    return {"answer": Spread.of(answers), "receipt": Spread.of(receipts)}


def _remembered(api: Api, texts: list[str], space: str) -> str:
    saved = api.post("/memory/save", {"content": texts[0], "space": space, "judge": "off"}).document
    root: str = saved["memory"]["root_id"]
    for text in texts[1:]:
        api.post(f"/memory/{root}/update", {"content": text})
    return root


if __name__ == "__main__":
    main()
