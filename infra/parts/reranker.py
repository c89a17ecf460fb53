"""The reranker that a deployment chose: what the function that recalls may do to ask it, and what it is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from infra.context import Options
from infra.parts.model import Place


def environment(options: Options) -> dict[str, str]:
    """What a function that may ask the reranker is told."""
    if options.rerank == "off":
        return {}
    told = {
        "PALIMPSEST_RERANK": options.rerank,
        "PALIMPSEST_RERANK_URL": options.rerank_url,
        "PALIMPSEST_RERANK_KEY_SECRET": options.rerank_secret_arn,
        "PALIMPSEST_RERANK_PRICE": options.rerank_price,
        "PALIMPSEST_RERANK_SECONDS": options.rerank_seconds,
        "PALIMPSEST_DAILY_CAP": options.daily_cap_usd,
    }
    return {name: value for name, value in told.items() if value}


def bedrock_reranker(options: Options, place: Place) -> Sequence[str]:
    """The ARN that asking a reranker of Bedrock needs; none for another kind."""
    kind, _, model = options.rerank.partition(":")
    return (f"arn:{place.partition}:bedrock:{place.region}::foundation-model/{model}",) if kind == "bedrock" else ()
