"""The work queue, and the queues that keep what could not be done."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.manifest import WORK, Manifest

_KEPT = Duration.days(14)


class WorkQueues(Construct):
    """Work to do, work given up, and events that a function could not take.

    Attributes:
        by_name: Messages for `trigger = "queue"` functions, each from the queue that its manifest names.
        given_up: Work that failed as often as its function's manifest allows, by the same names.
        failures: Batches of the stream, and scheduled events, that were given up.
    """

    def __init__(self, scope: Construct, name: str, *, manifests: Sequence[Manifest], key: kms.IKey | None) -> None:
        super().__init__(scope, name)
        self.failures = self._queue("Failures", key, retention_period=_KEPT)
        self.given_up: dict[str, sqs.IQueue] = {}
        self.by_name: dict[str, sqs.IQueue] = {}
        for manifest in manifests:
            if manifest.trigger == "queue":
                self._add(manifest, key)

    def _add(self, manifest: Manifest, key: kms.IKey | None) -> None:
        named = "" if manifest.queue == WORK else manifest.queue.title()
        given_up = self._queue(f"{named}GivenUp", key, retention_period=_KEPT)
        self.given_up[manifest.queue] = given_up
        self.by_name[manifest.queue] = self._queue(
            f"{named}Queue",
            key,
            retention_period=Duration.days(4),
            # What Lambda asks for, so that a retry never overlaps.
            visibility_timeout=Duration.seconds(6 * manifest.timeout_seconds),
            dead_letter_queue=sqs.DeadLetterQueue(queue=given_up, max_receive_count=manifest.max_attempts),
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
