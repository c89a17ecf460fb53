"""Rerankers on Bedrock (Cohere Rerank 3.5, Amazon Rerank 1.0), by its InvokeModel call, as a `Reranker`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from palimpsest.adapters.aws.bedrock_errors import asked
from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.models.rerank_answers import request, scores_in, unavailable, wrong
from palimpsest.domain.errors import ModelAnswerUnusable, ModelUnavailable

Invoke: TypeAlias = Callable[..., Mapping[str, Any]]
"""`invoke_model` of a client of Bedrock's runtime."""

_SECONDS: Final = 10.0
"""Longer than a recall waits: what comes late is kept for the next one."""

_OWN: Final[Mapping[str, Mapping[str, object]]] = {"cohere.": {"api_version": 2}}
"""What a family wants beside the rest."""


class BedrockReranker:
    """One model.

    Args:
        model: Its id, as Bedrock calls it.
        invoke: Calls a model; made at the first use from the environment when None.
    """

    def __init__(self, model: str, invoke: Invoke | None = None) -> None:
        self._model = model
        self._invoke = invoke
        self._own = next((own for family, own in _OWN.items() if model.startswith(family)), {})

    @property
    def name(self) -> str:
        return f"bedrock:{self._model}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The model's scores."""
        body = json.dumps({**request(query, texts), **self._own})
        try:
            told = asked(lambda: self._call(body), _SECONDS)
        except ModelUnavailable as error:
            raise unavailable(error) from error
        except ModelAnswerUnusable as error:
            raise wrong(str(error)) from error
        return scores_in(told, len(texts))

    def _call(self, body: str) -> Mapping[str, object]:
        if self._invoke is None:
            made: Invoke = client("bedrock-runtime", read_seconds=_SECONDS).invoke_model
            self._invoke = made
        json_only = {"contentType": "application/json", "accept": "application/json"}
        told = json.loads(self._invoke(modelId=self._model, body=body, **json_only)["body"].read())
        if not isinstance(told, dict):
            raise ModelAnswerUnusable("Bedrock's answer is not a JSON object")
        return told
