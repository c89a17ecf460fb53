"""The functions of this product, as their manifests describe them: what local mode serves, fires and pumps."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

LambdaHandler: TypeAlias = Callable[[dict[str, Any], Any], Any]
"""A Lambda entry point: JSON-like event and context in, JSON-like answer out."""

GRANTS = frozenset(
    {
        *("table:read", "table:write", "table:scan", "table:stream"),
        *("index:read", "index:write"),
        *("queue:send", "queue:receive"),
        *("ledger:read", "ledger:write"),
        *("documents:read", "documents:write", "documents:delete"),
        *("secret:read", "bedrock:embed", "model:ask", "reranker:ask"),
    }
)
_ROUTE = re.compile(r"(ANY|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/\S*)")
_RATE = re.compile(r"rate\((\d{1,5}) (minute|hour|day)s?\)")
_UNIT_SECONDS = {"minute": 60, "hour": 3600, "day": 86400}
_COMMON = {"name", "description", "trigger", "timeout_seconds", "memory_mb", "grants", "layers", "reserved_concurrency"}


class Trigger(StrEnum):
    """What calls a function."""

    HTTP = "http"
    STREAM = "stream"
    QUEUE = "queue"
    SCHEDULE = "schedule"


_OWN = {
    Trigger.HTTP: {"routes"},
    Trigger.STREAM: {"batch_size", "max_attempts"},
    Trigger.QUEUE: {"batch_size", "max_attempts", "max_concurrency", "queue"},
    Trigger.SCHEDULE: {"schedule"},
}
_NEEDED = {Trigger.STREAM: "table:stream", Trigger.QUEUE: "queue:receive"}
WORK = "work"
"""The queue of most background work."""
_LAYERS = 4
"""Lambda takes five; ours is one of them."""


class ManifestError(Exception):
    """A function.toml that says something else than it may; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class Route:
    """One gateway route. A greedy one, ``ANY /mcp/{proxy+}``, has the prefix ``/mcp/``."""

    method: str
    path: str
    is_greedy: bool

    @property
    def written(self) -> str:
        """The path as it stands in the manifest."""
        return self.path + ("{proxy+}" if self.is_greedy else "")

    def matches(self, method: str, path: str) -> bool:
        """The gateway would send this request here; a greedy part takes at least one character."""
        fits = path.startswith(self.path) and len(path) > len(self.path) if self.is_greedy else path == self.path
        return fits and self.method in ("ANY", method)


@dataclass(frozen=True, slots=True)
class Manifest:
    """One function.

    Attributes:
        folder: Where its handler.py lies.
        routes: Of an http function; else empty.
        every_seconds: Of a scheduled function; else None.
        batch_size, max_attempts: Of a stream or queue function.
        max_concurrency: Of a queue function: invocations at once at most.
        queue: Of a queue function: which queue feeds it.
        reserved_concurrency: Taken out of the account's own; None leaves it shared.
    """

    folder: Path
    name: str
    description: str
    trigger: Trigger
    timeout_seconds: int
    memory_mb: int
    grants: tuple[str, ...]
    layers: tuple[str, ...]
    routes: tuple[Route, ...] = ()
    every_seconds: int | None = None
    batch_size: int = 100
    max_attempts: int = 8
    max_concurrency: int = 5
    queue: str = WORK
    reserved_concurrency: int | None = None


