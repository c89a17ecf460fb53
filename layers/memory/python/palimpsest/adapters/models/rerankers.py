"""The reranker that somebody wants, from whoever provides it, and what a call of it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from palimpsest.adapters.models.model_server import Key
from palimpsest.domain.prices import micro_usd
from palimpsest.ports.reranker import PricedReranker, Reranker

_THOUSAND: Final = 1_000

LISTED: Final[Mapping[str, str]] = {"cohere.rerank-v3-5:0": "2", "amazon.rerank-v1:0": "1"}
"""Dollars for 1,000 calls of up to 100 texts: https://aws.amazon.com/bedrock/pricing/, by way of pages that quote it,
2026-12-01."""

_NO_PRICE: Final = (
    "nobody here knows the price of the reranker that PALIMPSEST_RERANK names, so no cap could hold: say it with"
    " PALIMPSEST_RERANK_PRICE"
)


@dataclass(frozen=True, slots=True)
class WantedReranker:
    """A reranker.

    Attributes:
        name: Kind and model: ``onnx:FOLDER``, ``http:MODEL`` or ``bedrock:MODEL``.
        price: Dollars for 1,000 calls; None: as listed, and nothing for a server.
    """

    name: str
    key: Key
    url: str | None = None
    price: str | None = None

    def made(self) -> PricedReranker:
        """The reranker with its price; calls nobody.

        Raises:
            ValueError: It is not there, not listed, or its address is none. Says so by the settings.
        """
        kind, _, name = self.name.partition(":")
        return PricedReranker(self._reranker(kind, name), self._price(kind, name))

    def _reranker(self, kind: str, name: str) -> Reranker:
        if kind == "onnx":
            from palimpsest.adapters.models.rerank_onnx import OnnxReranker

            return OnnxReranker(Path(name).expanduser())
        if kind == "bedrock":
            from palimpsest.adapters.aws.bedrock_rerank import BedrockReranker

            return BedrockReranker(name)
        from palimpsest.adapters.models.rerank_http import HttpReranker

        return HttpReranker(name, self.key, self.url or "")

    def _price(self, kind: str, name: str) -> int:
        """Micro-dollars for a call, rounded up."""
        if kind == "onnx":
            return 0
        price = self.price or (LISTED.get(name) if kind == "bedrock" else "0")
        if price is None:
            raise ValueError(_NO_PRICE)
        return -(-micro_usd(price) // _THOUSAND)
