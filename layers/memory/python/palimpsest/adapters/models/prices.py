"""List prices of language models, as read on a date: dollars for a million tokens of input and of output.

Each holds for prompts of up to 100,000 tokens, which ours never reach; some providers ask more for longer ones.
Batches, caches and faster tiers, which we do not use, cost otherwise. A price that is wrong here makes the daily cap
wrong by as much: `PALIMPSEST_MODEL_PRICE` says another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from palimpsest.adapters.aws.bedrock_ids import EVERYWHERE, geography, model_behind
from palimpsest.domain.prices import Price


class Listed(NamedTuple):
    """Prices of one provider.

    Attributes:
        source: Where they were read.
        read_on: When.
        models: By the model's name; a dated name (``…-20251001``) has the price of the name without its date.
    """

    source: str
    read_on: str
    models: Mapping[str, Price]


_USD = Price.usd

LISTS: Final[Mapping[str, Listed]] = {
    "anthropic": Listed(
        "https://platform.claude.com/docs/en/about-claude/pricing and the page of each model",
        "2026-11-30",
        {
            "claude-fable-5-1": _USD("10", "50"),
            "claude-opus-5-5": _USD("4", "20"),
            "claude-opus-5": _USD("5", "25"),
            "claude-opus-4-8": _USD("5", "25"),
            "claude-opus-4-6": _USD("5", "25"),
            "claude-opus-4-5": _USD("5", "25"),
            "claude-sonnet-5-5": _USD("2", "10"),
            "claude-sonnet-5": _USD("2", "10"),
            "claude-sonnet-4-6": _USD("3", "15"),
            "claude-sonnet-4-5": _USD("3", "15"),
            "claude-haiku-5-5": _USD("0.10", "0.50"),
            "claude-haiku-4-5": _USD("1", "5"),
        },
    ),
    "openai": Listed(
        "https://developers.openai.com/api/docs/pricing, by way of pages that quote it",
        "2026-11-30",
        {
            "gpt-6-astra": _USD("10", "50"),
            "gpt-6-sol": _USD("2", "10"),
            "gpt-6-luna": _USD("0.10", "0.50"),
            "gpt-5.6-sol": _USD("4", "20"),
            "gpt-5.6-terra": _USD("2", "12"),
            "gpt-5.6-luna": _USD("0.20", "1.20"),
            "gpt-5.5": _USD("5", "30"),
            "gpt-5.4": _USD("2.50", "15"),
            "gpt-5.4-mini": _USD("0.75", "4.50"),
            "gpt-5-mini": _USD("0.25", "2"),
            "gpt-5-nano": _USD("0.05", "0.40"),
            "gpt-4.1": _USD("2", "8"),
            "gpt-4.1-mini": _USD("0.40", "1.60"),
            "gpt-4.1-nano": _USD("0.10", "0.40"),
            "gpt-4o-mini": _USD("0.15", "0.60"),
        },
    ),
    "bedrock": Listed(
        "https://aws.amazon.com/bedrock/pricing/ for us-east-1, as checked on 2026-10-05 in the public repository"
        " aws/agent-toolkit-for-aws; profiles of one geography cost a tenth more",
        "2026-11-30",
        {
            "anthropic.claude-opus-4-8": _USD("5", "25"),
            "anthropic.claude-sonnet-5": _USD("2", "10"),
            "anthropic.claude-sonnet-4-6": _USD("3", "15"),
            "anthropic.claude-haiku-4-5": _USD("1", "5"),
            "amazon.nova-micro": _USD("0.035", "0.14"),
            "amazon.nova-lite": _USD("0.06", "0.24"),
            "amazon.nova-pro": _USD("0.80", "3.20"),
        },
    ),
}

_EVERY: Final = [price for listed in LISTS.values() for price in listed.models.values()]
DEAREST: Final = Price(max(each.input for each in _EVERY), max(each.output for each in _EVERY))
"""The highest price of input and of output that is listed: what a model is counted at whose price nobody knows."""

_DATE_OR_VERSION: Final = re.compile(r"(-\d{8}|-\d{4}-\d\d-\d\d)?(-v\d+(:\d+)?)?")


def listed_price(provider: str, model: str) -> Price | None:
    """What a model costs; None when it is not listed."""
    name = model_behind(model) if provider == "bedrock" else model
    found = next(
        (
            price
            for listed, price in LISTS[provider].models.items()
            if name.startswith(listed) and _DATE_OR_VERSION.fullmatch(name[len(listed) :])
        ),
        None,
    )
    if found and provider == "bedrock" and geography(model) not in (None, EVERYWHERE):
        return Price(_a_tenth_more(found.input), _a_tenth_more(found.output))
    return found


def _a_tenth_more(amount: int) -> int:
    return -(-amount * 11 // 10)
