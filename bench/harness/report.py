"""Results on the terminal and in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Goal:
    """A measured value beside what it should be. `at_least`: the value should not be lower; else not higher."""

    name: str
    value: float
    goal: float
    at_least: bool = False

    @property
    def is_reached(self) -> bool:
        return self.value >= self.goal if self.at_least else self.value <= self.goal


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under their heads, as Markdown."""
    cells = [list(head), *([_shown(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    print(f"\n{title}\n\n" + "\n".join([lines[0], rule, *lines[1:]]), flush=True)


def goals(reached: Sequence[Goal]) -> None:
    """Print goals and measured values side by side."""
    rows = [(g.name, f"{'>=' if g.at_least else '<='} {g.goal:g}", g.value, _verdict(g)) for g in reached]
    table("Goals", ("what", "goal", "measured", "reached"), rows)


def facts(told: Mapping[str, str]) -> None:
    """Print what the result depends on."""
    print("\n" + "\n".join(f"{name}: {value}" for name, value in told.items()), flush=True)


def write(path: Path | None, result: Mapping[str, object]) -> None:
    """Write the whole result as JSON; nowhere when there is no path."""
    if path is not None:
        path.write_text(json.dumps(result, indent=1, default=_plain, ensure_ascii=False) + "\n", "utf-8")


def _verdict(goal: Goal) -> str:
    return "yes" if goal.is_reached else "no"


def _shown(cell: object) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.3f}" if abs(cell) < 2 else f"{cell:.2f}"


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value))
