"""The functions over DynamoDB, SQS and Secrets Manager of an emulator, with made-up vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from palimpsest.adapters.aws.dynamodb_schema import create_table_request, time_to_live_request
from palimpsest.local.manifest import functions_folder, read_manifest
from tests.contract.table.ministack import REGION, ministack
from tests.functions.calling import Told, event
from tests.support.aws_clients import CREDENTIALS, clients
from tests.support.embedding_server import KEY, embedding_service
from tests.support.function_process import FunctionProcess, function_process
from tests.support.hashing_embedder import HashingEmbedder

OWNER = "owner-key-of-the-cloud-tests-0123456789"


@dataclass
class Cloud:
    """An account in which the functions run. Doorbells and messages are delivered only when the test says so."""

    folder: Path
    endpoint: str
    settings: dict[str, str]
    queue_urls: dict[str, str]
    aws: Callable[[str], Any]
    stack: ExitStack
    running: dict[str, FunctionProcess] = field(default_factory=dict)
    shards: dict[str, str | None] = field(default_factory=dict)

    def function(self, name: str) -> FunctionProcess:
        """The running instance of a function, started cold at its first use."""
        if name not in self.running:
            environment = CREDENTIALS | {"AWS_ENDPOINT_URL": self.endpoint} | self._told(name)
            started = function_process(name, environment, self.folder / f"{name}.log")
            self.running[name] = self.stack.enter_context(started)
        return self.running[name]

    def _told(self, name: str) -> dict[str, str]:
        """The settings that the function's grants give it a reason for, as the deployment does it."""
        grants = read_manifest(functions_folder() / name / "function.toml").grants
        needed = {
            "PALIMPSEST_BUCKET": "ledger:read",
            "PALIMPSEST_QUEUE_URL": "queue:send",
            "PALIMPSEST_INGEST_QUEUE_URL": "queue:send",
            "PALIMPSEST_KEY_SECRET": "secret:read",
        }
        return {key: value for key, value in self.settings.items() if key not in needed or needed[key] in grants}

    def ask(self, method: str, path: str, body: object = None, **more: Any) -> Told:
        """A request of the owner, unless another key is given."""
        answer = self.function("api")(event(method, path, body, **({"key": OWNER} | more)))
        return Told(answer["statusCode"], answer["headers"], answer["body"])

    def index(self) -> list[dict[str, Any]]:
        """Ring every doorbell that the table's stream has and that has not rung; what failed."""
        records = self._records()
        return self.function("index")({"Records": records})["batchItemFailures"] if records else []

    def work(self, most: int = 20) -> list[str]:
        """Deliver messages until there are none; the jobs that were done."""
        done: list[str] = []
        while len(done) < most and (more := [job for name in self.queue_urls for job in self._deliver(name)]):
            done += more
        return done

    def _deliver(self, name: str) -> list[str]:
        """Some messages of the queue that feeds that function; the jobs that were done."""
        queue, url, done = self.aws("sqs"), self.queue_urls[name], []
        for message in queue.receive_message(QueueUrl=url, WaitTimeSeconds=0).get("Messages", []):
            records = [{"messageId": message["MessageId"], "body": message["Body"]}]
            assert self.function(name)({"Records": records}) == {"batchItemFailures": []}
            queue.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            done.append(json.loads(message["Body"])["job"])
        return done

    def plan(self) -> int:
        """What the schedule does every minute."""
        asked: int = self.function("plan")({"source": "aws.events"})["asked"]
        return asked

    def rotate(self, key: str) -> None:
        """Another owner key in the secret."""
        self.aws("secretsmanager").put_secret_value(SecretId="owner", SecretString=key)

    def _records(self) -> list[dict[str, Any]]:
        streams = self.aws("dynamodbstreams")
        (stream,) = streams.list_streams(TableName=self.settings["PALIMPSEST_TABLE"])["Streams"]
        found: list[dict[str, Any]] = []
        for shard in streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]["Shards"]:
            name = shard["ShardId"]
            where = {"StreamArn": stream["StreamArn"], "ShardId": name, "ShardIteratorType": "TRIM_HORIZON"}
            iterator = self.shards.get(name) or streams.get_shard_iterator(**where)["ShardIterator"]
            page = streams.get_records(ShardIterator=iterator)
            self.shards[name] = page.get("NextShardIterator")
            found += page["Records"]
        return json.loads(json.dumps(found, default=str))  # type: ignore[no-any-return]  # instants as text


@contextmanager
def cloud(folder: Path, **settings: str) -> Iterator[Cloud]:
    """An empty account for the time of a `with`."""
    with ExitStack() as stack:
        endpoint = stack.enter_context(ministack(folder))
        service = stack.enter_context(embedding_service(HashingEmbedder()))
        aws = stack.enter_context(clients(endpoint))
        aws("dynamodb").create_table(**create_table_request("memory"))
        aws("dynamodb").update_time_to_live(**time_to_live_request("memory"))
        aws("secretsmanager").create_secret(Name="owner", SecretString=OWNER)
        aws("s3").create_bucket(Bucket="blobs", CreateBucketConfiguration={"LocationConstraint": REGION})
        made = {"worker": "work", "ingest": "ingest"}
        queue_urls = {name: aws("sqs").create_queue(QueueName=queue)["QueueUrl"] for name, queue in made.items()}
        own = {
            "PALIMPSEST_STORE": "dynamodb",
            "PALIMPSEST_TABLE": "memory",
            "PALIMPSEST_BUCKET": "blobs",
            "PALIMPSEST_QUEUE_URL": queue_urls["worker"],
            "PALIMPSEST_INGEST_QUEUE_URL": queue_urls["ingest"],
            "PALIMPSEST_KEY_SECRET": "owner",
            "PALIMPSEST_DATA_DIR": str(folder / "data"),
            "PALIMPSEST_EMBEDDER": "http",
            "PALIMPSEST_EMBEDDER_URL": service.url,
            "PALIMPSEST_EMBEDDER_MODEL": service.model.model.name,
            "PALIMPSEST_EMBEDDER_KEY": KEY,
            "PALIMPSEST_EMBEDDER_DIMENSIONS": str(service.model.model.dimensions),
        }
        yield Cloud(folder, endpoint, own | settings, queue_urls, aws, stack)
