"""Least privilege: each function may do what its manifest lists, on named resources, and nothing else."""

from __future__ import annotations

from itertools import product

import pytest

from infra.layers import ROOT
from infra.manifest import GRANTS, Manifest, read_manifests
from palimpsest.domain.ledger import PREFIX
from tests.infra.templates import Deployment, Json, Template, listed
from tests.infra.variants import DOMAIN_ARN, KEY_ARN, MODEL_SECRET_ARN, RERANK_SECRET_ARN, SECRET_ARN

MANIFESTS = read_manifests(ROOT / "functions")
TABLE, FAILURES = "Table.Arn", "WorkFailures.Arn"
QUEUES = {"work": "WorkQueue.Arn", "ingest": "WorkIngestQueue.Arn"}
TITAN = "arn:AWS::Partition:bedrock:AWS::Region::foundation-model/amazon.titan-embed-text-v2:0"
NOVA = "arn:AWS::Partition:bedrock:*::foundation-model/amazon.nova-lite-v1:0"
COHERE = "arn:AWS::Partition:bedrock:AWS::Region::foundation-model/cohere.rerank-v3-5:0"
PROFILE = "arn:AWS::Partition:bedrock:AWS::Region:AWS::AccountId:inference-profile/eu.amazon.nova-lite-v1:0"
Pairs = set[tuple[str, str]]


def pairs(service: str, actions: str, *resources: str) -> Pairs:
    """Each action of a service on each resource."""
    return set(product((f"{service}:{action}" for action in actions.split()), resources))


COLLECTION = pairs("aoss", "APIAccessAll", "Collection.Arn")
GRANTED = {
    "table:read": pairs(
        "dynamodb", "BatchGetItem GetItem Query", TABLE, f"{TABLE}/index/g1-index", f"{TABLE}/index/g2-index"
    ),
    "table:write": pairs("dynamodb", "BatchWriteItem ConditionCheckItem DeleteItem PutItem UpdateItem", TABLE),
    "table:scan": pairs("dynamodb", "Scan", TABLE),
    "table:stream": pairs("dynamodb", "DescribeStream GetRecords GetShardIterator", "Table.StreamArn")
    | pairs("dynamodb", "ListStreams", f"{TABLE}/stream/*"),
    "index:read": COLLECTION,
    "index:write": COLLECTION,
    "queue:send": pairs("sqs", "SendMessage", *QUEUES.values()),
    "queue:receive": set(),  # of its own queue, see below
    "ledger:read": pairs("s3", "ListBucket", "Blobs.Arn"),
    "ledger:write": pairs("s3", "PutObject", "Blobs.Arn/erased/*"),
    "documents:read": pairs("s3", "GetObject", "Blobs.Arn/documents/*"),
    "documents:write": pairs("s3", "PutObject", "Blobs.Arn/documents/*"),
    "documents:delete": pairs("s3", "DeleteObject", "Blobs.Arn/documents/*") | pairs("s3", "ListBucket", "Blobs.Arn"),
    "secret:read": pairs("secretsmanager", "GetSecretValue", "OwnerKey"),
    "bedrock:embed": set[tuple[str, str]](),
    "model:ask": set[tuple[str, str]](),
    "reranker:ask": set[tuple[str, str]](),
}
LOGIN = pairs("secretsmanager", "GetSecretValue", SECRET_ARN)
EXTERNAL = GRANTED | {
    "index:read": pairs("es", "ESHttpGet ESHttpHead ESHttpPost", f"{DOMAIN_ARN}/*") | LOGIN,
    "index:write": pairs("es", "ESHttpDelete ESHttpPost ESHttpPut", f"{DOMAIN_ARN}/*") | LOGIN,
    "model:ask": pairs("secretsmanager", "GetSecretValue", MODEL_SECRET_ARN),
    "reranker:ask": pairs("secretsmanager", "GetSecretValue", RERANK_SECRET_ARN),
}
EVERYTHING = GRANTED | {
    "bedrock:embed": pairs("bedrock", "InvokeModel", TITAN),
    "model:ask": pairs("bedrock", "InvokeModel", NOVA, PROFILE),
    "reranker:ask": pairs("bedrock", "InvokeModel", COHERE),
}
RECEIVING = "ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage"
KEPT = {
    "stream": pairs("sqs", "GetQueueAttributes GetQueueUrl SendMessage", FAILURES),
    "schedule": pairs("sqs", "SendMessage", FAILURES),
}
"""What Lambda does in the function's name with what failed."""
OF_THIS_ACCOUNT = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
USE_OF_KEY = pairs("kms", "Decrypt GenerateDataKey", KEY_ARN)


