"""The deployment and local mode read the same manifests with readers of their own: both must say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra import manifest as infra
from palimpsest.local import manifest as local

HTTP = """
name = "greet"
description = "Says hello."
trigger = "http"
timeout_seconds = 10
memory_mb = 256
grants = ["table:read"]
layers = ["core"]
routes = ["GET /hello", "ANY /hello/{proxy+}"]
"""
STREAM = HTTP.replace('"http"', '"stream"').replace('"table:read"', '"table:stream"').partition("routes")[0]
QUEUE = STREAM.replace('"stream"', '"queue"').replace('"table:stream"', '"queue:receive"')
SCHEDULE = STREAM.replace('"stream"', '"schedule"') + 'schedule = "rate(2 hours)"\n'
GOOD = [
    HTTP,
    HTTP + "reserved_concurrency = 3\n",
    STREAM,
    STREAM + "batch_size = 7\nmax_attempts = 3\n",
    QUEUE,
    QUEUE + "batch_size = 7\nmax_attempts = 3\nmax_concurrency = 9\n",
    QUEUE + 'queue = "ingest"\n',
    SCHEDULE,
    SCHEDULE.replace("2 hours", "1 minute"),
]
BAD = [
    HTTP.replace("greet", "other"),
    HTTP.replace('"http"', '"mail"'),
    HTTP.replace('"table:read"', '"table:drop"'),
    HTTP.replace("timeout_seconds = 10", "timeout_seconds = true"),
    HTTP.replace("memory_mb = 256", ""),
    HTTP.replace('["core"]', '["a", "b", "c", "d", "e"]'),
    HTTP.replace("GET /hello", "GET /hello/{name}"),
    HTTP.replace("GET /hello", "LOOK /hello"),
    HTTP.replace("Says hello.", " "),
    HTTP + "batch_size = 1\n",
    STREAM.replace("table:stream", "table:read"),
    QUEUE + "max_concurrency = 1\n",
    QUEUE + "queue = 1\n",
    STREAM + 'queue = "ingest"\n',
    QUEUE.replace("queue:receive", "queue:send"),
    SCHEDULE.replace("rate(2 hours)", "cron(0 1)"),
    SCHEDULE.replace("2 hours", "0 hours"),
    "name =",
]
SHARED = (
    *("name", "description", "trigger", "timeout_seconds", "memory_mb", "grants", "layers", "every_seconds"),
    *("batch_size", "max_attempts", "max_concurrency", "queue", "reserved_concurrency"),
)


def write(folder: Path, text: str) -> Path:
    path = folder / "greet" / "function.toml"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    return path


def said(manifest: infra.Manifest | local.Manifest) -> dict[str, object]:
    routes = [each if isinstance(each, tuple) else (each.method, each.written) for each in manifest.routes]
    return {name: getattr(manifest, name) for name in SHARED} | {"routes": routes}


@pytest.mark.parametrize("text", GOOD)
def test_both_readers_say_the_same_of_a_good_manifest(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)

    assert said(infra.read_manifest(path)) == said(local.read_manifest(path))


@pytest.mark.parametrize("text", BAD)
def test_both_readers_refuse_what_is_wrong(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)

    with pytest.raises(infra.ManifestError, match=r"function\.toml"):
        infra.read_manifest(path)
    with pytest.raises(local.ManifestError, match=r"function\.toml"):
        local.read_manifest(path)


def test_both_readers_say_the_same_of_every_function_of_this_product() -> None:
    folder = local.functions_folder()

    assert [said(each) for each in infra.read_manifests(folder)] == [
        said(each) for each in local.read_manifests(folder)
    ]


def test_both_know_the_same_grants() -> None:
    assert infra.GRANTS == local.GRANTS


def test_two_functions_can_not_have_one_route(tmp_path: Path) -> None:
    write(tmp_path, HTTP)
    other = tmp_path / "other" / "function.toml"
    other.parent.mkdir()
    other.write_text(HTTP.replace('"greet"', '"other"'), "utf-8")

    with pytest.raises(infra.ManifestError, match="ANY /hello"):
        infra.read_manifests(tmp_path)
    with pytest.raises(local.ManifestError, match="ANY /hello"):
        local.read_manifests(tmp_path)
