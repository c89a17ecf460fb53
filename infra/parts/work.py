"""The work queue, and the queues that keep what could not be done."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.manifest import Manifest

_KEPT = Duration.days(14)


class WorkQueues(Construct):
    """Work to do, work given up, and events that a function could not take.

    Attributes:
        work: Messages for `trigger = "queue"` functions.
        given_up: Work that failed as often as its function's manifest allows.
        failures: Batches of the stream, and scheduled events, that were given up.
    """

    def __init__(self, scope: Construct, name: str, *, manifests: Sequence[Manifest], key: kms.IKey | None) -> None:
        super().__init__(scope, name)
        workers = [manifest for manifest in manifests if manifest.trigger == "queue"]
        attempts = max((manifest.max_attempts for manifest in workers), default=8)
        longest = max((manifest.timeout_seconds for manifest in workers), default=60)
        self.failures = self._queue("Failures", key, retention_period=_KEPT)
        self.given_up = self._queue("GivenUp", key, retention_period=_KEPT)
        self.work = self._queue(
            "Queue",
            key,
            retention_period=Duration.days(4),
            visibility_timeout=Duration.seconds(6 * longest),  # what Lambda asks for, so that a retry never overlaps
            dead_letter_queue=sqs.DeadLetterQueue(queue=self.given_up, max_receive_count=attempts),
        )

    def _queue(
        self,
        name: str,
        key: kms.IKey | None,
        *,
        retention_period: Duration,
        visibility_timeout: Duration | None = None,
        dead_letter_queue: sqs.DeadLetterQueue | None = None,
    ) -> sqs.Queue:
        return sqs.Queue(
            self,
            name,
            encryption=sqs.QueueEncryption.KMS if key else sqs.QueueEncryption.SQS_MANAGED,
            encryption_master_key=key,
            enforce_ssl=True,
            retention_period=retention_period,
            visibility_timeout=visibility_timeout,
            dead_letter_queue=dead_letter_queue,
        )
