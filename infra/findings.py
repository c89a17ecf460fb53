"""Findings of cdk-nag that are left as they are, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Left:
    """A finding that stays.

    Attributes:
        rule: As cdk-nag names it, with the pack before it.
        where: Matches the paths of the constructs that it is about.
    """

    rule: str
    where: str
    reason: str


LEFT = (
    Left(
        "AwsSolutions::AwsSolutions-S1",
        r"state/Blobs$",
        "A bucket for access logs would cost more than it tells: what lies there now are digests of ids.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-SMG4",
        r"state/OwnerKey$",
        "A new owner key locks out every client that holds the old one, so its owner says when.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-SQS3",
        r"service/Work/Failures$",
        "It is itself what keeps the failures of others: the stream's and the schedules'.",
    ),
    Left(
        "Serverless::Serverless-SQSRedrivePolicy",
        r"service/Work/(Failures|(Ingest)?GivenUp)$",
        "They are themselves what keeps the failures of others; an alarm rings when they hold anything.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-IAM5[Resource::*]",
        r"service/[^/]+/Role/DefaultPolicy$",
        "X-Ray takes traces on no narrower resource; a test holds that nothing else is allowed on all.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
        "AWSCodeDeployRoleForLambdaLimited]",
        r"service/Rollout/[^/]+/ServiceRole$",
        "The policy that AWS keeps for CodeDeploy with Lambda; it may not touch SNS or anything of ours but aliases.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-L1",
        r"service/[^/]+/Function$",
        "Python 3.13 is the newest for which each dependency has a wheel and that this project supports.",
    ),
    Left(
        "Serverless::Serverless-LambdaLatestVersion",
        r"service/[^/]+/Function$",
        "Python 3.13 is the newest for which each dependency has a wheel and that this project supports.",
    ),
    Left(
        "Serverless::Serverless-LambdaDLQ",
        r"service/[^/]+/Function$",
        "Nobody calls it asynchronously: HTTP waits, stream and queue keep what failed; schedules have one.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-APIG4",
        r"service/Gateway/Api",
        "Keys are checked in the handler: an authorizer could send neither WWW-Authenticate nor a problem (ADR 0005).",
    ),
    Left(
        "Serverless::Serverless-LambdaEventSourceMappingDestination",
        r"service/[^/]+/Queue/Mapping$",
        "Each work queue has a dead letter queue of its own; Lambda takes no other destination for SQS.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-IAM5[Action::kms:ReEncrypt*]",
        r"service/[^/]+/Role/DefaultPolicy$",
        "What CDK allows for queues under a customer's key: both of KMS's ways to encrypt again, with this one key.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-IAM5[Action::kms:GenerateDataKey*]",
        r"service/[^/]+/Role/DefaultPolicy$",
        "What CDK allows for queues under a customer's key: both of KMS's ways to make a data key, of this one key.",
    ),
    Left(
        "Serverless::Serverless-SNSRedrivePolicy",
        r"service/Alarms/Topic/",
        "A mail that could not be delivered helps nobody later; the alarm itself stays on in CloudWatch.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-CFR1",
        r"front/Distribution$",
        "A person's agents may be anywhere; who may enter is said by keys.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-CFR3",
        r"front/Distribution$",
        "The API behind it writes an access log of its own, without paths and queries.",
    ),
    Left(
        "AwsSolutions::AwsSolutions-CFR4",
        r"front/Distribution$",
        "Without a domain of its own CloudFront's certificate sets the protocol; the viewer policy is HTTPS only.",
    ),
)
