"""One Lambda function as its manifest describes it: role, log, code, layers, alias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.context import Options
from infra.manifest import WORK, Manifest
from infra.parts.grants import Resources
from infra.parts.model import environment as model_environment
from infra.parts.reranker import environment as reranker_environment

ALIAS = "live"
WRITABLE = PurePosixPath("/", "tmp")
"""The one folder that Lambda lets a function write."""
NAMESPACE = "Palimpsest"
"""Of the metrics that functions write into their logs; CloudWatch reads them there, so no grant is needed."""

_RETENTIONS = {
    1: "ONE_DAY",
    3: "THREE_DAYS",
    5: "FIVE_DAYS",
    7: "ONE_WEEK",
    14: "TWO_WEEKS",
    30: "ONE_MONTH",
    60: "TWO_MONTHS",
    90: "THREE_MONTHS",
    120: "FOUR_MONTHS",
    150: "FIVE_MONTHS",
    180: "SIX_MONTHS",
    365: "ONE_YEAR",
    400: "THIRTEEN_MONTHS",
    545: "EIGHTEEN_MONTHS",
    731: "TWO_YEARS",
    1096: "THREE_YEARS",
    1827: "FIVE_YEARS",
    2192: "SIX_YEARS",
    2557: "SEVEN_YEARS",
    2922: "EIGHT_YEARS",
    3288: "NINE_YEARS",
    3653: "TEN_YEARS",
}
"""What CloudWatch offers, by days."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """What all functions share.

    Attributes:
        code: Our own code.
        vendors: The dependency sets by name.
        failures: Where events go that a function could not take.
    """

    resources: Resources
    code: lambda_.ILayerVersion
    vendors: dict[str, lambda_.ILayerVersion]
    failures: sqs.IQueue

    @property
    def options(self) -> Options:
        return self.resources.options

    def layers(self, manifest: Manifest) -> list[lambda_.ILayerVersion]:
        """Those of one function: ours first, then the sets that it names."""
        return [self.code, *(self.vendors[name] for name in manifest.layers)]

    def environment(self, manifest: Manifest) -> dict[str, str]:
        """What one function is told; the addresses of what it may not touch are left out."""
        told = {
            "PALIMPSEST_STORE": "dynamodb",
            "PALIMPSEST_TABLE": self.resources.state.table.table_name,
            "PALIMPSEST_DATA_DIR": self.options.data_dir or str(WRITABLE / "palimpsest"),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "POWERTOOLS_SERVICE_NAME": manifest.name,
            "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
        }
        told |= self.resources.search.environment
        if self.options.embedder == "bedrock":
            told["PALIMPSEST_EMBEDDER"] = "bedrock"
        if manifest.may("model:ask"):
            told |= model_environment(self.options)
        if manifest.may("reranker:ask"):
            told |= reranker_environment(self.options)
        if "scrub" in manifest.layers:
            told |= self._scrub()
        if manifest.may("secret:read"):
            told["PALIMPSEST_KEY_SECRET"] = self.resources.state.secret.secret_arn
        if manifest.may("ledger:read", "ledger:write", "documents:read", "documents:write", "documents:delete"):
            told["PALIMPSEST_BUCKET"] = self.resources.state.bucket.bucket_name
        if manifest.may("queue:send"):
            told |= {_queue_url(name): queue.queue_url for name, queue in self.resources.queues.items()}
        return told

    def _scrub(self) -> dict[str, str]:
        """What a function that stores texts is told of what it takes out of them."""
        chosen = {
            "PALIMPSEST_SCRUB": self.options.scrub,
            "PALIMPSEST_SCRUB_REGIONS": self.options.scrub_regions,
            "PALIMPSEST_SCRUB_WORDS": self.options.scrub_words,
        }
        return {name: value for name, value in chosen.items() if value}


class Function(Construct):
    """One function behind its alias, which is what everything calls.

    Attributes:
        role: Its own; nobody else's.
        alias: Moves to a new version at once, or little by little when the rollout is a canary.
    """

    def __init__(self, scope: Construct, manifest: Manifest, runtime: Runtime) -> None:
        super().__init__(scope, "".join(part.title() for part in manifest.name.split("-")))
        self.manifest = manifest
        self.log = self._log(runtime.options)
        self.role = self._role(runtime.resources.statements(manifest))
        self.function = self._function(runtime)
        self.alias = lambda_.Alias(self, "Live", alias_name=ALIAS, version=self.function.current_version)

    def _log(self, options: Options) -> logs.LogGroup:
        return logs.LogGroup(
            self,
            "Log",
            retention=retention(options.log_retention_days),
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _role(self, statements: Sequence[iam.PolicyStatement]) -> iam.Role:
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            description=f"What the function {self.manifest.name} may do, as its manifest says",
        )
        logging = ["logs:CreateLogStream", "logs:PutLogEvents"]
        role.add_to_policy(iam.PolicyStatement(actions=logging, resources=[self.log.log_group_arn]))
        for statement in statements:
            role.add_to_policy(statement)
        return role

    def _function(self, runtime: Runtime) -> lambda_.Function:
        manifest, options = self.manifest, runtime.options
        return lambda_.Function(
            self,
            "Function",
            description=manifest.description,
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=architecture(options),
            handler="handler.lambda_handler",
            code=lambda_.Code.from_asset(str(manifest.folder), exclude=["*.toml", "__pycache__"]),
            layers=runtime.layers(manifest),
            role=self.role,
            memory_size=manifest.memory_mb,
            timeout=Duration.seconds(manifest.timeout_seconds),
            environment=runtime.environment(manifest),
            environment_encryption=runtime.resources.state.key,
            reserved_concurrent_executions=manifest.reserved_concurrency,
            log_group=self.log,
            logging_format=lambda_.LoggingFormat.JSON,
            tracing=lambda_.Tracing.ACTIVE,
            recursive_loop=lambda_.RecursiveLoop.ALLOW
            if manifest.may("queue:receive")
            else None,  # slices ask for more
            dead_letter_queue=runtime.failures if manifest.trigger == "schedule" else None,
        )


def _queue_url(name: str) -> str:
    """The setting that has the address of a queue."""
    return "PALIMPSEST_QUEUE_URL" if name == WORK else f"PALIMPSEST_{name.upper()}_QUEUE_URL"


def architecture(options: Options) -> lambda_.Architecture:
    return lambda_.Architecture.ARM_64 if options.architecture == "arm64" else lambda_.Architecture.X86_64


def retention(days: int) -> logs.RetentionDays:
    """The shortest time that CloudWatch offers and that is not less than `days`, which is at most ten years."""
    return logs.RetentionDays[next(name for length, name in _RETENTIONS.items() if length >= days)]
