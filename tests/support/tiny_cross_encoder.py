"""A cross-encoder so small that a test makes it: it counts the words that query and text have in common."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper

SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def cross_encoder(folder: Path, words: Sequence[str], *, logits: int = 1, inputs: Sequence[str] = INPUTS) -> Path:
    """A folder with `model.onnx`, which gives so many numbers for a pair, and a tokenizer that knows these words."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(words)), "utf-8")
    onnx.save(_model(logits, inputs), folder / "model.onnx")
    return folder


def _tokenizer(words: Sequence[str]) -> dict[str, Any]:
    """Words as they stand, in small letters; a pair is `[CLS] query [SEP] text [SEP]`, cut and filled at 16 tokens."""
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *words))}
    special = [
        {"id": number, "content": word, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for number, word in enumerate(SPECIAL)
    ]
    pair: list[dict[str, Any]] = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        {"Sequence": {"id": "B", "type_id": 1}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
    ]
    known = {word: {"id": word, "ids": [vocabulary[word]], "tokens": [word]} for word in ("[CLS]", "[SEP]")}
    padding = {"strategy": {"Fixed": 16}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    return {
        "version": "1.0",
        "truncation": {"max_length": 16, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": padding | {"pad_to_multiple_of": None},
        "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": pair[:3],
            "pair": pair,
            "special_tokens": known,
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


def _model(logits: int, inputs: Sequence[str]) -> onnx.ModelProto:
    """1.5 for each word in common, less 2; the first of several numbers is the opposite of the last."""
    constants: dict[str, tuple[list[int], list[float], int]] = {
        "first_special": ([], [len(SPECIAL) - 1], TensorProto.INT64),
        "row": ([1], [2], TensorProto.INT64),
        "column": ([1], [1], TensorProto.INT64),
        "both": ([2], [1, 2], TensorProto.INT64),
        "gain": ([], [1.5], TensorProto.FLOAT),
        "threshold": ([], [2.0], TensorProto.FLOAT),
        "one": ([], [1.0], TensorProto.FLOAT),
    }
    types = "token_type_ids" if "token_type_ids" in inputs else "attention_mask"
    nodes = [
        helper.make_node("Greater", ["input_ids", "first_special"], ["is_word"]),
        helper.make_node("Cast", ["is_word"], ["word"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [types], ["of_text"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "of_text"], ["of_query"]),
        helper.make_node("Mul", ["word", "of_text"], ["text"]),
        helper.make_node("Mul", ["word", "of_query"], ["query"]),
        helper.make_node("Unsqueeze", ["input_ids", "row"], ["ids_down"]),
        helper.make_node("Unsqueeze", ["input_ids", "column"], ["ids_across"]),
        helper.make_node("Equal", ["ids_down", "ids_across"], ["is_same"]),
        helper.make_node("Cast", ["is_same"], ["same"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["query", "row"], ["query_down"]),
        helper.make_node("Unsqueeze", ["text", "column"], ["text_across"]),
        helper.make_node("Mul", ["same", "query_down"], ["of_the_query"]),
        helper.make_node("Mul", ["of_the_query", "text_across"], ["common"]),
        helper.make_node("ReduceSum", ["common", "both"], ["count"], keepdims=0),
        helper.make_node("Mul", ["count", "gain"], ["raised"]),
        helper.make_node("Sub", ["raised", "threshold"], ["logit"]),
        helper.make_node("Unsqueeze", ["logit", "column"], ["for"]),
        helper.make_node("Neg", ["for"], ["against"]),
        helper.make_node("Concat", [*["against"] * (logits - 1), "for"], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "common_words",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", logits])],
        [helper.make_tensor(name, kind, shape, values) for name, (shape, values, kind) in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.checker.check_model(model)
    return model
