"""What can be made again at any time: functions, API, queues, schedules, alarms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aws_cdk import CfnOutput, RemovalPolicy, Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.context import Options
from infra.manifest import INGEST, Manifest
from infra.parts.alarms import Alarms
from infra.parts.dashboard import Dashboard
from infra.parts.function import Function, Runtime, architecture
from infra.parts.gateway import Gateway
from infra.parts.grants import Resources
from infra.parts.rollout import Rollout
from infra.parts.search_access import SearchAccess
from infra.parts.search_target import search_target
from infra.parts.triggers import QueueTrigger, ScheduleTrigger, StreamTrigger, UploadTrigger
from infra.parts.work import WorkQueues
from infra.stacks.search import SearchStack
from infra.stacks.state import StateStack

LayerSource = Callable[[str], Path]
"""The zip file of a layer by its name: ``memory`` for our own code, else a dependency set."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the service stack is made from."""

    options: Options
    manifests: Sequence[Manifest]
    layers: LayerSource
    state: StateStack
    search: SearchStack | None


class ServiceStack(Stack):
    """The service over the state and the search index."""

    def __init__(self, scope: Construct, inputs: Inputs) -> None:
        options = inputs.options
        super().__init__(scope, options.stack("service"), description="Palimpsest: the functions and what calls them")
        state = inputs.state
        self._queues = WorkQueues(self, "Work", manifests=inputs.manifests, key=state.key)
        target = search_target(options, inputs.search)
        runtime = self._runtime(inputs, Resources(state, target, self._queues.by_name, options))
        self.functions = [Function(self, manifest, runtime) for manifest in inputs.manifests]
        http = self._with("http")
        self.gateway = Gateway(self, "Gateway", functions=http, options=options)
        self._connect(state)
        if target.collection:
            SearchAccess(
                self,
                "SearchAccess",
                policy_name=f"{options.name}-data",
                collection=target.collection,
                functions=self.functions,
            )
        self._watch(inputs)
        self._tell(state)

    def _with(self, trigger: str) -> list[Function]:
        return [function for function in self.functions if function.manifest.trigger == trigger]

    def _runtime(self, inputs: Inputs, resources: Resources) -> Runtime:
        names = sorted({name for manifest in inputs.manifests for name in manifest.layers})
        return Runtime(
            resources=resources,
            code=self._layer("memory", inputs),
            vendors={name: self._layer(name, inputs) for name in names},
            failures=self._queues.failures,
        )

    def _layer(self, name: str, inputs: Inputs) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            f"{name.title()}Layer",
            code=lambda_.Code.from_asset(str(inputs.layers(name))),
            compatible_runtimes=[lambda_.Runtime.PYTHON_3_13],
            compatible_architectures=[architecture(inputs.options)],
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _connect(self, state: StateStack) -> None:
        for each in self._with("stream"):
            StreamTrigger(each, "Stream", function=each, table=state.table, failures=self._queues.failures)
        for each in self._with("queue"):
            QueueTrigger(each, "Queue", function=each, queue=self._queues.by_name[each.manifest.queue])
        uploads, failures = self._queues.by_name[INGEST], self._queues.failures
        UploadTrigger(self, "Uploads", bucket=state.bucket, queue=uploads, failures=failures)
        for each in self._with("schedule"):
            ScheduleTrigger(each, "Clock", function=each, failures=self._queues.failures)

    def _watch(self, inputs: Inputs) -> None:
        options, table = inputs.options, inputs.state.table
        alarms = Alarms(self, "Alarms", options=options)
        rollout = Rollout(self, "Rollout") if options.is_canary else None
        for function in self.functions:
            errors = alarms.watch_function(function)
            if rollout:
                rollout.guard(function, [errors])
        for function in self._with("stream"):
            alarms.watch_stream(function)
        alarms.watch_account()
        alarms.watch_recall()
        alarms.watch_gateway(self.gateway)
        alarms.watch_table(table, options)
        alarms.watch_kept("failures", self._queues.failures, "A batch of the stream or a scheduled event was given up.")
        for queue, given_up in self._queues.given_up.items():
            alarms.watch_kept(queue, given_up, f"Background work of the queue {queue} was given up.")
        if options.search == "serverless":
            alarms.watch_units(options)
        if options.monthly_budget_usd:
            alarms.watch_bill(options)
        board = Dashboard(self, "Dashboard", options=options, alarms=alarms)
        board.show_gateway(self.gateway)
        board.show_functions(self.functions)
        board.show_table(table)

    def _tell(self, state: StateStack) -> None:
        CfnOutput(self, "Url", value=self.gateway.url, description="The address of the API")
        CfnOutput(self, "ApiHost", value=self.gateway.host, description="The API's own name, for a front before it")
        CfnOutput(self, "OwnerKeyArn", value=state.secret.secret_arn, description="The secret that holds the owner key")
        CfnOutput(self, "TableName", value=state.table.table_name, description="The table, which is the truth")
        CfnOutput(self, "BucketName", value=state.bucket.bucket_name, description="The bucket, which holds the ledger")
