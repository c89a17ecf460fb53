"""What a deployment may choose."""

from __future__ import annotations

import pytest

from infra.context import ContextError, Options, read_options

BASIC = {
    "search": "external",
    "opensearch_url": "https://search.example",
    "opensearch_auth": "basic",
    "opensearch_secret_arn": "arn:aws:secretsmanager:eu-central-1:000000000000:secret:search-AbCdEf",
}


def test_nothing_chosen_is_the_default() -> None:
    nothing: dict[str, str] = {}

    assert read_options(nothing.get) == Options()


def test_choices_are_text_or_whole_numbers() -> None:
    chosen = read_options({"search": "off", "throttle_rate": "7", "log_retention_days": 90}.get)

    assert (chosen.search, chosen.throttle_rate, chosen.log_retention_days) == ("off", 7, 90)


def test_a_server_outside_aws_is_logged_in_to_with_a_secret() -> None:
    assert read_options(BASIC.get).opensearch_secret_arn == BASIC["opensearch_secret_arn"]


def test_a_model_server_of_ones_own_needs_no_key() -> None:
    chosen = {"model": "openai:qwen3", "model_url": "https://models.example/v1", "model_price": "0/0"}

    assert read_options(chosen.get).model == "openai:qwen3"


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        ({"search": "elastic"}, "search takes one of: serverless, external, off"),
        ({"throttle_rate": "fast"}, "throttle_rate takes a whole number"),
        ({"log_retention_days": "0"}, "log_retention_days takes 1 to 3653"),
        ({"log_retention_days": "3654"}, "log_retention_days takes 1 to 3653"),
        ({"name": "Palimpsest!"}, "name takes 3 to 20 small letters"),
        ({"search": "external"}, "search=external needs opensearch_url"),
        ({"search": "external", "opensearch_url": "http://a.example"}, "has to begin with https://"),
        ({**BASIC, "opensearch_secret_arn": ""}, "opensearch_auth=basic and opensearch_secret_arn go together"),
        ({**BASIC, "opensearch_url": "http://search.example"}, "has to begin with https://"),
        ({**BASIC, "opensearch_auth": "none"}, "opensearch_auth=basic and opensearch_secret_arn go together"),
        ({"model": "gpt"}, "model takes off, or a provider"),
        ({"model": "bedrock:arn:aws:bedrock:x:1:application-inference-profile/a"}, "model takes off, or a provider"),
        ({"model": "anthropic:claude-haiku-4-5"}, "model=anthropic:… needs model_secret_arn"),
        ({"model": "openai:gpt-5-mini"}, "model=openai:… needs model_secret_arn"),
        ({"model_secret_arn": "arn"}, "model_secret_arn and model_url are for"),
        ({"model": "bedrock:amazon.nova-lite-v1:0", "model_url": "https://a.example"}, "are for model=anthropic"),
        ({"model_price": "cheap"}, "model_price takes dollars"),
        ({"daily_cap_usd": "much"}, "daily_cap_usd takes an amount"),
        ({"model_effort": "huge"}, "model_effort takes one of"),
        ({"rerank": "bedrock:cohere.rerank-v4:0"}, "nobody here knows the price of cohere.rerank-v4:0"),
        ({"rerank": "onnx:folder"}, "rerank takes off, model, bedrock:MODEL or http:MODEL"),
        ({"rerank": "model"}, "rerank=model needs model"),
        ({"rerank": "http:tiny"}, "rerank=http:… and rerank_url go together"),
        ({"rerank_url": "https://a.example"}, "rerank=http:… and rerank_url go together"),
        ({"rerank": "bedrock:amazon.rerank-v1:0", "rerank_secret_arn": "arn"}, "rerank_secret_arn is for"),
        ({"rerank_price": "cheap"}, "rerank_price takes dollars"),
        ({"rerank_seconds": "9"}, "rerank_seconds takes seconds"),
        ({"rerank_seconds": "soon"}, "rerank_seconds takes seconds"),
        ({"scrub": "secret=off"}, "scrub takes redact, flag or off"),
        ({"scrub_regions": "Poland"}, "scrub_regions takes countries of two letters"),
        ({"target": "emulator"}, "target=emulator has no OpenSearch Serverless"),
        ({"domain_name": "memory.example"}, "domain_name needs certificate_arn"),
        ({"hosted_zone_id": "Z1"}, "hosted_zone_id and hosted_zone_name go together"),
        ({"monthly_budget_usd": "5"}, "monthly_budget_usd needs alarm_email"),
    ],
)
def test_a_choice_that_means_nothing_is_refused(chosen: dict[str, str], complaint: str) -> None:
    with pytest.raises(ContextError, match=complaint):
        read_options(chosen.get)
