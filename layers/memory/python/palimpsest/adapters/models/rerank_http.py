"""Any server that answers `POST …/rerank` as those of Cohere, Jina and vLLM do, as a `Reranker`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from palimpsest.adapters.models.model_server import Key, ModelServer
from palimpsest.adapters.models.rerank_answers import request, scores_in, unavailable, wrong
from palimpsest.domain.errors import ModelAnswerUnusable, ModelUnavailable

_WITHIN: Final = timedelta(seconds=10)
"""Longer than a recall waits: what comes late is kept for the next one."""


class HttpReranker:
    """A model behind `url`, to which ``/rerank`` is added.

    Args:
        key: Sent as a bearer token when there is one.

    Raises:
        ValueError: The address is none of ``http`` or ``https``.
    """

    def __init__(self, model: str, key: Key, url: str, *, within: timedelta = _WITHIN) -> None:
        self._model = model
        self._within = within
        self._server = ModelServer(
            url.rstrip("/") + "/rerank",
            key,
            lambda secret: {"Authorization": f"Bearer {secret}"} if secret else {},
            setting="PALIMPSEST_RERANK_URL",
        )

    @property
    def name(self) -> str:
        return f"http:{self._model}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The server's scores."""
        try:
            told = self._server.post({"model": self._model, **request(query, texts)}, self._within)
        except ModelUnavailable as error:
            raise unavailable(error) from error
        except ModelAnswerUnusable as error:
            raise wrong(str(error)) from error
        return scores_in(told, len(texts))

    def close(self) -> None:
        """Give the connections back."""
        self._server.close()
