"""What function.toml may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from palimpsest.local.manifest import (
    ManifestError,
    Route,
    Trigger,
    functions_folder,
    load_handler,
    read_manifest,
    read_manifests,
)

GOOD = {
    "name": '"greet"',
    "description": '"Says hello."',
    "trigger": '"http"',
    "timeout_seconds": "10",
    "memory_mb": "256",
    "grants": '["table:read"]',
    "layers": '["core"]',
    "routes": '["GET /hello", "ANY /hello/{proxy+}"]',
}


def write(folder: Path, **changes: str | None) -> Path:
    path = folder / "greet" / "function.toml"
    path.parent.mkdir(exist_ok=True)
    lines = [f"{name} = {value}" for name, value in (GOOD | changes).items() if value is not None]
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_manifest_says_what_a_function_is(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path))

    assert (manifest.name, manifest.trigger, manifest.timeout_seconds) == ("greet", Trigger.HTTP, 10)
    assert manifest.routes == (Route("GET", "/hello", is_greedy=False), Route("ANY", "/hello/", is_greedy=True))
    assert (manifest.grants, manifest.layers, manifest.folder) == (("table:read",), ("core",), tmp_path / "greet")


@pytest.mark.parametrize(
    ("schedule", "seconds"), [("rate(1 minute)", 60), ("rate(5 minutes)", 300), ("rate(2 hours)", 7200)]
)
def test_a_schedule_is_a_rate(tmp_path: Path, schedule: str, seconds: int) -> None:
    path = write(tmp_path, trigger='"schedule"', routes=None, schedule=f'"{schedule}"')

    assert read_manifest(path).every_seconds == seconds


def test_a_queue_function_says_how_many_run_at_once(tmp_path: Path) -> None:
    queue = {"trigger": '"queue"', "routes": None, "grants": '["queue:receive"]'}
    plain = read_manifest(write(tmp_path, **queue))

    chosen = read_manifest(
        write(tmp_path, **queue, max_concurrency="9", batch_size="3", max_attempts="4", reserved_concurrency="10")
    )

    assert (plain.max_concurrency, plain.batch_size, plain.max_attempts, plain.reserved_concurrency) == (5, 1, 8, None)
    assert (chosen.max_concurrency, chosen.batch_size, chosen.max_attempts, chosen.reserved_concurrency) == (
        9,
        3,
        4,
        10,
    )


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"colour": '"red"'}, "unknown fields for the trigger http: colour"),
        ({"batch_size": "10"}, "unknown fields for the trigger http: batch_size"),
        ({"name": '"other"'}, "name is 'other', the folder 'greet'"),
        ({"trigger": '"mail"'}, "'mail' is not a valid Trigger"),
        ({"description": None}, "description"),
        ({"description": '" "'}, "description has to be text"),
        ({"timeout_seconds": "0"}, "timeout_seconds has to be a whole number"),
        ({"timeout_seconds": "true"}, "timeout_seconds has to be a whole number"),
        ({"grants": '["table:drop"]'}, "unknown grants: table:drop"),
        ({"layers": "[1]"}, "layers has to be a list of texts"),
        ({"layers": '["a", "b", "c", "d", "e"]'}, "layers has to name at most 4"),
        ({"trigger": '"stream"', "routes": None}, "the trigger stream needs the grant table:stream"),
        ({"trigger": '"queue"', "routes": None}, "the trigger queue needs the grant queue:receive"),
        ({"reserved_concurrency": "0"}, "reserved_concurrency has to be a whole number"),
        ({"routes": '["LOOK /hello"]'}, "'LOOK /hello' is no route"),
        ({"routes": '["GET /hello/{name}"]'}, "only a last part {proxy+} is understood"),
        ({"trigger": '"schedule"', "routes": None, "schedule": '"cron(0 1)"'}, "'cron(0 1)' is no schedule"),
        ({"memory_mb": "= 1"}, "TOMLDecodeError"),
    ],
)
def test_a_manifest_that_says_anything_else_is_refused(
    tmp_path: Path, changes: dict[str, str | None], complaint: str
) -> None:
    path = write(tmp_path, **changes)

    with pytest.raises(ManifestError) as refused:
        read_manifest(path)

    assert complaint in str(refused.value)
    assert str(path) in str(refused.value)


def test_a_handler_is_loaded_from_its_folder(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path))
    (manifest.folder / "handler.py").write_text("def lambda_handler(event, context):\n    return 'hello'\n", "utf-8")

    assert load_handler(manifest)({}, None) == "hello"


def test_every_function_of_this_product_has_a_manifest_that_holds() -> None:
    folder = functions_folder()

    manifests = read_manifests(folder)

    assert {manifest.name for manifest in manifests} == {path.parent.name for path in folder.glob("*/handler.py")}
    assert "index" in {manifest.name for manifest in manifests if manifest.trigger is Trigger.STREAM}
