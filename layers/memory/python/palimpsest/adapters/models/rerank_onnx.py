"""A cross-encoder from a local ONNX file, as a `Reranker`: the extra `rerank`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from palimpsest.domain.errors import RerankerUnavailable

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Encoding, Tokenizer

TOKENS: Final = 512
"""Of a query and a text together; the longer of the two is cut."""

_MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
_BATCH: Final = 8
"""Pairs of about the same length that are run together: a batch is as long as its longest."""

_NUMBERS: Final = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_PACKAGES: Final = ("onnxruntime", "tokenizers")

Floats = npt.NDArray[np.float64]


class OnnxReranker:
    """The model in a folder with ``model.onnx`` and ``tokenizer.json``, or in a file with the tokenizer beside it.

    It is loaded at its first use. One call runs in one thread, so that a second look leaves the other cores to recalls.

    Raises:
        ValueError: A file or a package is not there. Says which.
    """

    def __init__(self, place: Path) -> None:
        model = place / _MODEL if place.is_dir() else place
        tokenizer = model.with_name(_TOKENIZER)
        for file in (model, tokenizer):
            if not file.is_file():
                raise ValueError(f"PALIMPSEST_RERANK=onnx:… needs {_MODEL} and {_TOKENIZER}; {file.name} is not there")
        for package in _PACKAGES:
            if find_spec(package) is None:
                raise ValueError(f"PALIMPSEST_RERANK=onnx:… needs {package}: pip install 'palimpsest[rerank]'")
        self._files = model, tokenizer
        self._name = model.parent.name if model.name == _MODEL else model.stem
        self._lock = Lock()
        self._encoder: _CrossEncoder | None = None

    @property
    def name(self) -> str:
        return f"onnx:{self._name}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One logit of a pair on a logistic curve, or the second of two as a share of both."""
        scores = np.empty(len(texts), np.float64)
        try:
            for rows, logits in self._loaded()(query, texts):
                scores[rows] = _shares(logits)
        except RerankerUnavailable:
            raise
        except Exception as error:  # the errors of neither package have a class in common
            message = f"the cross-encoder can't be run ({type(error).__name__})"
            raise RerankerUnavailable("reranker_failed", message) from error
        return scores.tolist()

    def warm_up(self) -> None:
        """Load it, so that no recall waits for that."""
        self.scores("", [""])

    def _loaded(self) -> _CrossEncoder:
        with self._lock:
            if self._encoder is None:
                self._encoder = _load(*self._files)
            return self._encoder


@dataclass(frozen=True, slots=True)
class _CrossEncoder:
    """A loaded model. `padding`: the id of the token that fills up shorter pairs."""

    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer
    padding: int

    def __call__(self, query: str, texts: Sequence[str]) -> Iterator[tuple[list[int], Floats]]:
        """Logits, shape (rows,) or (rows, n), with the numbers of their texts."""
        pairs = [self.tokenizer.encode(query, text) for text in texts]
        by_length = sorted(range(len(pairs)), key=lambda row: len(pairs[row]))
        for at in range(0, len(pairs), _BATCH):
            rows = by_length[at : at + _BATCH]
            yield rows, self._run([pairs[row] for row in rows])

    def _run(self, pairs: Sequence[Encoding]) -> Floats:
        told = {
            "input_ids": [pair.ids for pair in pairs],
            "attention_mask": [pair.attention_mask for pair in pairs],
            "token_type_ids": [pair.type_ids for pair in pairs],
        }
        filled = {"input_ids": self.padding}
        feeds = {
            each.name: _rectangle(told[each.name], filled.get(each.name, 0)).astype(_NUMBERS[each.type])
            for each in self.session.get_inputs()
        }
        return np.asarray(self.session.run(None, feeds)[0], np.float64)


def _load(model: Path, tokenizer: Path) -> _CrossEncoder:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    cutter = Tokenizer.from_file(str(tokenizer))
    known = [(cutter.padding or {}).get("pad_id"), cutter.token_to_id("[PAD]"), cutter.token_to_id("<pad>")]
    cutter.no_padding()
    cutter.enable_truncation(TOKENS, strategy="longest_first")
    return _CrossEncoder(session, cutter, next((each for each in known if each is not None), 0))


def _rectangle(rows: Sequence[Sequence[int]], padding: int) -> npt.NDArray[np.int64]:
    filled = np.full((len(rows), max(map(len, rows))), padding, np.int64)
    for number, row in enumerate(rows):
        filled[number, : len(row)] = row
    return filled


def _shares(logits: Floats) -> Floats:
    """Of each row between 0 and 1."""
    columns = logits.reshape(len(logits), -1)
    if columns.shape[1] not in (1, 2) or not np.isfinite(columns).all():
        message = f"the model gives {columns.shape[1]} numbers a pair where one or two finite ones are wanted"
        raise RerankerUnavailable("reranker_wrong_answer", message)
    margin = columns[:, 0] if columns.shape[1] == 1 else columns[:, 1] - columns[:, 0]
    shares: Floats = 1 / (1 + np.exp(-np.clip(margin, -500, 500)))
    return shares
