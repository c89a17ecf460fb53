"""The graph of a space with one large document: neighbourhoods, three hops, and what people decide of a hot entity."""

from __future__ import annotations

import random
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from urllib.parse import quote

from harness import command, machine, report, server
from harness.api import Answer, Api, Json
from harness.report import Goal
from harness.timing import Spread

HOT = "Marta Zieleniec"
"""Every chunk names her."""

GOALS = {
    "neighbourhood": 30.0,
    "neighbourhood of the hot entity": 30.0,
    "three hops": 100.0,
    "rename": 50.0,
    "retype": 50.0,
    "merge and revert of the hot entity": 100.0,
}
"""Milliseconds, of the median."""

_SEED = 20261130
_PAUSE_SECONDS = 0.5
_LONGEST_SECONDS = 3_600.0
_GIVEN = (
    "Adam",
    "Ewa",
    "Piotr",
    "Maria",
    "Anna",
    "Tomasz",
    "Olga",
    "Marek",
    "Zofia",
    "Karol",
    "Helena",
    "Irena",
    "Paweł",
    "Lena",
    "Jakub",
    "Nina",
    "Filip",
)
_FAMILY = (
    "Nowak",
    "Kowalski",
    "Wójcik",
    "Mazur",
    "Krawczyk",
    "Pawlak",
    "Sikora",
    "Duda",
    "Szewc",
    "Pietrzak",
    "Kubiak",
    "Gajda",
    "Rybak",
)


class NotRead(Exception):
    """The document was not read in time."""


def main() -> None:
    options = _options()
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as found, closing(found.api()) as api:
        space = f"bench-{time.time_ns()}"
        seconds = _filled(api, space, options.chunks)
        spreads = _measured(api, space, options.runs)
    report.table(
        f"A space with a document of {options.chunks} chunks, each of which names {HOT} and two of "
        f"{len(_GIVEN) * len(_FAMILY)} people",
        ("what", "p50 ms", "p95 ms", "longest ms"),
        [(name, each.p50, each.p95, each.longest) for name, each in spreads.items()],
    )
    report.table("Until it was so", ("what", "s"), list(seconds.items()))
    goals = [Goal(f"{name}, p50, ms", spreads[name].p50, goal) for name, goal in GOALS.items()]
    report.goals(goals)
    report.facts(machine.facts("the server's"))
    report.write(options.out, {"spreads": spreads, "seconds": seconds, "goals": goals})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--url", metavar="URL", help="a running server; without it one is started for the benchmark")
    parser.add_argument("--key", metavar="KEY", help="an owner's key of that server")
    parser.add_argument("--chunks", type=int, default=10_000, metavar="N", help="of the document")
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="of each measurement")
    return parser.parse_args()


def _filled(api: Api, space: str, chunks: int) -> dict[str, float]:
    """Send the document, and wait until it is embedded and read for entities."""
    chance = random.Random(_SEED)  # noqa: S311 - made-up people
    people = [f"{given} {family}" for given in _GIVEN for family in _FAMILY]
    parts = [
        f"## Shipment {n}\n\n{chance.choice(people)} met {HOT} about it, and {chance.choice(people)} wrote that down."
        for n in range(chunks)
    ]
    began = time.perf_counter()
    sent = {"path": "log.md", "text": "\n\n".join(parts), "space": space, "media_type": "text/markdown"}
    document = api.post("/documents", sent).document["document"]["id"]
    _wait(lambda: api.get(f"/documents/{document}").document["state"] == "ready")
    ready = time.perf_counter()
    _wait(lambda: _named(api, space, HOT).get("mentions", 0) >= chunks)
    return {"embedded and shown": ready - began, "then read for entities": time.perf_counter() - ready}


def _measured(api: Api, space: str, runs: int) -> dict[str, Spread]:
    hot, other = _named(api, space, HOT)["id"], _named(api, space, f"{_GIVEN[0]} {_FAMILY[0]}")["id"]
    names, types = iter(range(runs)), iter(["agent", "person"] * runs)

    def merge_and_revert() -> float:
        merged = api.post(f"/memory/entities/{hot}/merge", {"into": other})
        return merged.seconds + api.post(f"/memory/entities/merges/{hot}/revert", {}).seconds

    measured: dict[str, Callable[[], float]] = {
        "neighbourhood": _taken(lambda: api.get(f"/memory/graph?space={space}&around={other}")),
        "neighbourhood of the hot entity": _taken(lambda: api.get(f"/memory/graph?space={space}&around={hot}")),
        "related": _taken(lambda: api.get(f"/memory/entities/{other}/related")),
        "three hops": _taken(lambda: api.get(f"/memory/entities/{other}/related?hops=3")),
        "three hops of the hot entity": _taken(lambda: api.get(f"/memory/entities/{hot}/related?hops=3")),
        "list of 50": _taken(lambda: api.get(f"/memory/entities?space={space}")),
        "rename": _taken(lambda: api.patch(f"/memory/entities/{hot}", {"name": f"{HOT} {_FAMILY[next(names) % 13]}"})),
        "retype": _taken(lambda: api.patch(f"/memory/entities/{hot}", {"entity_type": next(types)})),
        "merge and revert of the hot entity": merge_and_revert,
    }
    return {name: Spread.of([measure() for _ in range(runs)]) for name, measure in measured.items()}


def _taken(call: Callable[[], Answer]) -> Callable[[], float]:
    return lambda: call().seconds


def _named(api: Api, space: str, name: str) -> Json:
    """The entity of that name as it is listed; empty when there is none yet."""
    asked = quote(name)
    listed = api.get(f"/memory/entities?space={space}&q={asked}").document["entities"]
    return next((each for each in listed if each["name"] == name), {})


def _wait(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + _LONGEST_SECONDS
    while not is_so():
        if time.monotonic() > until:
            raise NotRead
        time.sleep(_PAUSE_SECONDS)


if __name__ == "__main__":
    main()
