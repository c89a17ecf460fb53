"""Labelled pairs of texts, each tried through the HTTP API in a space of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from harness import command, machine, report, server
from harness.api import Api
from harness.locomo_data import BadData

Pair = TypeVar("Pair")
Outcome = TypeVar("Outcome")


def measure(
    doc: str | None,
    pairs: Path,
    parse: Callable[[Mapping[str, Any]], Pair],
    attempt: Callable[[Api, Pair], Outcome],
    tell: Callable[[Sequence[Outcome]], Mapping[str, object]],
) -> None:
    """Try each pair of a file, tell what came of it, and on which machine.

    Args:
        pairs: The file when no other is given, a JSON object a line.
        parse: The pair in such an object.
        tell: Prints the figures and gives them for the file of results.
    """
    parser = command.parser(doc)
    command.add_data(parser, pairs)
    options = parser.parse_args()
    read = _read(options.data, parse)
    with server.given_or_own(options.url, options.key, has_extra=options.extra) as running:
        api = running.api()
        outcomes = [attempt(api, pair) for pair in read]
        engine = api.get("/status").document["embedder"]["engine"]
        api.close()
    facts = machine.facts(engine)
    result = tell(outcomes)
    report.facts(facts)
    report.write(options.out, {"facts": facts, **result})


def _read(path: Path, parse: Callable[[Mapping[str, Any]], Pair]) -> list[Pair]:
    try:
        return [parse(json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} is no file of such pairs: {error!r}") from error
