"""Saves and recalls through a deployed API, one at a time, once its functions are warm.

For any deployment: in an account, or in an emulator on this machine. The time is that of the caller, from sending the
request until the last byte of the answer.
"""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import closing

from harness import command, machine, report
from harness.api import Answer, Api
from harness.report import Goal
from harness.talk import Talk
from harness.timing import Spread

GOAL_MS = 150.0
_SEED = 20261130
_WARMING = 5


def main() -> None:
    options = _options()
    with closing(Api(options.url, options.key)) as api:
        spreads = _measured(api, options.runs)
    report.table(
        f"{options.runs} saves and {options.runs} recalls, one client, warm",
        ("what", "p50 ms", "p95 ms", "longest ms"),
        [(name, each.p50, each.p95, each.longest) for name, each in spreads.items()],
    )
    goals = [Goal(f"{name} p50, ms", each.p50, GOAL_MS) for name, each in spreads.items()]
    report.goals(goals)
    facts = machine.facts("the deployment's")
    report.facts({name: fact for name, fact in facts.items() if name != "command"})
    report.write(options.out, {"spreads": spreads, "goals": goals})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--url", required=True, metavar="URL", help="the deployed API")
    parser.add_argument("--key", required=True, metavar="KEY", help="an owner's key")
    parser.add_argument("--runs", type=int, default=50, metavar="N", help="saves, and recalls")
    return parser.parse_args()


def _measured(api: Api, runs: int) -> dict[str, Spread]:
    talk, space = Talk(_SEED), f"bench-{time.time_ns()}"
    saves = [_save(api, text, space) for text in talk.turns(_WARMING + runs)][_WARMING:]
    recalls = [_recall(api, text, space) for text in talk.questions(_WARMING + runs)][_WARMING:]
    return {
        "save": Spread.of([answer.seconds for answer in saves]),
        "recall": Spread.of([answer.seconds for answer in recalls]),
    }


def _save(api: Api, text: str, space: str) -> Answer:
    return api.post("/memory/save", {"content": text, "space": space, "judge": "off"})


def _recall(api: Api, text: str, space: str) -> Answer:
    return api.post("/memory/recall", {"query": text, "space": space})


if __name__ == "__main__":
    main()
