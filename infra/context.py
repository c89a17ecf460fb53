"""What a deployment chooses, by `-c NAME=VALUE` or cdk.json, as one checked value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields

Lookup = Callable[[str], object]
"""A context value by its name, None when it is unset."""

WORDS = {
    "target": ("aws", "emulator"),
    "search": ("serverless", "external", "off"),
    "opensearch_auth": ("aws", "basic", "none"),
    "architecture": ("x86_64", "arm64"),
    "canary": ("on", "off"),
    "cloudfront": ("on", "off"),
    "embedder": ("local", "bedrock"),
    "model_effort": ("", "none", "minimal", "low", "medium", "high"),
}
NAME = re.compile(r"[a-z][a-z0-9-]{2,19}")
RERANK = re.compile(r"model|bedrock:[a-z0-9][a-z0-9.:-]{0,199}|http:[!-~]{1,200}")
MODEL = re.compile(r"bedrock:[a-z0-9][a-z0-9.:-]{0,199}|(?:anthropic|openai):[!-~]{1,200}")
LISTED_RERANKERS = frozenset({"amazon.rerank-v1:0", "cohere.rerank-v3-5:0"})
"""Those of Bedrock whose price the functions know."""
AMOUNT = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")
TREATED = r"(phone|email|id|iban|card|word)=(redact|flag|off)"
SCRUB = re.compile(rf"redact|flag|off|{TREATED}(,{TREATED})*")
REGIONS = re.compile(r"none|[A-Z]{2}(,[A-Z]{2})*")
PRICE = re.compile(rf"highest|{AMOUNT.pattern}/{AMOUNT.pattern}")


MOST_RETENTION_DAYS = 3653
"""Ten years, the longest that CloudWatch keeps logs for, but for ever."""


class ContextError(Exception):
    """A context value that means nothing; the message names it and what it takes."""


@dataclass(frozen=True, slots=True)
class Options:
    """One deployment. Each field is the context value of that name; docs/operate/deploy.md explains them.

    Attributes:
        target: ``emulator`` builds for this machine's Python and leaves out what emulators lack.
        data_dir: Where functions may write; Lambda's own place when empty. For emulators, which have no place apart.
        opensearch_secret_arn: Of the secret that holds name and password, for `opensearch_auth=basic`.
        model: ``off``, or provider and name of the language model, as `PALIMPSEST_MODEL` takes it.
        model_secret_arn: Of the secret that holds the key of a model that is not Bedrock's.
        rerank: ``off``, or what looks at the results of a recall again, as `PALIMPSEST_RERANK` takes it.
        rerank_secret_arn: Of the secret that holds the key of a reranker over HTTP.
        opensearch_arn: The domain that `opensearch_url` belongs to, for the grant; none for a server outside AWS.
    """

    name: str = "palimpsest"
    target: str = "aws"
    search: str = "serverless"
    opensearch_url: str = ""
    opensearch_auth: str = "aws"
    opensearch_arn: str = ""
    opensearch_secret_arn: str = ""
    max_search_ocu: int = 2
    max_indexing_ocu: int = 2
    ocu_hours_a_day: int = 8
    embedder: str = "local"
    model: str = "off"
    model_url: str = ""
    model_secret_arn: str = ""
    model_price: str = ""
    model_effort: str = ""
    rerank: str = "off"
    rerank_url: str = ""
    rerank_secret_arn: str = ""
    rerank_price: str = ""
    rerank_seconds: str = ""
    daily_cap_usd: str = "15.00"
    scrub: str = ""
    scrub_regions: str = ""
    scrub_words: str = ""
    architecture: str = "x86_64"
    canary: str = "on"
    data_dir: str = ""
    log_retention_days: int = 30
    throttle_rate: int = 50
    throttle_burst: int = 100
    alarm_email: str = ""
    monthly_budget_usd: int = 0
    kms_key_arn: str = ""
    domain_name: str = ""
    certificate_arn: str = ""
    hosted_zone_id: str = ""
    hosted_zone_name: str = ""
    cloudfront: str = "off"
    api_host: str = ""

    @property
    def is_emulated(self) -> bool:
        return self.target == "emulator"

    @property
    def is_canary(self) -> bool:
        """Emulators have no CodeDeploy."""
        return self.canary == "on" and not self.is_emulated

    def stack(self, part: str) -> str:
        """The name of one of the stacks."""
        return f"{self.name}-{part}"


def read_options(lookup: Lookup) -> Options:
    """The choices of this deployment.

    Raises:
        ContextError: A value, or a combination of values, means nothing.
    """
    given = {each.name: (type(each.default), lookup(each.name)) for each in fields(Options)}
    chosen = {name: _parsed(name, kind, value) for name, (kind, value) in given.items() if value is not None}
    options = Options(**chosen)  # type: ignore[arg-type]  # each field's type is that of its default
    _check(options)
    return options


def _parsed(name: str, kind: type, value: object) -> str | int:
    text = str(value).strip()
    if kind is int:
        if not text.isdecimal():
            raise ContextError(f"{name} takes a whole number")
        return int(text)
    if name in WORDS and text not in WORDS[name]:
        raise ContextError(f"{name} takes one of: {', '.join(WORDS[name])}")
    return text


def _check(options: Options) -> None:
    if not 1 <= options.log_retention_days <= MOST_RETENTION_DAYS:
        raise ContextError(f"log_retention_days takes 1 to {MOST_RETENTION_DAYS}")
    if not NAME.fullmatch(options.name):
        raise ContextError("name takes 3 to 20 small letters, digits and hyphens")
    if options.search == "external":
        _check_external(options)
    if options.search == "serverless" and options.is_emulated:
        raise ContextError("target=emulator has no OpenSearch Serverless: choose search=off or search=external")
    _check_model(options)
    _check_rerank(options)
    _check_scrub(options)
    if options.domain_name and not options.certificate_arn:
        raise ContextError("domain_name needs certificate_arn, of a certificate in the same region")
    if bool(options.hosted_zone_id) != bool(options.hosted_zone_name):
        raise ContextError("hosted_zone_id and hosted_zone_name go together")
    if options.monthly_budget_usd and not options.alarm_email:
        raise ContextError("monthly_budget_usd needs alarm_email, where its notice is sent")


def _check_model(options: Options) -> None:
    if options.model != "off" and not MODEL.fullmatch(options.model):
        raise ContextError("model takes off, or a provider (bedrock, anthropic, openai) and a model: PROVIDER:NAME")
    provider = options.model.partition(":")[0]
    if provider in ("off", "bedrock") and (options.model_secret_arn or options.model_url):
        raise ContextError("model_secret_arn and model_url are for model=anthropic:… and model=openai:…")
    needs_key = provider == "anthropic" or (provider == "openai" and not options.model_url)
    if needs_key and not options.model_secret_arn:
        raise ContextError(f"model={provider}:… needs model_secret_arn, of a secret whose text is the key")
    if options.model_price and not PRICE.fullmatch(options.model_price):
        raise ContextError("model_price takes dollars for a million tokens of input and output (0.06/0.24), or highest")
    if not AMOUNT.fullmatch(options.daily_cap_usd):
        raise ContextError("daily_cap_usd takes an amount of dollars, such as 15.00")


def _check_rerank(options: Options) -> None:
    if options.rerank != "off" and not RERANK.fullmatch(options.rerank):
        raise ContextError("rerank takes off, model, bedrock:MODEL or http:MODEL; functions have no onnx:…")
    if options.rerank == "model" and options.model == "off":
        raise ContextError("rerank=model needs model")
    if options.rerank.startswith("http:") != bool(options.rerank_url):
        raise ContextError("rerank=http:… and rerank_url go together")
    if options.rerank_secret_arn and not options.rerank_url:
        raise ContextError("rerank_secret_arn is for rerank=http:…")
    model = options.rerank.removeprefix("bedrock:")
    if model != options.rerank and model not in LISTED_RERANKERS and not options.rerank_price:
        raise ContextError(f"nobody here knows the price of {model}, so no cap could hold: give rerank_price")
    if options.rerank_price and not AMOUNT.fullmatch(options.rerank_price):
        raise ContextError("rerank_price takes dollars for 1,000 calls, such as 2.00")
    if options.rerank_seconds and not _is_between(options.rerank_seconds, 0.05, 2):
        raise ContextError("rerank_seconds takes seconds from 0.05 to 2, such as 0.4")


def _is_between(text: str, least: float, most: float) -> bool:
    return AMOUNT.fullmatch(text) is not None and least <= float(text) <= most


def _check_scrub(options: Options) -> None:
    if options.scrub and not SCRUB.fullmatch(options.scrub):
        raise ContextError("scrub takes redact, flag or off, for all or as kind=word, such as phone=flag,email=off")
    if options.scrub_regions and not REGIONS.fullmatch(options.scrub_regions):
        raise ContextError("scrub_regions takes countries of two letters, such as PL,DE, or none")


def _check_external(options: Options) -> None:
    if not options.opensearch_url.startswith(("https://", "http://")):
        raise ContextError("search=external needs opensearch_url=https://…")
    if options.opensearch_auth != "none" and not options.opensearch_url.startswith("https://"):
        raise ContextError("opensearch_url has to begin with https:// unless opensearch_auth=none")
    if (options.opensearch_auth == "basic") != bool(options.opensearch_secret_arn):
        raise ContextError("opensearch_auth=basic and opensearch_secret_arn go together")
