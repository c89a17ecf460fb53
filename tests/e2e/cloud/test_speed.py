"""The benchmark of a deployment, over a few memories. How fast it is stands in docs/benchmarks.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from infra.cdk import ROOT
from tests.e2e.cloud.account import Account
from tests.e2e.cloud.calling import Caller

RUNS = 3


def test_saves_and_recalls_through_the_deployed_api_are_measured(
    account: Account, owner: Caller, tmp_path: Path
) -> None:
    told = tmp_path / "result.json"

    done = subprocess.run(
        [
            sys.executable,
            "bench/deployed.py",
            "--url",
            owner.url,
            f"--key={owner.key}",
            "--runs",
            str(RUNS),
            "--out",
            told,
        ],
        cwd=ROOT,
        env={**account.environment, "PYTHONPATH": str(ROOT / "layers/memory/python")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr[-2_000:]
    spreads = json.loads(told.read_text("utf-8"))["spreads"]
    assert {name: spread["count"] for name, spread in spreads.items()} == {"save": RUNS, "recall": RUNS}
