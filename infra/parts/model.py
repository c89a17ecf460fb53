"""The language model that a deployment chose: what functions may do to ask it, and what they are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from infra.context import Options

GEOGRAPHIES = frozenset({"apac", "au", "ca", "eu", "in", "jp", "sa", "us", "us-gov", "global"})
"""How the ids of inference profiles begin; the package knows the same, and a test holds them equal."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the stack lies, as its templates say it."""

    partition: str
    region: str
    account: str


def environment(options: Options) -> dict[str, str]:
    """What a function that may ask the model is told."""
    if options.model == "off":
        return {}
    told = {
        "PALIMPSEST_MODEL": options.model,
        "PALIMPSEST_MODEL_URL": options.model_url,
        "PALIMPSEST_MODEL_KEY_SECRET": options.model_secret_arn,
        "PALIMPSEST_MODEL_PRICE": options.model_price,
        "PALIMPSEST_MODEL_EFFORT": options.model_effort,
        "PALIMPSEST_DAILY_CAP": options.daily_cap_usd,
    }
    return {name: value for name, value in told.items() if value}


def bedrock_models(options: Options, place: Place) -> Sequence[str]:
    """The ARNs that asking a model of Bedrock needs; none for another provider.

    A profile passes the question on to any region that it leads to, so its model is allowed in all of them.
    """
    provider, _, model = options.model.partition(":")
    if provider != "bedrock":
        return ()
    if not is_profile(model):
        return (f"arn:{place.partition}:bedrock:{place.region}::foundation-model/{model}",)
    profile = f"arn:{place.partition}:bedrock:{place.region}:{place.account}:inference-profile/{model}"
    behind = model.partition(".")[2]
    everywhere = [f"arn:{place.partition}:bedrock:*::foundation-model/{behind}"]
    if model.startswith("global."):  # whose requests name no region
        everywhere.append(f"arn:{place.partition}:bedrock:::foundation-model/{behind}")
    return (profile, *everywhere)


def is_profile(model: str) -> bool:
    return model.partition(".")[0] in GEOGRAPHIES