def functions_folder() -> Path:
    """The `functions` folder: inside the package when it was installed, at the root of a checkout otherwise.

    Raises:
        ManifestError: There is neither.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "functions", package.parents[3] / "functions"):
        if any(folder.glob("*/function.toml")):
            return folder
    raise ManifestError(f"there are no functions beside {package}; install palimpsest again")


def read_manifests(folder: Path) -> tuple[Manifest, ...]:
    """Every function under `folder`, by name.

    Raises:
        ManifestError: A file is not what it should be, or two functions want the same route.
    """
    manifests = tuple(read_manifest(path) for path in sorted(folder.glob("*/function.toml")))
    routes = [f"{route.method} {route.written}" for manifest in manifests for route in manifest.routes]
    doubled = {route for route in routes if routes.count(route) > 1}
    if doubled:
        raise ManifestError(f"{folder}: several functions have the route {', '.join(sorted(doubled))}")
    return manifests


def read_manifest(path: Path) -> Manifest:
    """One function.toml.

    Raises:
        ManifestError: It is not what it should be.
    """
    try:
        return _manifest(path.parent, tomllib.loads(path.read_text("utf-8")))
    except (ManifestError, tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as error:
        raise ManifestError(f"{path}: {type(error).__name__}: {error}") from error


def load_handler(manifest: Manifest) -> LambdaHandler:
    """The `lambda_handler` of the function's handler.py, imported by path."""
    name = f"palimpsest_functions_{manifest.name}"
    spec = importlib.util.spec_from_file_location(name, manifest.folder / "handler.py")
    if spec is None or spec.loader is None:
        raise ManifestError(f"{manifest.folder}: there is no handler.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    handler: LambdaHandler = module.lambda_handler
    return handler


def _manifest(folder: Path, raw: Mapping[str, Any]) -> Manifest:
    trigger = Trigger(raw["trigger"])
    unknown = raw.keys() - _COMMON - _OWN[trigger]
    if unknown:
        raise ManifestError(f"unknown fields for the trigger {trigger}: {', '.join(sorted(unknown))}")
    if raw["name"] != folder.name:
        raise ManifestError(f"name is {raw['name']!r}, the folder {folder.name!r}")
    return Manifest(
        folder=folder,
        name=_text(raw, "name"),
        description=_text(raw, "description"),
        trigger=trigger,
        timeout_seconds=_count(raw, "timeout_seconds"),
        memory_mb=_count(raw, "memory_mb"),
        grants=_grants(raw, trigger),
        layers=_layers(raw),
        routes=tuple(map(_route, _texts(raw, "routes"))) if trigger is Trigger.HTTP else (),
        every_seconds=_every_seconds(_text(raw, "schedule")) if trigger is Trigger.SCHEDULE else None,
        batch_size=_count(raw, "batch_size", 100 if trigger is Trigger.STREAM else 1),
        max_attempts=_count(raw, "max_attempts", 8),
        max_concurrency=_count(raw, "max_concurrency", 5, least=2),
        queue=_text(raw, "queue") if "queue" in raw else WORK,
        reserved_concurrency=_count(raw, "reserved_concurrency") if "reserved_concurrency" in raw else None,
    )


def _text(raw: Mapping[str, Any], field: str) -> str:
    value = raw[field]
    if not isinstance(value, str) or not value.strip():
        raise ManifestError(f"{field} has to be text")
    return value


def _texts(raw: Mapping[str, Any], field: str) -> tuple[str, ...]:
    values = raw[field]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ManifestError(f"{field} has to be a list of texts")
    return tuple(values)


def _count(raw: Mapping[str, Any], field: str, default: int | None = None, least: int = 1) -> int:
    value = raw.get(field, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ManifestError(f"{field} has to be a whole number from {least}")
    return value


def _grants(raw: Mapping[str, Any], trigger: Trigger) -> tuple[str, ...]:
    grants = _texts(raw, "grants")
    unknown = set(grants) - GRANTS
    if unknown:
        raise ManifestError(f"unknown grants: {', '.join(sorted(unknown))}")
    needed = _NEEDED.get(trigger)
    if needed is not None and needed not in grants:
        raise ManifestError(f"the trigger {trigger} needs the grant {needed}")
    return grants


def _layers(raw: Mapping[str, Any]) -> tuple[str, ...]:
    layers = _texts(raw, "layers")
    if len(layers) > _LAYERS:
        raise ManifestError(f"layers has to name at most {_LAYERS}")
    return layers


def _route(text: str) -> Route:
    match = _ROUTE.fullmatch(text)
    if match is None:
        raise ManifestError(f"{text!r} is no route; write 'METHOD /path' or 'METHOD /path/{{proxy+}}'")
    method, path = match.groups()
    prefix, greedy, rest = path.partition("{proxy+}")
    if rest or "{" in prefix:
        raise ManifestError(f"{text!r}: only a last part {{proxy+}} is understood")
    return Route(method, prefix, bool(greedy))


def _every_seconds(text: str) -> int:
    match = _RATE.fullmatch(text)
    if match is None or int(match[1]) < 1:
        raise ManifestError(f"{text!r} is no schedule; write 'rate(5 minutes)'")
    return int(match[1]) * _UNIT_SECONDS[match[2]]
