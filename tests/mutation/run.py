"""Change the rules of what is written, one small change at a time, and count the changes that no test notices.

`make mutation` runs it; `make mutation DIGITS=37` a fifth of it: the changes whose numbers end in 3 or 7. mutmut wants
the package under ``src``, so it works on a copy. It forks for each change, so what a module made when it was imported,
and what it has cached since, would be as before the change: for the rules of restating, which are lists of words and
caches for the most part, everything is imported anew in each fork.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORKSHOP: Final = ROOT / ".build" / "mutation"
PACKAGE: Final = "layers/memory/python/palimpsest"
WANTED: Final = 0.85

MUTATED: Final = (
    "domain/lineage.py",
    "domain/moving.py",
    "domain/disputing.py",
    "domain/restating/*.py",
    "domain/scrub/*.py",
)
"""Pure, so that a test of one is a matter of milliseconds."""

TESTS: Final = (
    "tests/unit/domain/test_differing.py",
    "tests/unit/domain/test_disputing.py",
    "tests/unit/domain/test_lineage.py",
    "tests/unit/domain/test_restating.py",
    "tests/unit/domain/test_restating_forms.py",
    "tests/unit/domain/test_restating_orders.py",
    "tests/unit/domain/test_restating_readings.py",
    "tests/unit/domain/test_steps.py",
    "tests/unit/domain/test_word_lists.py",
    "tests/unit/scrub",
    "tests/unit/usecases/test_scrub.py",
)

_UNNOTICED: Final = (0, 33)
"""mutmut's codes of a change that every test lets pass, and of one that no test comes by."""


def main() -> int:
    """The exit status: 0 when at least 85 of 100 changes were noticed in each of the rooms."""
    _furnish()
    chosen = [f"*__mutmut_*{digit}" for digit in "".join(sys.argv[1:])]
    with (WORKSHOP / "log").open("w") as log:
        command = [sys.executable, "-m", "mutmut", "run", *chosen]
        told = {**os.environ, "PYTHONPATH": str(WORKSHOP)}  # where `anew` lies
        subprocess.run(command, cwd=WORKSHOP, env=told, check=False, stdout=log, stderr=log)
    counts = _counts()
    for room, (killed, lived) in sorted(counts.items()):
        print(f"{room}: {killed} of {killed + lived} changes were noticed ({killed / (killed + lived):.1%})")
    return int(any(killed < WANTED * (killed + lived) for killed, lived in counts.values()))


_ANEW: Final = '''"""Imports everything anew in a session of pytest on a change of the rules of restating."""

import os
import sys

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    if ".restating." in os.environ.get("MUTANT_UNDER_TEST", ""):
        for name in [each for each in sys.modules if each.partition(".")[0] in ("palimpsest", "tests")]:
            del sys.modules[name]
'''


def _furnish() -> None:
    """The copy: the package, its tests, and what mutmut is told."""
    shutil.rmtree(WORKSHOP, ignore_errors=True)
    shutil.copytree(ROOT / PACKAGE, WORKSHOP / "src/palimpsest", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", WORKSHOP / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (WORKSHOP / "anew.py").write_text(_ANEW)
    mutated = ", ".join(f'"src/palimpsest/{pattern}"' for pattern in MUTATED)
    selected = ", ".join(f'"{path}"' for path in TESTS)
    (WORKSHOP / "pyproject.toml").write_text(
        "[tool.mutmut]\n"
        'source_paths = ["src"]\n'
        f"only_mutate = [{mutated}]\n"
        f"pytest_add_cli_args_test_selection = [{selected}]\n"
        'pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "anew", "-x"]\n'
        'also_copy = ["tests", "anew.py"]\n'
        "\n[tool.pytest.ini_options]\n"
        'addopts = ["--import-mode=importlib"]\n'
        'pythonpath = ["src", "."]\n'
    )


def _counts() -> dict[str, tuple[int, int]]:
    """Of each mutated room how many changes were noticed, and how many not."""
    counts: dict[str, tuple[int, int]] = {}
    for told in (WORKSHOP / "mutants/src/palimpsest/domain").rglob("*.meta"):
        room = "/".join(told.relative_to(WORKSHOP / "mutants/src/palimpsest").parts[:2]).split(".")[0]
        codes = json.loads(told.read_text())["exit_code_by_key"].values()
        tried = [code not in _UNNOTICED for code in codes if code is not None]
        killed, lived = counts.get(room, (0, 0))
        counts[room] = killed + sum(tried), lived + len(tried) - sum(tried)
    return counts


if __name__ == "__main__":
    sys.exit(main())
