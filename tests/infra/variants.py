"""The sets of choices whose templates are looked at."""

from __future__ import annotations

KEY_ARN = "arn:aws:kms:eu-central-1:000000000000:key/11111111-2222-3333-4444-555555555555"
SECRET_ARN = "arn:aws:secretsmanager:eu-central-1:000000000000:secret:search-AbCdEf"
MODEL_SECRET_ARN = "arn:aws:secretsmanager:eu-central-1:000000000000:secret:model-AbCdEf"
RERANK_SECRET_ARN = "arn:aws:secretsmanager:eu-central-1:000000000000:secret:rerank-AbCdEf"
DOMAIN_ARN = "arn:aws:es:eu-central-1:000000000000:domain/search"
VARIANTS: dict[str, dict[str, str]] = {
    "serverless": {},
    "external": {
        "search": "external",
        "opensearch_url": "https://search.example",
        "opensearch_arn": DOMAIN_ARN,
        "opensearch_auth": "basic",
        "opensearch_secret_arn": SECRET_ARN,
        "model": "openai:gpt-5-mini",
        "model_secret_arn": MODEL_SECRET_ARN,
        "rerank": "http:rerank-v3.5",
        "rerank_url": "https://rerank.example/v2",
        "rerank_secret_arn": RERANK_SECRET_ARN,
        "rerank_price": "2",
    },
    "emulator": {"target": "emulator", "search": "off"},
    "everything": {
        "kms_key_arn": KEY_ARN,
        "alarm_email": "operator@mail.example",
        "monthly_budget_usd": "10",
        "domain_name": "memory.example",
        "certificate_arn": "arn:aws:acm:eu-central-1:000000000000:certificate/11111111-2222-3333-4444-555555555555",
        "hosted_zone_id": "Z00000000000000000000",
        "hosted_zone_name": "memory.example",
        "cloudfront": "on",
        "api_host": "api.example",
        "embedder": "bedrock",
        "model": "bedrock:eu.amazon.nova-lite-v1:0",
        "model_price": "0.08/0.32",
        "model_effort": "low",
        "rerank": "bedrock:cohere.rerank-v3-5:0",
        "rerank_seconds": "0.6",
        "daily_cap_usd": "2.50",
        "scrub": "phone=flag,email=off",
        "scrub_regions": "PL,DE",
        "scrub_words": "Aurora, Borealis",
        "log_retention_days": "45",
        "architecture": "arm64",
    },
}
