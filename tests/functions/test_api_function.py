"""functions/api as Lambda loads it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.tree import ROOT

PROGRAM = """
import json, sys
from pathlib import Path
from palimpsest.local.manifest import load_handler, read_manifest

handler = load_handler(read_manifest(Path(sys.argv[1]) / "functions/api/function.toml"))
for name in sys.argv[2:]:
    event = json.loads((Path(sys.argv[1]) / f"events/api/{name}.json").read_text("utf-8"))
    print(handler(event, None)["statusCode"], file=sys.stderr)
"""


def test_what_needs_no_table_is_answered_without_making_one(tmp_path: Path) -> None:
    samples = ["200_health", "200_openapi", "200_docs", "200_errors_page"]
    environment = {
        **os.environ,
        "PALIMPSEST_DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(ROOT / "layers/memory/python"),
        "PYTHONWARNINGS": "error",
    }

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ROOT, *samples],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert done.stderr.split() == ["200"] * len(samples)
    assert [json.loads(line)["route"] for line in done.stdout.splitlines()] == [
        "GET /health",
        "GET /openapi.json",
        "GET /docs",
        "GET /docs/errors",
    ]
    assert list(tmp_path.iterdir()) == []
