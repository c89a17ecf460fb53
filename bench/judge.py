"""The judge's rules through the HTTP API: what says the same becomes a version, and nothing that differs ever does.

For each labelled pair a space of its own: the memory that is there is saved, then the one that comes in. Restated pairs
that are not `versioned` were not recognised; others that are were merged by mistake.
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

PAIRS = Path(__file__).parents[1] / "tests" / "corpora" / "judge" / "pairs.jsonl"


@dataclass(frozen=True, slots=True)
class Pair:
    """What is remembered, what comes in, and whether that only restates it."""

    existing: str
    incoming: str
    language: str
    label: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the second save of a pair came to, and how long it took."""

    pair: Pair
    is_version: bool
    seconds: float


def main() -> None:
    pairs.measure(__doc__, PAIRS, _pair, _outcome, _tell)


def _pair(row: Mapping[str, Any]) -> Pair:
    return Pair(row["existing"], row["incoming"], row["language"], row["label"])


def _outcome(api: Api, pair: Pair) -> Outcome:
    space = f"judge-{secrets.token_hex(6)}"
    api.post("/memory/save", {"content": pair.existing, "space": space})
    answer = api.post("/memory/save", {"content": pair.incoming, "space": space})
    return Outcome(pair, answer.document["outcome"] == "versioned", answer.seconds)


def _tell(outcomes: Sequence[Outcome]) -> dict[str, object]:
    rows = []
    for label, language in dict.fromkeys((each.pair.label, each.pair.language) for each in outcomes):
        some = [each for each in outcomes if (each.pair.label, each.pair.language) == (label, language)]
        rows.append((label, language, len(some), sum(each.is_version for each in some)))
    report.table("The second save of a pair", ("label", "language", "pairs", "versioned"), rows)
    merged = sum(each.is_version for each in outcomes if each.pair.label != "restated")
    goals = [Goal("pairs that differ and were merged", merged, 0)]
    recognised = {language: _recognised(outcomes, language) for language in ("en", "pl")}
    goals += [Goal(f"restatements recognised, {name}", part, 0.6, at_least=True) for name, part in recognised.items()]
    report.goals(goals)
    return {
        "merged": merged,
        "recognised": recognised,
        "save_ms": Spread.of([each.seconds for each in outcomes]),
    }


def _recognised(outcomes: Sequence[Outcome], language: str) -> float:
    restated = [each for each in outcomes if (each.pair.label, each.pair.language) == ("restated", language)]
    return sum(each.is_version for each in restated) / max(1, len(restated))


if __name__ == "__main__":
    main()
