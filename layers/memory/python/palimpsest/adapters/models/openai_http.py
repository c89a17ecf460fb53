"""Any server that answers `POST …/embeddings` as OpenAI's does, as an `Embedder`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
import urllib3

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

_BATCH = 64
_NUMBER_BYTES = 64  # of an answer, for each number that it must hold; more is not read
_ENVELOPE_BYTES = 65_536
_CONNECTIONS = 8
_REASONS = {
    401: ("embedder_refused", "it refused the key"),
    403: ("embedder_refused", "it refused the key"),
    404: ("embedder_refused", "it has no such model or address"),
    413: ("embedder_refused", "it takes no texts as long as these; set fewer passage characters"),
    429: ("embedder_throttled", "it takes no more for now"),
}


class _Item(TypedDict):
    index: int
    embedding: list[float]


class _Answer(TypedDict):
    """What is read of an answer."""

    data: list[_Item]


@dataclass(frozen=True, slots=True)
class EmbeddingServer:
    """Where vectors come from.

    Attributes:
        url: The address that ends in ``/v1``, as OpenAI's clients take it.
        model: The model's name at that server.
        dimensions: How long its vectors are; an answer of another length is refused.
        key: Sent as a bearer token when there is one.
        timeout_seconds: How long to wait for the connection and for each part of an answer.
        query_prefix: Put before each query; what the model was trained with.
        passage_prefix: Put before each passage.
        passage_characters: A longer text is cut into passages; about three to a token of the model's window is safe.
    """

    url: str
    model: str
    dimensions: int
    key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 10.0
    query_prefix: str = ""
    passage_prefix: str = ""
    passage_characters: int = 1_500


class HttpEmbedder:
    """Vectors from `server`, over a pool of connections. A call is tried once: who needs the vector tries again.

    Raises:
        ValueError: The address is none of ``http`` or ``https``, or the key can't stand in a header.
    """

    def __init__(self, server: EmbeddingServer) -> None:
        address = urllib3.util.parse_url(server.url)
        if address.scheme not in ("http", "https") or not address.host:
            raise ValueError("the embedding server's url must begin with http:// or https://")
        self._server = server
        self._host = address.host
        self._endpoint = server.url.rstrip("/") + "/embeddings"
        self._headers = {"Content-Type": "application/json"}
        if server.key:
            if not re.fullmatch(r"[!-~]+", server.key):
                raise ValueError("the embedding server's key may hold printable ASCII characters only, and no space")
            self._headers["Authorization"] = f"Bearer {server.key}"
        self._pool = urllib3.PoolManager(
            maxsize=_CONNECTIONS, retries=False, timeout=urllib3.Timeout(total=server.timeout_seconds)
        )

    @property
    def model(self) -> Model:
        """The model as the server calls it; other prefixes make another revision."""
        prefixes = json.dumps([self._server.query_prefix, self._server.passage_prefix])
        revision = f"openai-http-{hashlib.sha256(prefixes.encode()).hexdigest()[:8]}"
        return Model(self._server.model, revision, self._server.dimensions)

    @property
    def window(self) -> int:
        """As many tokens as fit the characters of a passage; how many the model would take, the server does not say."""
        return max(1, self._server.passage_characters // BYTES_OF_A_TOKEN)

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate on the safe side, since servers do not count for us."""
        return [estimated_tokens(text) for text in texts]

    def query(self, text: str) -> Vector:
        """The unit vector of a search query; one that is too long is read in parts, of which it is the mean."""
        return mean_of(self._embed(self._parts(text, self._server.query_prefix)))

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of each text's passages, cut by characters; those of too many are means of neighbours'."""
        if not texts:
            return []
        parts = [self._parts(text, self._server.passage_prefix) for text in texts]
        vectors = self._embed([part for of_one in parts for part in of_one])
        return of_each_text(vectors, parts, self.model.most_passages)

    def close(self) -> None:
        """Give the connections back."""
        self._pool.clear()

    def _parts(self, text: str, prefix: str) -> list[str]:
        # Servers refuse an empty text.
        return [prefix + part or " " for part in passages(storable(text), len, self._server.passage_characters)]

    def _embed(self, texts: Sequence[str]) -> Vector:
        return np.concatenate([self._call(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)])

    def _call(self, texts: Sequence[str]) -> Vector:
        body = json.dumps({"model": self._server.model, "input": list(texts), "encoding_format": "float"}).encode()
        limit = _ENVELOPE_BYTES + len(texts) * self._server.dimensions * _NUMBER_BYTES
        try:
            with self._pool.request(
                "POST", self._endpoint, body=body, headers=self._headers, redirect=False, preload_content=False
            ) as response:
                status, answer = response.status, response.read(limit + 1)
        except urllib3.exceptions.HTTPError as error:
            raise self._not_answered(error) from error
        if status != 200:
            raise self._refused(status)
        if len(answer) > limit:
            raise self._wrong("it is far longer than such vectors can be")
        return self._vectors(answer, len(texts))

    def _vectors(self, answer: bytes, count: int) -> Vector:
        try:
            rows = np.array(_rows(json.loads(answer)), np.float64)
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
            raise self._wrong("it is not a list of embeddings in JSON") from error
        if rows.shape != (count, self._server.dimensions):
            expected = f"{count} vectors of {self._server.dimensions} numbers"
            raise self._wrong(f"expected {expected}, got the shape {rows.shape}; are the dimensions set right?")
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._wrong("a vector is zero or not finite")
        units: Vector = (rows / lengths).astype(np.float32)
        return units

    def _not_answered(self, error: urllib3.exceptions.HTTPError) -> EmbedderUnavailable:
        late = isinstance(error, urllib3.exceptions.TimeoutError)
        if late and not isinstance(error, urllib3.exceptions.NewConnectionError):
            seconds = self._server.timeout_seconds
            return EmbedderUnavailable("embedder_late", f"{self._host} gave no vectors within {seconds:g} seconds")
        message = f"there is no connection to the embedding server {self._host}, or it broke"
        return EmbedderUnavailable("embedder_unreachable", message)

    def _refused(self, status: int) -> EmbedderUnavailable:
        reason, why = _REASONS.get(status, ("embedder_failed", "it failed"))
        return EmbedderUnavailable(reason, f"the embedding server {self._host} answered {status}: {why}")

    def _wrong(self, why: str) -> EmbedderUnavailable:
        message = f"the answer of the embedding server {self._host} can't be used: {why}"
        return EmbedderUnavailable("embedder_wrong_answer", message)


def _rows(answer: _Answer) -> list[list[float]]:
    """The vectors in the order of the texts; raises LookupError unless each text has one."""
    by_index = {item["index"]: item["embedding"] for item in answer["data"]}
    return [by_index[i] for i in range(len(answer["data"]))]
