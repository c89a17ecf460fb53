"""What is the local cross-encoder's own: its files, its forms, and what can't be run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from palimpsest.adapters.models.rerank_onnx import TOKENS, OnnxReranker
from palimpsest.adapters.models.rerankers import WantedReranker
from palimpsest.domain.errors import RerankerUnavailable
from tests.support.tiny_cross_encoder import INPUTS, cross_encoder

WORDS = ("tea", "ola", "drinks", "sails")


def failure(reranker: OnnxReranker) -> str:
    with pytest.raises(RerankerUnavailable) as failed:
        reranker.scores("ola", ["ola drinks tea"])
    assert not failed.value.may_cost
    return failed.value.reason


def test_a_logit_lies_on_a_logistic_curve_and_the_second_of_two_is_a_share(tmp_path: Path) -> None:
    one = OnnxReranker(cross_encoder(tmp_path / "one", WORDS))
    two = OnnxReranker(cross_encoder(tmp_path / "two", WORDS, logits=2))

    assert [round(score, 4) for score in one.scores("ola", ["Ola drinks", "tea"])] == [0.3775, 0.1192]
    assert [round(score, 4) for score in two.scores("ola", ["Ola drinks", "tea"])] == [0.2689, 0.018]


def test_a_model_is_given_what_it_takes(tmp_path: Path) -> None:
    reranker = OnnxReranker(cross_encoder(tmp_path / "tiny", WORDS, inputs=INPUTS[:2]))

    assert len(reranker.scores("ola", ["Ola drinks", "tea"])) == 2


def test_pairs_are_cut_at_512_tokens_whatever_the_tokenizer_says_and_the_query_stays(tmp_path: Path) -> None:
    reranker = OnnxReranker(cross_encoder(tmp_path / "tiny", WORDS))
    room = TOKENS - len(["[CLS]", "ola", "[SEP]", "[SEP]"])

    within = reranker.scores("ola", ["tea " * (room - 1) + "ola"])
    past = reranker.scores("ola", ["tea " * room + "ola"])

    assert within > past


def test_a_file_by_its_own_name_has_its_tokenizer_beside_it(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "tiny", WORDS)
    model = (folder / "model.onnx").rename(folder / "model_int8.onnx")

    assert OnnxReranker(model).name == "onnx:model_int8"
    assert OnnxReranker(model).scores("ola", ["ola"]) > [0.3]


def test_what_was_warmed_up_is_not_read_again(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "tiny", WORDS)
    reranker = OnnxReranker(folder)

    reranker.warm_up()
    (folder / "model.onnx").unlink()

    assert reranker.scores("ola", ["ola"]) > [0.3]


def test_a_name_tells_no_place_on_the_disk(tmp_path: Path) -> None:
    assert OnnxReranker(cross_encoder(tmp_path / "tiny", WORDS)).name == "onnx:tiny"


def test_the_settings_name_it_by_its_folder_and_it_costs_nothing(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "tiny", WORDS)

    priced = WantedReranker(f"onnx:{folder}", lambda: None, price="9.99").made()

    assert (priced.reranker.name, priced.price) == ("onnx:tiny", 0)
    assert len(priced.reranker.scores("ola", ["ola", "tea"])) == 2


@pytest.mark.parametrize("lacking", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_one_of_the_files_is_refused_by_its_name(tmp_path: Path, lacking: str) -> None:
    (cross_encoder(tmp_path / "tiny", WORDS) / lacking).unlink()

    with pytest.raises(ValueError, match=f"{lacking} is not there"):
        OnnxReranker(tmp_path / "tiny")


def test_without_the_packages_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cross_encoder(tmp_path / "tiny", WORDS)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)

    with pytest.raises(ValueError, match=r"needs onnxruntime: pip install 'palimpsest\[rerank\]'"):
        OnnxReranker(folder)


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_files_that_are_something_else_fail_when_they_are_needed(tmp_path: Path, broken: str) -> None:
    folder = cross_encoder(tmp_path / "tiny", WORDS)
    (folder / broken).write_bytes(b"nothing of the kind")

    assert failure(OnnxReranker(folder)) == "reranker_failed"


def test_a_model_with_other_numbers_than_one_or_two_is_none(tmp_path: Path) -> None:
    assert failure(OnnxReranker(cross_encoder(tmp_path / "tiny", WORDS, logits=3))) == "reranker_wrong_answer"
