"""Least privilege: each function may do what its manifest lists, on named resources, and nothing else."""

from __future__ import annotations

import pytest

from infra.layers import ROOT
from infra.manifest import GRANTS, Manifest, read_manifests
from tests.infra.templates import Deployment, Template, listed

MANIFESTS = read_manifests(ROOT / "functions")
ALLOWED = {
    "table:read": {"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"},
    "table:write": {
        "dynamodb:BatchWriteItem",
        "dynamodb:ConditionCheckItem",
        "dynamodb:DeleteItem",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
    },
    "table:scan": {"dynamodb:Scan"},
    "table:stream": {
        "dynamodb:DescribeStream",
        "dynamodb:GetRecords",
        "dynamodb:GetShardIterator",
        "dynamodb:ListStreams",
    },
    "index:read": {"aoss:APIAccessAll"},
    "index:write": {"aoss:APIAccessAll"},
    "queue:send": {"sqs:SendMessage"},
    "queue:receive": {
        "sqs:ChangeMessageVisibility",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ReceiveMessage",
    },
    "blobs:read": {"s3:GetObject", "s3:GetObjectVersion", "s3:ListBucket", "s3:ListBucketVersions"},
    "blobs:write": {"s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutObject"},
    "secret:read": {"secretsmanager:GetSecretValue"},
    "bedrock:embed": set(),
}
TRACES_AND_LOGS = {"logs:CreateLogStream", "logs:PutLogEvents", "xray:PutTelemetryRecords", "xray:PutTraceSegments"}
KEEPING_FAILURES = {"sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"}


def allowed(service: Template, manifest: Manifest) -> set[str]:
    prefix = f"{manifest.name.title().replace('-', '')}Role"
    return {
        action
        for name, statement in service.statements()
        if name.startswith(prefix)
        for action in listed(statement["Action"])
    }


def test_every_grant_that_a_manifest_can_name_is_known_here() -> None:
    assert ALLOWED.keys() == GRANTS


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_may_do_what_its_manifest_lists_and_nothing_else(service: Template, manifest: Manifest) -> None:
    wanted = TRACES_AND_LOGS.union(*(ALLOWED[grant] for grant in manifest.grants))
    if manifest.trigger in ("stream", "schedule"):
        wanted |= KEEPING_FAILURES & allowed(service, manifest)

    assert allowed(service, manifest) == wanted


def test_nothing_but_traces_is_allowed_on_all_resources(serverless: Deployment, external: Deployment) -> None:
    on_all = {
        action
        for deployment in (serverless, external)
        for part in ("state", "service")
        for _, statement in deployment[part].statements()
        if "*" in listed(statement["Resource"])
        for action in listed(statement["Action"])
    }

    assert on_all == {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}


def test_no_action_is_a_pattern_but_those_of_kms_that_cdk_writes(
    serverless: Deployment, everything: Deployment
) -> None:
    patterns = {
        action
        for deployment in (serverless, everything)
        for _, statement in deployment["service"].statements()
        for action in listed(statement["Action"])
        if "*" in action
    }

    assert patterns == {"kms:GenerateDataKey*", "kms:ReEncrypt*"}


def test_no_role_has_a_policy_of_aws_but_that_of_codedeploy(serverless: Deployment) -> None:
    roles = serverless["service"].properties("AWS::IAM::Role")

    managed = {str(policy) for role in roles for policy in role.get("ManagedPolicyArns", ())}
    assert len(managed) == 1
    assert "AWSCodeDeployRoleForLambdaLimited" in managed.pop()


def test_queues_topic_and_bucket_refuse_whoever_does_not_encrypt(service: Template) -> None:
    policies = [
        *service.properties("AWS::SQS::QueuePolicy"),
        *service.properties("AWS::SNS::TopicPolicy"),
    ]

    assert len(policies) == 4
    for policy in policies:
        assert any(
            statement["Effect"] == "Deny" and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
            for statement in policy["PolicyDocument"]["Statement"]
        )


def test_bedrock_is_allowed_only_where_it_was_chosen_and_only_for_titan(
    serverless: Deployment, everything: Deployment
) -> None:
    def models(deployment: Deployment) -> list[str]:
        statements = [each for _, each in deployment["service"].statements()]
        return [str(each["Resource"]) for each in statements if "bedrock:InvokeModel" in listed(each["Action"])]

    assert models(serverless) == []
    assert len(models(everything)) == sum("bedrock:embed" in manifest.grants for manifest in MANIFESTS)
    assert all("amazon.titan-embed-text-v2:0" in model for model in models(everything))


def test_a_domain_of_opensearch_is_reached_by_those_who_may_and_no_collection_is(external: Deployment) -> None:
    actions = {action for _, each in external["service"].statements() for action in listed(each["Action"])}

    assert {action for action in actions if action.startswith("es:")} == {
        "es:ESHttpDelete",
        "es:ESHttpGet",
        "es:ESHttpHead",
        "es:ESHttpPost",
        "es:ESHttpPut",
    }
    assert "aoss:APIAccessAll" not in actions
