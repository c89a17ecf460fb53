"""A function's cold start: what importing each handler takes, and what the first recall waits for.

Each measurement is a fresh interpreter that has read its compiled files once before. The imports are those of each
functions/*/handler.py alone. The cold start goes on to the answer of one recall, over a folder of made-up memories;
once as a whole and once step by step (service, model, first query, answer).
"""

from __future__ import annotations

import json
import re
import secrets
import sys
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from harness import command, machine, processes, report, timing
from harness.api import Json
from harness.report import Goal
from harness.talk import Talk

IMPORT_GOAL_MS, FIRST_RECALL_GOAL_SECONDS = 600.0, 2.5

_SPACE = "bench"
_IMPORT = (
    "import sys, time; began = time.perf_counter();"
    " import importlib.util as u; spec = u.spec_from_file_location('handler', sys.argv[1]);"
    " module = u.module_from_spec(spec); spec.loader.exec_module(module); print(time.perf_counter() - began)"
)
_FUNCTIONS = Path(__file__).resolve().parents[1] / "functions"
_HANDLER = _FUNCTIONS / "api/handler.py"
_IMPORT_LINE = re.compile(r"^import time:\s+(\d+) \|\s+(\d+) \|( +)(\S+)$", re.MULTILINE)
_SHOWN = 12


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as place:
        folder = Path(place) / "data"
        environment = processes.environment(folder) | {"PALIMPSEST_KEY": "bench-" + secrets.token_urlsafe(32)}
        processes.seed(folder, _SPACE, options.memories, has_extra=options.extra)
        imports = _import_times(environment, _HANDLER, options.runs)
        others = [path for path in sorted(_FUNCTIONS.glob("*/handler.py")) if path != _HANDLER]
        each = {path.parent.name: _import_times(environment, path, options.runs) for path in others}
        largest = _largest(environment)
        whole = _cold_starts("whole", options, environment)
        steps = _cold_starts("steps", options, environment)
    report.table(
        "Importing the handlers of the other functions, median",
        ("function", "ms"),
        [(name, 1000 * timing.median(times)) for name, times in each.items()],
    )
    _tell(imports, largest, whole, steps, options.out)


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="fresh interpreters for each figure")
    parser.add_argument("--memories", type=int, default=1_000, metavar="N", help="memories that the recall searches")
    return parser.parse_args()


def _import_times(environment: dict[str, str], handler: Path, runs: int) -> list[float]:
    """Seconds that importing the handler took, the first time left out: it wrote the compiled files."""
    command = [sys.executable, "-c", _IMPORT, str(handler)]
    return [float(processes.run(command, environment).stdout) for _ in range(runs + 1)][1:]


def _largest(environment: dict[str, str]) -> list[tuple[str, float, float]]:
    """(package, own ms, ms with what it imports): summed by top-level package; the second is of its first import."""
    told = processes.run([sys.executable, "-X", "importtime", "-c", _IMPORT, str(_HANDLER)], environment).stderr
    own: dict[str, float] = {}
    cumulative: dict[str, float] = {}
    for own_us, cumulative_us, _, module in _IMPORT_LINE.findall(told):
        package = module.partition(".")[0]
        own[package] = own.get(package, 0.0) + int(own_us) / 1000
        cumulative[package] = max(cumulative.get(package, 0.0), int(cumulative_us) / 1000)
    names = sorted(own, key=lambda name: -own[name])[:_SHOWN]
    return [(name, own[name], cumulative[name]) for name in names]


def _cold_starts(mode: str, options: Namespace, environment: dict[str, str]) -> list[Json]:
    command = [*processes.module("harness.cold_start", has_extra=options.extra), mode, _SPACE]
    questions = Talk(3).questions(options.runs)
    return [
        json.loads(processes.run([*command, question], environment).stdout.splitlines()[-1]) for question in questions
    ]


def _tell(
    imports: Sequence[float],
    largest: Sequence[tuple[str, float, float]],
    whole: Sequence[Json],
    steps: Sequence[Json],
    out: Path | None,
) -> None:
    import_ms = 1000 * timing.median(imports)
    first_recall = timing.median([run["seconds"]["import"] + run["seconds"]["answer"] for run in whole])
    breakdown = {step: 1000 * timing.median([run["seconds"][step] for run in steps]) for step in steps[0]["seconds"]}
    report.table("Cold start, step by step, median", ("step", "ms"), list(breakdown.items()))
    report.table("Largest imports", ("package", "own ms", "ms with what it imports"), largest)
    goals = [
        Goal("handler import, ms", import_ms, IMPORT_GOAL_MS),
        Goal("first recall after a cold start, s", first_recall, FIRST_RECALL_GOAL_SECONDS),
    ]
    report.goals(goals)
    arms = [arm["state"] for run in whole for arm in run["arms"]]
    print(
        f"\narms of {len(whole)} first recalls: "
        + ", ".join(f"{arms.count(each)} {each}" for each in sorted(set(arms)))
    )
    facts = machine.facts(steps[0]["engine"])
    report.facts(facts)
    told = {"facts": facts, "goals": goals, "import_s": imports, "largest": largest, "whole": whole, "steps": steps}
    report.write(out, told)


if __name__ == "__main__":
    main()
