"""The judge's rules through the HTTP API: what says the same becomes a version, and nothing that differs ever does.

For each labelled pair a space of its own: the memory that is there is saved, then the one that comes in. Restated pairs
that are not `versioned` were not recognised; others that are were merged by mistake.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import command, machine, report, server
from harness.api import Api
from harness.locomo_data import BadData
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
    parser = command.parser(__doc__)
    command.add_data(parser, PAIRS)
    options = parser.parse_args()
    pairs = _read(options.data)
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as running:
        api = running.api()
        outcomes = [_outcome(api, pair) for pair in pairs]
        engine = api.get("/status").document["embedder"]["engine"]
        api.close()
    facts = machine.facts(engine)
    result = _tell(outcomes)
    report.facts(facts)
    report.write(options.out, {"facts": facts, **result})


def _read(path: Path) -> list[Pair]:
    try:
        rows = map(json.loads, path.read_text("utf-8").splitlines())
        return [Pair(row["existing"], row["incoming"], row["language"], row["label"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} is no file of pairs: {error!r}") from error


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
