"""The search index in its three forms."""

from __future__ import annotations

import json
from typing import Any

from infra.layers import ROOT
from infra.manifest import read_manifests
from tests.infra.templates import Deployment
from tests.infra.test_service import functions


def joined(value: Any) -> str:
    """A policy's text, with the names of roles where their addresses will stand."""
    if isinstance(value, str):
        return value
    parts = value["Fn::Join"][1]
    return "".join(part if isinstance(part, str) else part["Fn::GetAtt"][0] for part in parts)


def test_the_collection_sleeps_when_idle_and_wakes_to_a_bounded_size(serverless: Deployment) -> None:
    search = serverless["search"]

    group = search.only("AWS::OpenSearchServerless::CollectionGroup")
    assert group["Generation"] == "NEXTGEN"
    assert group["CapacityLimits"] == {"MaxIndexingCapacityInOcu": 2, "MaxSearchCapacityInOcu": 2}
    collection = search.only("AWS::OpenSearchServerless::Collection")
    assert (collection["Type"], collection["CollectionGroupName"]) == ("VECTORSEARCH", group["Name"])


def test_the_collection_is_made_after_what_it_needs(serverless: Deployment) -> None:
    search = serverless["search"]
    (collection,) = search.resources("AWS::OpenSearchServerless::Collection").values()

    needed = {each["Type"] for name, each in search.body["Resources"].items() if name in collection["DependsOn"]}
    assert needed == {"AWS::OpenSearchServerless::CollectionGroup", "AWS::OpenSearchServerless::SecurityPolicy"}


def test_policies_are_written_for_this_collection_alone(serverless: Deployment) -> None:
    policies = {
        each["Type"]: json.loads(each["Policy"])
        for each in serverless["search"].properties("AWS::OpenSearchServerless::SecurityPolicy")
    }

    own = [{"ResourceType": "collection", "Resource": ["collection/palimpsest-memory"]}]
    assert policies == {
        "encryption": {"Rules": own, "AWSOwnedKey": True},
        "network": [{"Rules": own, "AllowFromPublic": True}],
    }


def test_readers_read_and_writers_also_write(serverless: Deployment) -> None:
    policy = serverless["service"].only("AWS::OpenSearchServerless::AccessPolicy")
    manifests = read_manifests(ROOT / "functions")

    reading, writing = json.loads(joined(policy["Policy"]))
    assert reading["Rules"][0]["Permission"] == ["aoss:DescribeIndex", "aoss:ReadDocument"]
    assert all(rule["Rules"][0]["Resource"] == ["index/palimpsest-memory/*"] for rule in (reading, writing))
    for grant, rule in (("index:read", reading), ("index:write", writing)):
        allowed = {manifest.name.title() for manifest in manifests if grant in manifest.grants}
        assert {principal.partition("Role")[0] for principal in rule["Principal"]} == allowed


def test_a_key_of_the_customer_encrypts_the_collection(everything: Deployment) -> None:
    policies = everything["search"].properties("AWS::OpenSearchServerless::SecurityPolicy")

    (encryption,) = (json.loads(each["Policy"]) for each in policies if each["Type"] == "encryption")
    assert encryption["KmsARN"].startswith("arn:aws:kms:")
    assert "AWSOwnedKey" not in encryption


def test_functions_are_told_where_the_index_is(
    serverless: Deployment, external: Deployment, emulator: Deployment
) -> None:
    def told(deployment: Deployment) -> dict[str, Any]:
        variables = functions(deployment["service"])["api"]["Environment"]["Variables"]
        return {name: variables.get(f"PALIMPSEST_{name}") for name in ("SEARCH", "OPENSEARCH_URL", "OPENSEARCH_AUTH")}

    collection = told(serverless)
    assert (collection["SEARCH"], collection["OPENSEARCH_AUTH"]) == ("opensearch", "aws")
    assert "CollectionEndpoint" in collection["OPENSEARCH_URL"]["Fn::ImportValue"]
    assert told(external) == {
        "SEARCH": "opensearch",
        "OPENSEARCH_URL": "https://search.example",
        "OPENSEARCH_AUTH": "basic",
    }
    assert told(emulator) == {"SEARCH": "off", "OPENSEARCH_URL": None, "OPENSEARCH_AUTH": None}


def test_only_serverless_has_a_stack_of_its_own(
    serverless: Deployment, external: Deployment, emulator: Deployment
) -> None:
    assert [each.has("search") for each in (serverless, external, emulator)] == [True, False, False]
