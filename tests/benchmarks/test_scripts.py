"""Each benchmark as it is run by hand, over a few memories: real servers, real embedding.

By the engine that is always there: to make the other one's model in each temporary folder would take seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.architecture import tree
from tests.benchmarks import samples

BENCH = tree.ROOT / "bench"


def test_locomo_finds_all_evidence_among_a_dozen_turns(tmp_path: Path) -> None:
    corrections = tmp_path / "corrections.json"
    corrections.write_text(json.dumps([samples.correction("How many jars did Marta sell?")]), "utf-8")

    result = _run("locomo.py", tmp_path, "--data", samples.locomo(tmp_path), "--corrections", corrections)

    assert result["headline"]["R@10"] == 1.0
    assert result["headline"]["session any@5"] == 1.0
    assert result["corrected"]["R@10"] == 1.0
    assert result["degraded"] == 0


@pytest.mark.slow  # up to 20 seconds; LoCoMo is the benchmark that every run tries
def test_the_ladder_tells_what_is_found_without_each_part(tmp_path: Path) -> None:
    data = "--locomo", samples.locomo(tmp_path), "--poquad", samples.poquad(tmp_path), "--vectors", tmp_path / "kept"

    result = _run("ladder.py", tmp_path, *data, "--together")

    assert result["apart"]["all"][1] == result["together"]["all"][1] == 1.0
    assert {"without speaker", "vector alone"} <= result["apart"].keys()
    assert result["poquad"]["all"] == [1.0, 1.0, 1.0]
    assert list((tmp_path / "kept").glob("*.npy"))


@pytest.mark.slow  # up to 20 seconds; LoCoMo is the benchmark that every run tries
def test_poquad_finds_the_passage_among_three(tmp_path: Path) -> None:
    result = _run("poquad.py", tmp_path, "--data", samples.poquad(tmp_path))

    assert result["recall"] == {"R@1": 1.0, "R@5": 1.0, "R@10": 1.0}
    assert result["degraded"] == 0


@pytest.mark.slow  # up to 20 seconds; LoCoMo is the benchmark that every run tries
def test_echo_tells_an_echo_from_news(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    recalled = "Ola is allergic to nuts.\nOla plays the cello."
    saves = {"As you told me, Ola is allergic to nuts.": True, "Ola is allergic to milk.": False}
    rows = ({"recalled": recalled, "saved": text, "is_echo": is_echo, "kind": "k"} for text, is_echo in saves.items())
    pairs.write_text("\n".join(map(json.dumps, rows)), "utf-8")

    result = _run("echo.py", tmp_path, "--data", pairs)

    assert [result[name] for name in ("caught", "echoes", "swallowed", "honest")] == [1, 1, 0, 1]


@pytest.mark.slow  # up to 20 seconds; LoCoMo is the benchmark that every run tries
def test_judge_tells_a_restatement_from_another_number(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    rent, labels = "The rent is 2,100 EUR a month.", {"The rent is 2,300 EUR a month.": "number_changed"}
    incoming = labels | {"the rent is 2100 EUR per month": "restated"}
    rows = [{"existing": rent, "incoming": text, "language": "en", "label": label} for text, label in incoming.items()]
    pairs.write_text("\n".join(map(json.dumps, rows)), "utf-8")

    result = _run("judge.py", tmp_path, "--data", pairs)

    assert (result["merged"], result["recognised"]["en"]) == (0, 1.0)


def test_scrub_counts_what_it_finds_and_what_it_takes_wrongly(tmp_path: Path) -> None:
    result = _run("scrub.py", tmp_path, "--locomo", samples.locomo(tmp_path), "--poquad", samples.poquad(tmp_path))

    assert {kind["kind"] for kind in result["corpus"]} == {"secret", "iban", "card", "id", "email", "phone"}
    assert [(each["name"], each["texts"], each["taken_out"]) for each in result["harmless"]] == [
        ("LoCoMo", 12, 0),
        ("PoQuAD", 3, 0),
    ]


@pytest.mark.slow  # up to 20 seconds; LoCoMo is the benchmark that every run tries
def test_library_sets_ingest_beside_the_embedder_by_itself(tmp_path: Path) -> None:
    result = _run("library.py", tmp_path, "--sections", "12")

    assert result["chunks"] >= 12
    assert 0 < result["rate"] < 2


@pytest.mark.slow  # 40 seconds
def test_latency_measures_saves_and_recalls_over_a_seeded_space(tmp_path: Path) -> None:
    result = _run("latency.py", tmp_path, "--sizes", "40", "--recalls", "4", "--saves", "4", "--clients", "2")

    phases = {(phase["name"], phase["clients"]): phase for phase in result["sizes"][0]["phases"]}
    assert set(phases) == {("recall", 1), ("recall", 2), ("save", 1), ("save", 2), ("recall after saves", 1)}
    assert all(phase["whole"]["count"] == 4 for phase in phases.values())
    assert all(phase["degraded"] == 0 for phase in phases.values())


@pytest.mark.slow  # 10 seconds
def test_growth_measures_the_searches_of_an_index_and_what_they_find(tmp_path: Path) -> None:
    result = _run("growth.py", tmp_path, "--sizes", "40,80", "--queries", "4")

    assert [size["memories"] for size in result["sizes"]] == [40, 80]
    assert all(size["found"] == 1.0 and size["keyword"]["count"] == 4 for size in result["sizes"])


@pytest.mark.slow  # 20 seconds
def test_supply_measures_what_is_supplied_to_prompts(tmp_path: Path) -> None:
    result = _run("supply.py", tmp_path, "--memories", "40", "--count", "4")

    assert [phase["name"] for phase in result["phases"]] == ["ambient", "context"]
    assert all(phase["whole"]["count"] == 4 and phase["degraded"] == 0 for phase in result["phases"])


@pytest.mark.slow  # 40 seconds: each function in a process of its own, more than once
def test_imports_tells_the_steps_of_a_cold_start(tmp_path: Path) -> None:
    result = _run("imports.py", tmp_path, "--runs", "1", "--memories", "20")

    assert list(result["steps"][0]["seconds"]) == [
        "import", "service", "model", "first query", "answer", "second answer",
    ]  # fmt: skip
    assert result["whole"][0]["found"] > 0


def _run(script: str, folder: Path, *arguments: str | Path) -> Any:
    out = folder / "result.json"
    command = [sys.executable, BENCH / script, *arguments, "--no-extra", "--out", out]

    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)

    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(out.read_text("utf-8"))
