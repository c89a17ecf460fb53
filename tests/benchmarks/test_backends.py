"""The comparison of search engines as it is run by hand, over a dozen turns and a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import tree
from tests.benchmarks import samples
from tests.contract.search_index.conftest import SKIPPED


def test_both_engines_give_the_same_first_ten(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = request.config.getoption("--opensearch")
    if not url:
        pytest.skip(SKIPPED)
    out = tmp_path / "result.json"
    given = ["--data", samples.locomo(tmp_path), "--opensearch", url, "--out", out]

    subprocess.run([sys.executable, tree.ROOT / "bench/backends.py", *given], check=True, timeout=300)

    result = json.loads(out.read_text("utf-8"))
    everything = result["rows"][-1]
    assert everything[0] == "all"
    assert everything[1] > 0
    assert everything[2:4] == [1.0, 1.0]
    assert result["compression"]["none"] == 1.0
