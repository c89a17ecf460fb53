"""The embedder by itself: the product's own engine, in a process of its own, on the texts that the server had to embed.

    python -m harness.embedding < jobs.json

`jobs.json` is a list of jobs as in `Job`; the answer is a list of `Alone`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from harness import processes


@dataclass(frozen=True, slots=True)
class Job:
    """Texts to embed as queries or as passages, with so many callers at once. `batch`: passages of one call."""

    texts: tuple[str, ...]
    clients: int
    is_query: bool
    batch: int = 1


@dataclass(frozen=True, slots=True)
class Alone:
    """What a job took: each call, in order, and processors for all of them."""

    seconds: tuple[float, ...]
    cpu_seconds: float


def measure(folder: Path, jobs: Sequence[Job], *, has_extra: bool = True) -> list[Alone]:
    """What each job takes, over the data folder `folder`."""
    command = processes.module("harness.embedding", has_extra=has_extra)
    told = processes.run(command, processes.environment(folder), json.dumps([asdict(job) for job in jobs]))
    return [Alone(**each) for each in json.loads(told.stdout)]


def main() -> None:
    from palimpsest.bootstrap import local_machine  # the process that measures makes no machine of its own

    jobs = [Job(**job) for job in json.load(sys.stdin)]
    embedder = local_machine().embedder
    embedder.query("warm up")
    kinds: dict[bool, Callable[[list[str]], object]] = {
        True: lambda texts: embedder.query(*texts),
        False: embedder.passages,
    }
    json.dump([asdict(_timed(kinds[job.is_query], job)) for job in jobs], sys.stdout)


def _timed(embed: Callable[[list[str]], object], job: Job) -> Alone:
    def run(begin: int) -> float:
        texts = list(job.texts[begin : begin + job.batch])
        began = time.perf_counter()
        embed(texts)
        return time.perf_counter() - began

    began = time.process_time()
    with ThreadPoolExecutor(job.clients) as threads:
        seconds = tuple(threads.map(run, range(0, len(job.texts), job.batch)))
    return Alone(seconds, time.process_time() - began)


if __name__ == "__main__":
    main()
