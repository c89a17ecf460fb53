"""The embedder by itself: the product's own engine, in a process of its own, on the texts that the server had to embed.

    python -m harness.embedding CLIENTS < texts.json

`texts.json` holds lists of texts, ``{"queries": […], "passages": […]}``; so do the answers, with seconds for texts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness.server import product_environment

_WITHOUT_EXTRA = (
    "import sys; sys.modules['ctranslate2'] = None; from harness.embedding import main; main(int(sys.argv[1]))"
)
_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Alone:
    """Seconds that each text took, in order."""

    queries: tuple[float, ...]
    passages: tuple[float, ...]


def measure(
    folder: Path, queries: Sequence[str], passages: Sequence[str], *, clients: int = 1, has_extra: bool = True
) -> Alone:
    """What embedding alone takes over the data folder `folder`, with so many callers at once."""
    command = ["-m", "harness.embedding"] if has_extra else ["-c", _WITHOUT_EXTRA]
    done = subprocess.run(
        [sys.executable, *command, str(clients)],
        input=json.dumps({"queries": list(queries), "passages": list(passages)}),
        env=product_environment(folder),
        capture_output=True,
        text=True,
        check=True,
        timeout=_SECONDS,
    )
    told = json.loads(done.stdout)
    return Alone(tuple(told["queries"]), tuple(told["passages"]))


def main(clients: int) -> None:
    from palimpsest.bootstrap import local_machine  # the process that measures makes no machine of its own

    texts = json.load(sys.stdin)
    embedder = local_machine().embedder
    embedder.query("warm up")
    taken = {
        "queries": _timed(embedder.query, texts["queries"], clients),
        "passages": _timed(lambda text: embedder.passages([text]), texts["passages"], clients),
    }
    json.dump(taken, sys.stdout)


def _timed(embed: Callable[[str], object], texts: Sequence[str], clients: int) -> list[float]:
    def run(text: str) -> float:
        began = time.perf_counter()
        embed(text)
        return time.perf_counter() - began

    with ThreadPoolExecutor(clients) as threads:
        return list(threads.map(run, texts))


if __name__ == "__main__":
    main(int(sys.argv[1]))
