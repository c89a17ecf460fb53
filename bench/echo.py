"""The echo guard through the HTTP API: is what an assistant was just told stored again when it saves it?

For each labelled pair a space of its own: its memories are saved first-hand and recalled, then its save comes from an
assistant. An echo is caught when nothing new is stored; an honest save that is not stored is swallowed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import pairs, report
from harness.api import Api
from harness.report import Goal
from harness.timing import Spread

PAIRS = Path(__file__).parents[1] / "tests" / "corpora" / "echo" / "pairs.jsonl"
_NOTHING_NEW = ("echo", "unchanged")


@dataclass(frozen=True, slots=True)
class Pair:
    """What was recalled, a memory a line, and what was saved after it."""

    recalled: str
    saved: str
    is_echo: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a save came to, and how long it took."""

    pair: Pair
    is_new: bool
    seconds: float


def main() -> None:
    pairs.measure(__doc__, PAIRS, _pair, _outcome, _tell)


def _pair(row: Mapping[str, Any]) -> Pair:
    return Pair(row["recalled"], row["saved"], row["is_echo"], row["kind"])


def _outcome(api: Api, pair: Pair) -> Outcome:
    space = f"echo-{secrets.token_hex(6)}"
    for memory in pair.recalled.split("\n"):
        api.post("/memory/save", {"content": memory, "space": space, "judge": "off"})
    api.post("/memory/recall", {"query": pair.recalled, "space": space})
    source = {"agent": "assistant_generated"}
    answer = api.post("/memory/save", {"content": pair.saved, "space": space, "judge": "off", "source": source})
    return Outcome(pair, answer.document["outcome"] not in _NOTHING_NEW, answer.seconds)


def _tell(outcomes: Sequence[Outcome]) -> dict[str, object]:
    kinds = dict.fromkeys(outcome.pair.kind for outcome in outcomes)
    rows = []
    for kind in kinds:
        found = [outcome for outcome in outcomes if outcome.pair.kind == kind]
        is_echo = "echo" if found[0].pair.is_echo else "honest"
        rows.append((kind, is_echo, len(found), sum(not outcome.is_new for outcome in found)))
    report.table("Saves after a recall", ("kind", "is", "saves", "not stored"), rows)
    echoes = [outcome for outcome in outcomes if outcome.pair.is_echo]
    honest = [outcome for outcome in outcomes if not outcome.pair.is_echo]
    caught = sum(not outcome.is_new for outcome in echoes)
    swallowed = sum(not outcome.is_new for outcome in honest)
    print(f"\ncaught {caught} of {len(echoes)}, swallowed {swallowed} of {len(honest)}")
    report.goals(
        [
            Goal("echoes caught", caught / max(1, len(echoes)), 0.85, at_least=True),
            Goal("honest saves swallowed", swallowed / max(1, len(honest)), 0.005),
        ]
    )
    return {
        "caught": caught,
        "echoes": len(echoes),
        "swallowed": swallowed,
        "honest": len(honest),
        "save_ms": Spread.of([outcome.seconds for outcome in outcomes]),
    }


if __name__ == "__main__":
    main()
