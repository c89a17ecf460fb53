"""Each function in a process of its own, with what its template tells it and nothing to import but its own layers.

AWS is an emulator, and where a template has the search engine's address nobody listens.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from infra.layers import ROOT
from infra.manifest import read_manifests
from palimpsest.adapters.aws.dynamodb import DynamoTable
from palimpsest.adapters.aws.dynamodb_schema import create_table_request
from palimpsest.ports.work_queue import Job, Work, written
from palimpsest.stores.generations import GenerationStore
from tests.contract.table.ministack import ministack
from tests.functions.calling import event
from tests.infra.templates import Deployment
from tests.infra.test_service import functions
from tests.support.aws_clients import CREDENTIALS, clients
from tests.support.function_process import FunctionProcess, function_process

MANIFESTS = {manifest.name: manifest for manifest in read_manifests(ROOT / "functions")}
OWNER = "owner-key-of-the-running-tests-0123456789"
WAITS_FOR_VECTORS = "The harbour master keeps the tide tables in the loft. " * 200
ASKED = {
    "serverless": event("POST", "/memory/recall", {"query": "tide tables"}, key=OWNER),
    "external": event("GET", "/status", key=OWNER),
}
"""A recall loads the embedding model, which takes seconds: once is enough."""


@dataclass(frozen=True)
class Account:
    """What the functions are told of, under the names that the templates give it. `nowhere`: an address of nobody."""

    folder: Path
    endpoint: str
    aws: Callable[[str], Any]
    nowhere: str
    unpacked: Callable[[str], Path]

    @contextmanager
    def running(self, deployment: Deployment) -> Iterator[dict[str, FunctionProcess]]:
        """Every function of a deployment, cold, over an empty table."""
        self.aws("dynamodb").create_table(**create_table_request("Table"))
        with ExitStack() as stack:
            yield {name: stack.enter_context(self._function(deployment, name)) for name in MANIFESTS}
        self.aws("dynamodb").delete_table(TableName="Table")

    def rows(self) -> list[dict[str, Any]]:
        """The rows of change logs that the table holds, as its stream tells of them."""
        items = self.aws("dynamodb").scan(TableName="Table")["Items"]
        found = [{name: item[name] for name in ("pk", "sk")} for item in items if item["pk"]["S"].startswith("T#")]
        return [
            {"eventName": "INSERT", "dynamodb": {"Keys": keys, "SequenceNumber": f"row-{number}"}}
            for number, keys in enumerate(found)
        ]

    def generations(self) -> GenerationStore:
        return GenerationStore(DynamoTable(self.aws("dynamodb"), "Table"))

    def _function(self, deployment: Deployment, name: str) -> AbstractContextManager[FunctionProcess]:
        told = functions(deployment["service"])[name]["Environment"]["Variables"]
        places = {
            "PALIMPSEST_DATA_DIR": str(self.folder),
            "PALIMPSEST_QUEUE_URL": self.aws("sqs").get_queue_url(QueueName="WorkQueue")["QueueUrl"],
            "PALIMPSEST_INGEST_QUEUE_URL": self.aws("sqs").get_queue_url(QueueName="IngestQueue")["QueueUrl"],
            "PALIMPSEST_BUCKET": "blobs",
            "PALIMPSEST_OPENSEARCH_URL": self.nowhere,
            "PALIMPSEST_OPENSEARCH_SECRET": "search",
        }
        environment = {each: places.get(each, deployment.spelled(value)) for each, value in told.items()}
        return function_process(
            name,
            CREDENTIALS | {"AWS_ENDPOINT_URL": self.endpoint} | environment,
            self.folder / f"{name}.log",
            layers=[self.unpacked(layer) for layer in ("memory", *MANIFESTS[name].layers)],
            timeout_seconds=20,  # less than the index function waits for an engine that may be waking
        )


@pytest.fixture(scope="module")
def account(tmp_path_factory: pytest.TempPathFactory, unpacked: Callable[[str], Path]) -> Iterator[Account]:
    folder = tmp_path_factory.mktemp("running")
    with ExitStack() as stack:
        taken = stack.enter_context(socket.socket())
        taken.bind(("127.0.0.1", 0))  # and does not listen
        endpoint = stack.enter_context(ministack(folder))
        aws = stack.enter_context(clients(endpoint))
        aws("secretsmanager").create_secret(Name="OwnerKey", SecretString=OWNER)
        aws("secretsmanager").create_secret(Name="search", SecretString='{"username": "one", "password": "word"}')
        for queue in ("WorkQueue", "IngestQueue"):
            aws("sqs").create_queue(QueueName=queue)
        aws("s3").create_bucket(
            Bucket="blobs", CreateBucketConfiguration={"LocationConstraint": CREDENTIALS["AWS_DEFAULT_REGION"]}
        )
        yield Account(folder, endpoint, aws, f"https://127.0.0.1:{taken.getsockname()[1]}", unpacked)


@pytest.mark.parametrize("chosen", ["serverless", "external"])
def test_each_function_comes_as_far_as_the_search_engine(
    account: Account, chosen: str, request: pytest.FixtureRequest
) -> None:
    with account.running(request.getfixturevalue(chosen)) as function:
        saved = function["api"](event("POST", "/memory/save", {"content": WAITS_FOR_VECTORS}, key=OWNER))
        told = function["api"](ASKED[chosen])
        planned = function["plan"]({"source": "aws.events"})
        building = account.generations().read().building
        assert building is not None
        worked = function["worker"](message(Work(Job.BUILD_INDEX, building.id)))
        activate(account.generations())
        indexed = function["index"]({"Records": account.rows()})

    assert (saved["statusCode"], told["statusCode"]) == (201, 200)
    assert planned == {"asked": 2}  # for the index, and for the ledger of erased ids
    assert worked == {"batchItemFailures": [{"itemIdentifier": "message"}]}
    assert indexed == {"batchItemFailures": [{"itemIdentifier": "row-0"}]}


def test_without_a_search_engine_each_function_comes_to_its_end(account: Account, emulator: Deployment) -> None:
    with account.running(emulator) as function:
        saved = function["api"](event("POST", "/memory/save", {"content": WAITS_FOR_VECTORS}, key=OWNER))
        listed = function["api"](event("GET", "/memory/list", key=OWNER))
        planned = function["plan"]({"source": "aws.events"})
        worked = function["worker"](message(Work(Job.MIGRATE)))
        indexed = function["index"]({"Records": account.rows()})

    assert (saved["statusCode"], listed["statusCode"]) == (201, 200)
    assert planned == {"asked": 2}  # for the index, and for the ledger of erased ids
    assert (worked, indexed) == ({"batchItemFailures": []}, {"batchItemFailures": []})


def message(work: Work) -> dict[str, Any]:
    return {"Records": [{"messageId": "message", "body": written(work)}]}


def activate(store: GenerationStore) -> None:
    """Let the generation that is being built answer, as if the engine had made it."""
    state = store.read()
    assert state.building is not None
    assert store.move(state, active=replace(state.building, capabilities=("engine=", "ids")), building=None)
