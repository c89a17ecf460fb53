"""Where the search index is, as functions are told."""

from __future__ import annotations

from dataclasses import dataclass

from infra.context import Options
from infra.stacks.search import SearchStack


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """The search index of a deployment.

    Attributes:
        environment: What every function is told.
        collection, collection_arn: Of OpenSearch Serverless; else empty.
        domain_arn: Of an OpenSearch domain of AWS; else empty.
        secret_arn: Of the secret with name and password; else empty.
    """

    environment: dict[str, str]
    collection: str = ""
    collection_arn: str = ""
    domain_arn: str = ""
    secret_arn: str = ""


def search_target(options: Options, stack: SearchStack | None) -> SearchTarget:
    """The target that the options name; `stack` when they want OpenSearch Serverless."""
    if stack is not None:
        return SearchTarget(_environment(stack.endpoint, "aws", options), stack.collection, stack.collection_arn)
    if options.search == "external":
        environment = _environment(options.opensearch_url, options.opensearch_auth, options)
        if options.opensearch_secret_arn:
            environment["PALIMPSEST_OPENSEARCH_SECRET"] = options.opensearch_secret_arn
        return SearchTarget(environment, domain_arn=options.opensearch_arn, secret_arn=options.opensearch_secret_arn)
    return SearchTarget({"PALIMPSEST_SEARCH": "off"})


def _environment(url: str, auth: str, options: Options) -> dict[str, str]:
    """Indexes begin with the deployment's name, so that several can share a server."""
    return {
        "PALIMPSEST_OPENSEARCH_PREFIX": options.name,
        "PALIMPSEST_SEARCH": "opensearch",
        "PALIMPSEST_OPENSEARCH_URL": url,
        "PALIMPSEST_OPENSEARCH_AUTH": auth,
    }
