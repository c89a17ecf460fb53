"""A function's cold start in this interpreter, step by step, as JSON: run in a fresh one for each measurement.

    python -m harness.cold_start whole|steps SPACE QUESTION

``whole`` imports the handler and hands it one recall. ``steps`` does between the two what that recall would do first:
build the service, load the model, embed a query.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Watch:
    """Names the seconds that steps take."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[step] = time.perf_counter() - began


def main(mode: str, space: str, question: str) -> None:
    watch = Watch()
    with watch("import"):
        handler = _handler()
    if mode == "steps":
        _prepare(watch, question)
    recall = _event(space, question)
    with watch("answer"):
        answer = handler(*recall)
    again = _event(space, question + " And what else?")
    with watch("second answer"):
        handler(*again)
    body = json.loads(answer["body"])
    engine = _engine()
    json.dump(
        {"seconds": watch.seconds, "arms": body["arms"], "found": len(body["results"]), "engine": engine}, sys.stdout
    )


def _handler() -> Callable[[dict[str, Any], Any], Any]:
    import importlib.util
    from pathlib import Path

    path = Path(__file__).resolve().parents[2] / "functions/api/handler.py"
    spec = importlib.util.spec_from_file_location("handler", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    handler: Callable[[dict[str, Any], Any], Any] = module.lambda_handler
    return handler


def _prepare(watch: Watch, question: str) -> None:
    from palimpsest import bootstrap

    with watch("service"):
        bootstrap.service()
    machine = bootstrap.local_machine()
    with watch("model"):
        machine.warm_up()
    with watch("first query"):
        machine.embedder.query(question)


def _event(space: str, question: str) -> tuple[dict[str, Any], Any]:
    """The event and the context of a recall, as the gateway of one machine makes them."""
    from datetime import UTC, datetime

    from palimpsest.bootstrap import settings
    from palimpsest.local import lambda_events
    from palimpsest.local.manifest import functions_folder, read_manifest

    headers = (("content-type", "application/json"), ("authorization", f"Bearer {settings().key}"))
    body = json.dumps({"query": question, "space": space}).encode()
    request = lambda_events.HttpRequest("POST", "/memory/recall", "", headers, body)
    manifest = read_manifest(functions_folder() / "api/function.toml")
    context = lambda_events.context_of(manifest, "benchmark", time.monotonic)
    return lambda_events.request_event(request, request_id="benchmark", at=datetime.now(UTC)), context


def _engine() -> str:
    from palimpsest import bootstrap
    from palimpsest.adapters.models.e5 import E5

    embedder = bootstrap.local_machine().embedder
    return embedder.engine.name if isinstance(embedder, E5) and embedder.engine else "none"


if __name__ == "__main__":
    main(*sys.argv[1:])
