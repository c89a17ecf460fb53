"""What may never be lost."""

from __future__ import annotations

import pytest

from palimpsest.adapters.aws.dynamodb_schema import create_table_request, time_to_live_request
from tests.infra.templates import Deployment, Template


def test_the_table_is_the_one_that_the_adapter_would_make(state: Template) -> None:
    table = state.only("AWS::DynamoDB::Table")

    asked = create_table_request("any")
    attributes = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    assert attributes == {each["AttributeName"]: each["AttributeType"] for each in asked["AttributeDefinitions"]}
    assert table["KeySchema"] == asked["KeySchema"]
    assert table["GlobalSecondaryIndexes"] == asked["GlobalSecondaryIndexes"]
    assert table["BillingMode"] == asked["BillingMode"]
    assert table["StreamSpecification"] == {"StreamViewType": asked["StreamSpecification"]["StreamViewType"]}
    assert table["TimeToLiveSpecification"] == time_to_live_request("any")["TimeToLiveSpecification"]


def test_the_table_can_be_restored_and_is_not_deleted_by_mistake(state: Template) -> None:
    table = state.only("AWS::DynamoDB::Table")

    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["DeletionProtectionEnabled"] is True


@pytest.mark.parametrize("kind", ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"])
def test_table_bucket_and_owner_key_outlive_their_stack(state: Template, kind: str) -> None:
    (resource,) = state.resources(kind).values()

    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_the_owner_key_is_made_by_aws_and_stands_nowhere_else(serverless: Deployment) -> None:
    secret = serverless["state"].only("AWS::SecretsManager::Secret")

    assert secret["GenerateSecretString"] == {
        "ExcludePunctuation": True,
        "IncludeSpace": False,
        "PasswordLength": 48,
    }
    assert "SecretString" not in secret
    assert [part for part in ("state", "service", "search") if "resolve:secretsmanager" in serverless[part].text] == []


def test_nobody_outside_reaches_the_bucket(state: Template) -> None:
    bucket = state.only("AWS::S3::Bucket")

    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    denied = state.only("AWS::S3::BucketPolicy")["PolicyDocument"]["Statement"]
    assert {statement["Effect"] for statement in denied} == {"Deny"}


def test_what_is_deleted_from_the_bucket_is_gone_and_what_never_came_whole_too(state: Template) -> None:
    bucket = state.only("AWS::S3::Bucket")

    assert "VersioningConfiguration" not in bucket
    (rule,) = bucket["LifecycleConfiguration"]["Rules"]
    assert (rule["Status"], rule["AbortIncompleteMultipartUpload"]) == ("Enabled", {"DaysAfterInitiation": 7})
    assert "ExpirationInDays" not in rule


def test_a_key_of_the_customer_encrypts_all_that_is_kept(everything: Deployment) -> None:
    state = everything["state"]

    assert state.only("AWS::DynamoDB::Table")["SSESpecification"]["SSEType"] == "KMS"
    rule = state.only("AWS::S3::Bucket")["BucketEncryption"]["ServerSideEncryptionConfiguration"][0]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert state.only("AWS::SecretsManager::Secret")["KmsKeyId"].startswith("arn:aws:kms:")
    queues = everything["service"].properties("AWS::SQS::Queue")
    assert all(queue["KmsMasterKeyId"].startswith("arn:aws:kms:") for queue in queues)
