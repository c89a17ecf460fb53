"""What calls the functions that HTTP does not: the table's stream, the work queue, the clock."""

from __future__ import annotations

from aws_cdk import Aws, Duration
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.parts.function import Function

CHANGE_LOGS = ("T#", "TC#")
"""How the partition keys of change log rows begin: nothing else rings. A test holds it equal to the package's keys."""

UPLOADS = "documents/uploads/"
"""How the keys of uploads begin. A test holds it equal to the package's."""


class StreamTrigger(Construct):
    """The doorbell: new rows of the change log, in small batches, the good ones of a batch acknowledged."""

    def __init__(
        self, scope: Construct, name: str, *, function: Function, table: dynamodb.ITable, failures: sqs.IQueue
    ) -> None:
        super().__init__(scope, name)
        begins = [rule for begin in CHANGE_LOGS for rule in lambda_.FilterRule.begins_with(begin)]
        new_row = {
            "eventName": lambda_.FilterRule.is_equal("INSERT"),
            "dynamodb": {"Keys": {"pk": {"S": begins}}},
        }
        lambda_.EventSourceMapping(
            self,
            "Mapping",
            target=function.alias,
            event_source_arn=table.table_stream_arn,
            starting_position=lambda_.StartingPosition.TRIM_HORIZON,
            batch_size=function.manifest.batch_size,
            bisect_batch_on_error=True,
            report_batch_item_failures=True,
            retry_attempts=function.manifest.max_attempts,
            on_failure=sources.SqsDlq(failures),
            filters=[lambda_.FilterCriteria.filter(new_row)],
        )


class QueueTrigger(Construct):
    """The work queue's messages, with a bound on how many are worked on at once."""

    def __init__(self, scope: Construct, name: str, *, function: Function, queue: sqs.IQueue) -> None:
        super().__init__(scope, name)
        lambda_.EventSourceMapping(
            self,
            "Mapping",
            target=function.alias,
            event_source_arn=queue.queue_arn,
            batch_size=function.manifest.batch_size,
            max_concurrency=function.manifest.max_concurrency,
            report_batch_item_failures=True,
        )


class ScheduleTrigger(Construct):
    """A schedule of EventBridge; what it could not deliver is kept."""

    def __init__(self, scope: Construct, name: str, *, function: Function, failures: sqs.IQueue) -> None:
        super().__init__(scope, name)
        role = self._role(function, failures)
        minutes = (function.manifest.every_seconds or 0) // Duration.minutes(1).to_seconds()
        scheduler.CfnSchedule(
            self,
            "Schedule",
            description=function.manifest.description,
            schedule_expression=f"rate({int(minutes)} {'minute' if minutes == 1 else 'minutes'})",
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=scheduler.CfnSchedule.TargetProperty(
                arn=function.alias.function_arn,
                role_arn=role.role_arn,
                dead_letter_config=scheduler.CfnSchedule.DeadLetterConfigProperty(arn=failures.queue_arn),
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                    maximum_event_age_in_seconds=3600, maximum_retry_attempts=3
                ),
            ),
        )

    def _role(self, function: Function, failures: sqs.IQueue) -> iam.Role:
        """What the schedule may do; schedules of other accounts can't take it on."""
        own = {"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com", conditions=own))
        role.add_to_policy(
            iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[function.alias.function_arn])
        )
        role.add_to_policy(iam.PolicyStatement(actions=["sqs:SendMessage"], resources=[failures.queue_arn]))
        key = failures.encryption_master_key
        if key is not None:
            role.add_to_policy(
                iam.PolicyStatement(actions=["kms:Decrypt", "kms:GenerateDataKey"], resources=[key.key_arn])
            )
        return role


class UploadTrigger(Construct):
    """An upload that has come into the bucket: EventBridge's word of it goes to the queue of documents."""

    def __init__(
        self, scope: Construct, name: str, *, bucket: s3.IBucket, queue: sqs.IQueue, failures: sqs.IQueue
    ) -> None:
        super().__init__(scope, name)
        pattern = {
            "source": ["aws.s3"],
            "detail-type": ["Object Created"],
            "detail": {"bucket": {"name": [bucket.bucket_name]}, "object": {"key": [{"prefix": UPLOADS}]}},
        }
        target = events.CfnRule.TargetProperty(
            id="Queue",
            arn=queue.queue_arn,
            dead_letter_config=events.CfnRule.DeadLetterConfigProperty(arn=failures.queue_arn),
        )
        rule = events.CfnRule(
            self, "Rule", description="Uploads that are to be read", event_pattern=pattern, targets=[target]
        )
        for each in (queue, failures):
            each.add_to_resource_policy(
                iam.PolicyStatement(
                    principals=[iam.ServicePrincipal("events.amazonaws.com")],
                    actions=["sqs:SendMessage"],
                    resources=[each.queue_arn],
                    conditions={"ArnEquals": {"aws:SourceArn": rule.attr_arn}},
                )
            )
