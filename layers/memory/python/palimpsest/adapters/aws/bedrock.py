"""Amazon Titan Text Embeddings V2 on Bedrock, as an `Embedder`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypedDict

import numpy as np
from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, ReadTimeoutError

from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.models.passages import (
    BYTES_OF_A_TOKEN,
    estimated_tokens,
    mean_of,
    of_each_text,
    passages,
    storable,
)
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.ports.embedder import Model, Vector

DIMENSIONS: Final = (256, 512, 1_024)
MODEL_ID: Final = "amazon.titan-embed-text-v2:0"
_REVISION: Final = "normalised/characters-2000"  # what else than the model's version decides a vector
_CHARACTERS: Final = 2_000
_AT_ONCE: Final = 8
"""A call takes one text, so the passages of a batch are asked for side by side."""

_REASONS: Final = {
    "AccessDeniedException": ("embedder_refused", "this function may not call it, or the account has no access to it"),
    "ModelNotReadyException": ("embedder_throttled", "it is not ready yet"),
    "ModelTimeoutException": ("embedder_late", "it took too long"),
    "ResourceNotFoundException": ("embedder_refused", "there is no such model in this region"),
    "ServiceQuotaExceededException": ("embedder_throttled", "it takes no more for now"),
    "ThrottlingException": ("embedder_throttled", "it takes no more for now"),
    "ValidationException": ("embedder_refused", "it does not take this text"),
}

Invoke = Callable[..., Mapping[str, Any]]
"""`invoke_model` of a client of Bedrock's runtime."""


class _Answer(TypedDict):
    """What is read of an answer."""

    embedding: list[float]


class TitanEmbedder:
    """Vectors from Titan. A call is tried once: who needs the vector tries again.

    Args:
        dimensions: How long vectors are; Titan has 256, 512 and 1,024.
        seconds: How long to wait for one answer.
        invoke: Calls the model; made at the first use from the environment when None.

    Raises:
        ValueError: It has no vectors of that length.
    """

    def __init__(self, dimensions: int, seconds: float, invoke: Invoke | None = None) -> None:
        if dimensions not in DIMENSIONS:
            raise ValueError(f"Titan has vectors of {', '.join(map(str, DIMENSIONS))} numbers")
        self._model = Model(MODEL_ID, _REVISION, dimensions)
        self._seconds = seconds
        self._invoke = invoke
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bedrock")

    @property
    def model(self) -> Model:
        return self._model

    @property
    def window(self) -> int:
        """As many tokens as fit the characters of a passage: Titan reads 8,192, but long passages are found worse."""
        return _CHARACTERS // BYTES_OF_A_TOKEN

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate on the safe side: Bedrock tells the number only with a vector."""
        return [estimated_tokens(text) for text in texts]

    def query(self, text: str) -> Vector:
        """The unit vector of a search query; one that is too long is read in parts, of which it is the mean."""
        return mean_of(np.stack(self._each(_parts(text))))

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of each text's passages; those of too many are means of neighbours'."""
        if not texts:
            return []
        parts = [_parts(text) for text in texts]
        rows = self._each([part for of_one in parts for part in of_one])
        return of_each_text(np.stack(rows), parts, self._model.most_passages)

    def _each(self, texts: Sequence[str]) -> list[Vector]:
        if len(texts) == 1:
            return [self._one(texts[0])]
        return list(self._pool.map(self._one, texts))

    def _one(self, text: str) -> Vector:
        body = json.dumps({"inputText": text, "dimensions": self._model.dimensions, "normalize": True})
        try:
            answer = self._invoker()(
                modelId=MODEL_ID, body=body, contentType="application/json", accept="application/json"
            )
            told = answer["body"].read()
        except ClientError as error:
            raise _refused(error.response.get("Error", {}).get("Code", "")) from error
        except (ConnectTimeoutError, ReadTimeoutError) as error:
            message = f"Bedrock gave no vector within {self._seconds:g} seconds"
            raise EmbedderUnavailable("embedder_late", message) from error
        except BotoCoreError as error:
            raise EmbedderUnavailable("embedder_unreachable", "there is no connection to Bedrock") from error
        return self._vector(told)

    def _vector(self, told: bytes) -> Vector:
        try:
            answer: _Answer = json.loads(told)
            row = np.array(answer["embedding"], np.float64)
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise _wrong("it is no embedding in JSON") from error
        if row.shape != (self._model.dimensions,):
            raise _wrong(f"expected {self._model.dimensions} numbers, got the shape {row.shape}")
        length = float(np.linalg.norm(row))
        if not np.isfinite(length) or not length:
            raise _wrong("the vector is zero or not finite")
        unit: Vector = (row / length).astype(np.float32)
        return unit

    def _invoker(self) -> Invoke:
        if self._invoke is None:
            made = client("bedrock-runtime", read_seconds=self._seconds, connections=2 * _AT_ONCE)
            invoke: Invoke = made.invoke_model
            self._invoke = invoke
        return self._invoke


def _parts(text: str) -> list[str]:
    cut = passages(storable(text), len, _CHARACTERS)
    return [part if part.strip() else "-" for part in cut]  # it refuses a blank text


def _refused(code: str) -> EmbedderUnavailable:
    reason, why = _REASONS.get(code, ("embedder_failed", "it failed"))
    return EmbedderUnavailable(reason, f"Bedrock answered {code}: {why}")


def _wrong(why: str) -> EmbedderUnavailable:
    return EmbedderUnavailable("embedder_wrong_answer", f"the answer of Bedrock can't be used: {why}")
