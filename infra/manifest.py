"""The functions as their manifests describe them. Local mode has a reader of its own; a test holds the two equal."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
_COMMON = {"name", "description", "trigger", "timeout_seconds", "memory_mb", "grants", "layers", "reserved_concurrency"}
_OWN = {
    "http": {"routes"},
    "stream": {"batch_size", "max_attempts"},
    "queue": {"batch_size", "max_attempts", "max_concurrency", "queue"},
    "schedule": {"schedule"},
}
_NEEDED = {"stream": "table:stream", "queue": "queue:receive"}
_ROUTE = re.compile(r"(ANY|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (/[^\s{}]*(?:\{proxy\+\})?)")
_RATE = re.compile(r"rate\((\d{1,5}) (minute|hour|day)s?\)")
_UNIT_SECONDS = {"minute": 60, "hour": 3600, "day": 86400}
WORK, INGEST = "work", "ingest"
"""The queues: of most background work, and of documents."""
_LAYERS = 4
"""Lambda takes five; ours is one of them."""


class ManifestError(Exception):
    """A function.toml that says something else than it may; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """One function.

    Attributes:
        folder: Where its handler.py lies.
        routes: Method and path of each gateway route; of an http function, else empty.
        every_seconds: Of a scheduled function; else None.
        batch_size, max_attempts: Of a stream or queue function.
        max_concurrency: Of a queue function: invocations at once at most.
        queue: Of a queue function: which queue feeds it.
        reserved_concurrency: Taken out of the account's own; None leaves it shared.
    """

    folder: Path
    name: str
    description: str
    trigger: str
    timeout_seconds: int
    memory_mb: int
    grants: tuple[str, ...]
    layers: tuple[str, ...]
    routes: tuple[tuple[str, str], ...] = ()
    every_seconds: int | None = None
    batch_size: int = 100
    max_attempts: int = 8
    max_concurrency: int = 5
    queue: str = WORK
    reserved_concurrency: int | None = None

    def may(self, *grants: str) -> bool:
        """Whether it has one of these grants."""
        return any(grant in self.grants for grant in grants)


def read_manifests(folder: Path) -> tuple[Manifest, ...]:
    """Every function under `folder`, by name.

    Raises:
        ManifestError: A file is not what it should be, or two functions want the same route.
    """
    manifests = tuple(read_manifest(path) for path in sorted(folder.glob("*/function.toml")))
    routes = [route for manifest in manifests for route in manifest.routes]
    doubled = {f"{method} {path}" for method, path in routes if routes.count((method, path)) > 1}
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


def _manifest(folder: Path, raw: Mapping[str, object]) -> Manifest:
    trigger = _text(raw, "trigger")
    if trigger not in _OWN:
        raise ManifestError(f"{trigger!r} is no trigger")
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
        routes=tuple(map(_route, _texts(raw, "routes"))) if trigger == "http" else (),
        every_seconds=_every_seconds(_text(raw, "schedule")) if trigger == "schedule" else None,
        batch_size=_count(raw, "batch_size", 100 if trigger == "stream" else 1),
        max_attempts=_count(raw, "max_attempts", 8),
        max_concurrency=_count(raw, "max_concurrency", 5, least=2),
        queue=_text(raw, "queue") if "queue" in raw else WORK,
        reserved_concurrency=_count(raw, "reserved_concurrency") if "reserved_concurrency" in raw else None,
    )


def _text(raw: Mapping[str, object], field: str) -> str:
    value = raw[field]
    if not isinstance(value, str) or not value.strip():
        raise ManifestError(f"{field} has to be text")
    return value


def _texts(raw: Mapping[str, object], field: str) -> tuple[str, ...]:
    values = raw[field]
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ManifestError(f"{field} has to be a list of texts")
    return tuple(values)


def _count(raw: Mapping[str, object], field: str, default: int | None = None, least: int = 1) -> int:
    value = raw.get(field, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ManifestError(f"{field} has to be a whole number from {least}")
    return value


def _grants(raw: Mapping[str, object], trigger: str) -> tuple[str, ...]:
    grants = _texts(raw, "grants")
    unknown = set(grants) - GRANTS
    if unknown:
        raise ManifestError(f"unknown grants: {', '.join(sorted(unknown))}")
    needed = _NEEDED.get(trigger)
    if needed is not None and needed not in grants:
        raise ManifestError(f"the trigger {trigger} needs the grant {needed}")
    return grants


def _layers(raw: Mapping[str, object]) -> tuple[str, ...]:
    layers = _texts(raw, "layers")
    if len(layers) > _LAYERS:
        raise ManifestError(f"layers has to name at most {_LAYERS}")
    return layers


def _route(text: str) -> tuple[str, str]:
    match = _ROUTE.fullmatch(text)
    if match is None:
        raise ManifestError(f"{text!r} is no route; write 'METHOD /path' or 'METHOD /path/{{proxy+}}'")
    return match[1], match[2]


def _every_seconds(text: str) -> int:
    match = _RATE.fullmatch(text)
    if match is None or int(match[1]) < 1:
        raise ManifestError(f"{text!r} is no schedule; write 'rate(5 minutes)'")
    return int(match[1]) * _UNIT_SECONDS[match[2]]