def wanted(manifest: Manifest, granted: dict[str, Pairs]) -> Pairs:
    """What the manifest's words allow, with logs, traces and what is kept of failures."""
    traces = pairs("xray", "PutTelemetryRecords PutTraceSegments", "*")
    logs = pairs("logs", "CreateLogStream PutLogEvents", f"{manifest.name.title()}Log.Arn")
    own = pairs("sqs", RECEIVING, QUEUES[manifest.queue]) if "queue:receive" in manifest.grants else set()
    kept = KEPT.get(manifest.trigger, set())
    return traces | logs | own | kept.union(*(granted[each] for each in manifest.grants))


def role(manifest: Manifest) -> str:
    return f"{manifest.name.title()}Role"


def test_every_grant_that_a_manifest_can_name_is_known_here() -> None:
    assert GRANTED.keys() == GRANTS


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_a_function_may_do_what_its_manifest_lists_on_what_it_is_about_and_nothing_else(
    serverless: Deployment, external: Deployment, manifest: Manifest
) -> None:
    assert serverless.allowed(role(manifest)) == wanted(manifest, GRANTED)
    assert external.allowed(role(manifest)) == wanted(manifest, EXTERNAL)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_with_a_key_of_ones_own_a_function_may_use_that_as_well(everything: Deployment, manifest: Manifest) -> None:
    by_cdk = pairs("kms", "Encrypt GenerateDataKey* ReEncrypt*", KEY_ARN) if manifest.trigger == "stream" else set()

    assert everything.allowed(role(manifest)) == wanted(manifest, EVERYTHING) | USE_OF_KEY | by_cdk


@pytest.mark.parametrize(
    "manifest", [each for each in MANIFESTS if each.trigger == "schedule"], ids=lambda each: each.name
)
def test_a_schedule_may_call_its_function_and_keep_what_failed(
    serverless: Deployment, everything: Deployment, manifest: Manifest
) -> None:
    name = manifest.name.title()
    own = pairs("lambda", "InvokeFunction", f"{name}Live") | pairs("sqs", "SendMessage", FAILURES)

    assert serverless.allowed(f"{name}ClockRole") == own
    assert everything.allowed(f"{name}ClockRole") == own | USE_OF_KEY


def test_no_other_account_can_use_the_schedules_role(service: Template) -> None:
    statements = [each for role in service.properties("AWS::IAM::Role") for each in trust(role)]

    schedules = [each for each in statements if each["Principal"] == {"Service": "scheduler.amazonaws.com"}]
    assert len(schedules) == sum(manifest.trigger == "schedule" for manifest in MANIFESTS)
    assert all(each["Condition"] == OF_THIS_ACCOUNT for each in schedules)


def test_the_alarms_of_this_account_and_nobody_else_may_tell_the_topic(service: Template) -> None:
    statements = service.only("AWS::SNS::TopicPolicy")["PolicyDocument"]["Statement"]

    (allow,) = (each for each in statements if each["Effect"] == "Allow")
    assert (allow["Principal"], allow["Action"]) == ({"Service": "cloudwatch.amazonaws.com"}, "sns:Publish")
    assert allow["Condition"] == OF_THIS_ACCOUNT
    assert allow["Resource"]["Ref"] in service.resources("AWS::SNS::Topic")


def test_the_bill_is_told_by_mail_so_it_needs_no_topic(everything: Deployment) -> None:
    notices = everything["service"].only("AWS::Budgets::Budget")["NotificationsWithSubscribers"]

    assert {each["SubscriptionType"] for notice in notices for each in notice["Subscribers"]} == {"EMAIL"}


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


def test_of_the_bucket_nothing_but_the_ledger_and_the_documents_may_be_listed(serverless: Deployment) -> None:
    statements = [each for _, each in serverless["service"].statements() if "s3:ListBucket" in listed(each["Action"])]

    conditions = [each["Condition"] for each in statements]
    ledger, documents = {"StringEquals": {"s3:prefix": PREFIX}}, {"StringLike": {"s3:prefix": "documents/*"}}
    assert conditions.count(ledger) == sum("ledger:read" in manifest.grants for manifest in MANIFESTS)
    assert conditions.count(documents) == sum("documents:delete" in manifest.grants for manifest in MANIFESTS)
    assert len(conditions) == conditions.count(ledger) + conditions.count(documents)


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

    assert len(policies) == 6
    for policy in policies:
        assert any(
            statement["Effect"] == "Deny" and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
            for statement in policy["PolicyDocument"]["Statement"]
        )


def trust(role: Json) -> list[Json]:
    statements: list[Json] = role["AssumeRolePolicyDocument"]["Statement"]
    return statements
