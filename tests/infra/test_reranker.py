"""The reranker of a deployment."""

from __future__ import annotations

import pytest

from infra.context import LISTED_RERANKERS, Options
from infra.layers import ROOT
from infra.manifest import read_manifests
from infra.parts.model import Place
from infra.parts.reranker import bedrock_reranker, environment
from palimpsest.adapters.models.rerankers import LISTED
from palimpsest.settings import Settings, read
from tests.infra.templates import Deployment
from tests.infra.test_service import functions

HERE = Place("aws", "eu-central-1", "1")


def told(deployment: Deployment) -> Settings:
    """What the function that recalls reads from what it is told."""
    variables = functions(deployment["service"])["api"]["Environment"]["Variables"]
    return read({name: value for name, value in variables.items() if "RERANK" in name or "DAILY" in name})


def test_the_listed_rerankers_are_those_that_the_functions_know_a_price_of() -> None:
    assert frozenset(LISTED) == LISTED_RERANKERS


@pytest.mark.parametrize(
    ("rerank", "arns"),
    [
        ("off", ()),
        ("model", ()),
        ("http:rerank-v3.5", ()),
        ("bedrock:amazon.rerank-v1:0", ("arn:aws:bedrock:eu-central-1::foundation-model/amazon.rerank-v1:0",)),
    ],
)
def test_only_the_chosen_reranker_of_bedrock_may_be_asked(rerank: str, arns: tuple[str, ...]) -> None:
    assert tuple(bedrock_reranker(Options(rerank=rerank), HERE)) == arns


def test_what_functions_are_told_of_the_reranker_is_what_settings_read(
    everything: Deployment, external: Deployment
) -> None:
    one, other = told(everything), told(external)

    assert (one.rerank, one.rerank_seconds, str(one.daily_cap)) == ("bedrock:cohere.rerank-v3-5:0", 0.6, "2.50")
    assert (other.rerank, other.rerank_url) == ("http:rerank-v3.5", "https://rerank.example/v2")
    assert (other.rerank_price, other.rerank_key_secret is not None) == ("2", True)


def test_only_functions_that_may_ask_the_reranker_know_of_it(everything: Deployment) -> None:
    variables = functions(everything["service"])

    for manifest in read_manifests(ROOT / "functions"):
        knows = "PALIMPSEST_RERANK" in variables[manifest.name]["Environment"]["Variables"]
        assert knows == ("reranker:ask" in manifest.grants)


def test_without_a_reranker_nobody_is_told_of_one() -> None:
    assert environment(Options()) == {}
