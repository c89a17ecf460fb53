"""A small benchmark of a running server, and the way to the scripts in a checkout's `bench` folder."""

from __future__ import annotations

import itertools
import sys
import time
from argparse import REMAINDER, ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from palimpsest.local.cli import options
from palimpsest.local.cli.client import Json, part
from palimpsest.local.cli.screen import Screen
from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit, Refusal

_PEOPLE = ("Ola", "Marta", "Jan", "Ewa", "Piotr")
_HABITS = ("drinks tea", "takes the tram", "runs in the park", "reads the news", "waters the plants")
_TIMES = ("at seven", "before noon", "on Fridays", "in winter", "after work")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--count", type=options.positive, default=100, metavar="N", help="so many saves and recalls")
    parser.add_argument("script", nargs="?", help="run this script of the checkout's bench folder instead")
    parser.add_argument("rest", nargs=REMAINDER, metavar="...", help="what the script is to be told")


def _bench(session: Session) -> Exit:
    if session.arguments.script:
        return _run_script(session.arguments.script, session.arguments.rest)
    space = session.arguments.space or f"bench-{time.time_ns()}"
    texts = list(itertools.islice(_texts(), session.arguments.count))
    saved: list[Json] = []
    save_ms = _timed(texts, lambda text: saved.append(session.api.post("/memory/save", _draft(text, space))))
    recall_ms = _timed(texts, lambda text: session.api.post("/memory/recall", _question(text, space)))
    for answer in saved:
        session.api.post(f"/memory/{part(answer['memory']['root_id'])}/forget", {})
    measured = {"space": space, "count": len(texts), "save_ms": _quantiles(save_ms), "recall_ms": _quantiles(recall_ms)}
    return session.show(measured, _show)


def _texts() -> Iterator[str]:
    for number, (person, habit, when) in enumerate(itertools.cycle(itertools.product(_PEOPLE, _HABITS, _TIMES))):
        yield f"{person} {habit} {when}, note {number}"


def _draft(text: str, space: str) -> Json:
    return {"content": text, "space": space, "judge": "off"}


def _question(text: str, space: str) -> Json:
    return {"query": f"what is it that {text.rpartition(',')[0]}?", "space": space, "dry_run": True}


def _timed(texts: Sequence[str], call: Callable[[str], object]) -> list[float]:
    taken = []
    for text in texts:
        began = time.perf_counter()
        call(text)
        taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)


def _quantiles(taken_ms: Sequence[float]) -> dict[str, float]:
    """The values that so many percent do not pass."""
    last = len(taken_ms) - 1
    return {f"p{percent}": round(taken_ms[round(last * percent / 100)], 2) for percent in (50, 95, 99, 100)}


def _show(screen: Screen, measured: Json) -> None:
    titles = ("milliseconds", *measured["save_ms"])
    rows = [(name, *map(str, measured[f"{name}_ms"].values())) for name in ("save", "recall")]
    screen.table(titles, rows)
    screen.line(f"{measured['count']} of each, one client; the memories in {measured['space']} were forgotten again")


def _run_script(name: str, rest: Sequence[str]) -> Exit:
    scripts = {path.stem: path for path in (Path(__file__).resolve().parents[6] / "bench").glob("*.py")}
    if name not in scripts:
        known = ", ".join(sorted(scripts)) or "none here; they are part of a checkout"
        raise Refusal(Exit.USAGE, f"there is no benchmark {name!r}; known: {known}")
    import subprocess  # the other verbs start without it

    done = subprocess.run([sys.executable, str(scripts[name]), *rest], check=False)  # noqa: S603 - a script of ours
    return Exit.OK if done.returncode == 0 else Exit.UNEXPECTED


VERBS = (Verb("bench", "measure what saving and recalling take on the server", _bench, _arguments),)
