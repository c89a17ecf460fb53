"""A function as Lambda runs it: a process of its own with nothing but its environment, asked event by event."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = """
import json, sys, time
from dataclasses import replace
from pathlib import Path
from palimpsest.local.lambda_events import context_of
from palimpsest.local.manifest import load_handler, read_manifest

out, sys.stdout = sys.stdout, sys.stderr
manifest = read_manifest(Path(sys.argv[1]))
manifest = replace(manifest, timeout_seconds=int(sys.argv[2]) or manifest.timeout_seconds)
handler = load_handler(manifest)
for line in sys.stdin:
    try:
        told = {"answer": handler(json.loads(line), context_of(manifest, "request-1", time.monotonic))}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), file=out, flush=True)
"""


class FunctionFailed(Exception):
    """The handler raised; Lambda would try the event again."""


class FunctionProcess:
    """One instance of one function; what it logs goes to a file."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def __call__(self, event: Mapping[str, Any]) -> Any:
        """What the handler answers; FunctionFailed when it raises or the process is gone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(event) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise FunctionFailed(f"the process ended with {self._process.wait(10)}")
        told = json.loads(line)
        if "error" in told:
            raise FunctionFailed(told["error"])
        return told["answer"]


@contextmanager
def function_process(
    name: str, environment: Mapping[str, str], log: Path, *, layers: Sequence[Path] = (), timeout_seconds: int = 0
) -> Iterator[FunctionProcess]:
    """An instance for the time of a `with`.

    Args:
        name: Of the function.
        environment: What it is told, beside what every process is.
        log: Where its standard error goes.
        layers: Folders that it imports from, and from nowhere else; without any, from this environment.
        timeout_seconds: In place of the manifest's.
    """
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PALIMPSEST_", "AWS_"))}
    own = {"PYTHONPATH": str(ROOT / "layers/memory/python"), "PYTHONWARNINGS": "error", "OPENBLAS_NUM_THREADS": "1"}
    alone = ["-S"] if layers else []
    if layers:
        own["PYTHONPATH"] = os.pathsep.join(map(str, layers))
    manifest = ROOT / "functions" / name / "function.toml"
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, *alone, "-c", _PROGRAM, manifest, str(timeout_seconds)],
            env=inherited | own | dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            yield FunctionProcess(process)
        finally:
            process.terminate()
            process.communicate(timeout=20)
