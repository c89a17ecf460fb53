"""The language model of a deployment."""

from __future__ import annotations

import pytest

from infra.context import Options
from infra.layers import ROOT
from infra.manifest import read_manifests
from infra.parts.model import GEOGRAPHIES, Place, bedrock_models, environment
from palimpsest.adapters.aws.bedrock_ids import geography
from palimpsest.settings import read
from tests.infra.templates import Deployment
from tests.infra.test_service import functions

HERE = Place("aws", "eu-central-1", "1")


def test_the_package_knows_the_same_profiles() -> None:
    assert {each for each in GEOGRAPHIES if geography(f"{each}.amazon.x") == each} == GEOGRAPHIES
    assert geography("amazon.nova-lite-v1:0") is None


@pytest.mark.parametrize(
    ("model", "arns"),
    [
        ("off", ()),
        ("openai:gpt-5-mini", ()),
        ("bedrock:amazon.x", ("arn:aws:bedrock:eu-central-1::foundation-model/amazon.x",)),
        (
            "bedrock:eu.amazon.x",
            (
                "arn:aws:bedrock:eu-central-1:1:inference-profile/eu.amazon.x",
                "arn:aws:bedrock:*::foundation-model/amazon.x",
            ),
        ),
        (
            "bedrock:global.amazon.x",
            (
                "arn:aws:bedrock:eu-central-1:1:inference-profile/global.amazon.x",
                "arn:aws:bedrock:*::foundation-model/amazon.x",
                "arn:aws:bedrock:::foundation-model/amazon.x",
            ),
        ),
    ],
)
def test_only_the_chosen_model_of_bedrock_may_be_asked(model: str, arns: tuple[str, ...]) -> None:
    assert tuple(bedrock_models(Options(model=model), HERE)) == arns


def test_what_functions_are_told_of_the_model_is_what_settings_read(everything: Deployment) -> None:
    told = functions(everything["service"])["worker"]["Environment"]["Variables"]

    chosen = read({name: value for name, value in told.items() if "MODEL" in name or "DAILY" in name})

    assert (chosen.model, chosen.model_price) == ("bedrock:eu.amazon.nova-lite-v1:0", "0.08/0.32")
    assert (chosen.model_effort, str(chosen.daily_cap)) == ("low", "2.50")


def test_only_functions_that_may_ask_the_model_know_of_it(everything: Deployment) -> None:
    told = functions(everything["service"])

    for manifest in read_manifests(ROOT / "functions"):
        knows = "PALIMPSEST_MODEL" in told[manifest.name]["Environment"]["Variables"]
        assert knows == ("model:ask" in manifest.grants)


def test_without_a_model_nobody_is_told_of_one() -> None:
    assert environment(Options()) == {}
