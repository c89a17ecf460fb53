"""What each word in a manifest's `grants` allows, on named resources only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sqs as sqs

from infra.context import Options
from infra.manifest import GRANTS, WORK, Manifest
from infra.parts.model import Place, bedrock_models
from infra.parts.reranker import bedrock_reranker
from infra.parts.search_target import SearchTarget
from infra.stacks.state import INDEXES, StateStack

LEDGER = "erased/"
"""How the keys of the ledger of erased ids begin."""

DOCUMENTS = "documents/"
"""How the keys of documents as they came begin."""

TITAN = "amazon.titan-embed-text-v2:0"
_WITH_KEY = tuple(
    grant for grant in sorted(GRANTS) if grant.partition(":")[0] in ("table", "secret", "queue", "ledger", "documents")
)


@dataclass(frozen=True, slots=True)
class Resources:
    """What grants are about. `queues`: by name; `receives`: which one feeds the function in question."""

    state: StateStack
    search: SearchTarget
    queues: Mapping[str, sqs.IQueue]
    options: Options
    receives: str = WORK

    def statements(self, manifest: Manifest) -> list[iam.PolicyStatement]:
        """Everything that one function may do."""
        own = replace(self, receives=manifest.queue)
        allowed = [each for grant in manifest.grants for each in _GRANTS[grant](own)]
        if self.state.key is not None and manifest.may(*_WITH_KEY):
            allowed.append(_allow(["kms:Decrypt", "kms:GenerateDataKey"], [self.state.key.key_arn]))
        if manifest.may("index:read", "index:write"):
            allowed += self._search()
        return allowed

    @property
    def _table_and_indexes(self) -> list[str]:
        table = self.state.table.table_arn
        return [table, *(f"{table}/index/{name}" for name in INDEXES)]

    def table_read(self) -> list[iam.PolicyStatement]:
        actions = ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"]
        return [_allow(actions, self._table_and_indexes)]

    def table_write(self) -> list[iam.PolicyStatement]:
        actions = ("BatchWriteItem", "ConditionCheckItem", "DeleteItem", "PutItem", "UpdateItem")
        return [_allow([f"dynamodb:{action}" for action in actions], [self.state.table.table_arn])]

    def table_scan(self) -> list[iam.PolicyStatement]:
        """To walk through everything, which no request does."""
        return [_allow(["dynamodb:Scan"], [self.state.table.table_arn])]

    def table_stream(self) -> list[iam.PolicyStatement]:
        """ListStreams knows no single stream, so it is allowed for all of this one table."""
        stream = self.state.table.table_stream_arn or ""
        reading = [f"dynamodb:{action}" for action in ("DescribeStream", "GetRecords", "GetShardIterator")]
        listing = _allow(["dynamodb:ListStreams"], [f"{self.state.table.table_arn}/stream/*"])
        return [_allow(reading, [stream]), listing]

    def index_read(self) -> list[iam.PolicyStatement]:
        return self._domain("ESHttpGet", "ESHttpHead", "ESHttpPost")

    def index_write(self) -> list[iam.PolicyStatement]:
        return self._domain("ESHttpDelete", "ESHttpPost", "ESHttpPut")

    def queue_send(self) -> list[iam.PolicyStatement]:
        return [_allow(["sqs:SendMessage"], [each.queue_arn for each in self.queues.values()])]

    def queue_receive(self) -> list[iam.PolicyStatement]:
        actions = ("ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "ReceiveMessage")
        return [_allow([f"sqs:{action}" for action in actions], [self.queues[self.receives].queue_arn])]

    def ledger_read(self) -> list[iam.PolicyStatement]:
        """To list it: the keys of its entries say everything."""
        listing = _allow(["s3:ListBucket"], [self.state.bucket.bucket_arn])
        listing.add_condition("StringEquals", {"s3:prefix": LEDGER})
        return [listing]

    def ledger_write(self) -> list[iam.PolicyStatement]:
        """To add to it; nobody takes anything out."""
        return [_allow(["s3:PutObject"], [f"{self.state.bucket.bucket_arn}/{LEDGER}*"])]

    def documents_read(self) -> list[iam.PolicyStatement]:
        return [_allow(["s3:GetObject"], [self._documents])]

    def documents_write(self) -> list[iam.PolicyStatement]:
        return [_allow(["s3:PutObject"], [self._documents])]

    def documents_delete(self) -> list[iam.PolicyStatement]:
        """To clear away, which begins with a look at what there is."""
        listing = _allow(["s3:ListBucket"], [self.state.bucket.bucket_arn])
        listing.add_condition("StringLike", {"s3:prefix": f"{DOCUMENTS}*"})
        return [listing, _allow(["s3:DeleteObject"], [self._documents])]

    @property
    def _documents(self) -> str:
        return f"{self.state.bucket.bucket_arn}/{DOCUMENTS}*"

    def secret_read(self) -> list[iam.PolicyStatement]:
        return [_allow(["secretsmanager:GetSecretValue"], [self.state.secret.secret_arn])]

    def bedrock_embed(self) -> list[iam.PolicyStatement]:
        """Only where the deployment embeds by Bedrock."""
        if self.options.embedder != "bedrock":
            return []
        stack = Stack.of(self.queues[WORK])
        model = f"arn:{stack.partition}:bedrock:{stack.region}::foundation-model/{TITAN}"
        return [_allow(["bedrock:InvokeModel"], [model])]

    def model_ask(self) -> list[iam.PolicyStatement]:
        """Only where the deployment has a language model: the model itself at Bedrock, else the secret with its key."""
        stack = Stack.of(self.queues[WORK])
        models = bedrock_models(self.options, Place(stack.partition, stack.region, stack.account))
        allowed = [_allow(["bedrock:InvokeModel"], models)] if models else []
        if self.options.model_secret_arn:
            allowed.append(_allow(["secretsmanager:GetSecretValue"], [self.options.model_secret_arn]))
        return allowed

    def reranker_ask(self) -> list[iam.PolicyStatement]:
        """Only where the deployment has a reranker of its own: the model at Bedrock, else the secret with its key."""
        stack = Stack.of(self.queues[WORK])
        models = bedrock_reranker(self.options, Place(stack.partition, stack.region, stack.account))
        allowed = [_allow(["bedrock:InvokeModel"], models)] if models else []
        if self.options.rerank_secret_arn:
            allowed.append(_allow(["secretsmanager:GetSecretValue"], [self.options.rerank_secret_arn]))
        return allowed

    def _search(self) -> list[iam.PolicyStatement]:
        """What any use of the search engine needs."""
        needed = (
            ("aoss:APIAccessAll", self.search.collection_arn),
            ("secretsmanager:GetSecretValue", self.search.secret_arn),
        )
        return [_allow([action], [resource]) for action, resource in needed if resource]

    def _domain(self, *actions: str) -> list[iam.PolicyStatement]:
        """For an OpenSearch domain of AWS; a collection has a data policy instead, other servers know no IAM."""
        if not self.search.domain_arn:
            return []
        return [_allow([f"es:{action}" for action in actions], [f"{self.search.domain_arn}/*"])]


_GRANTS: dict[str, Callable[[Resources], list[iam.PolicyStatement]]] = {
    "table:read": Resources.table_read,
    "table:write": Resources.table_write,
    "table:scan": Resources.table_scan,
    "table:stream": Resources.table_stream,
    "index:read": Resources.index_read,
    "index:write": Resources.index_write,
    "queue:send": Resources.queue_send,
    "queue:receive": Resources.queue_receive,
    "ledger:read": Resources.ledger_read,
    "ledger:write": Resources.ledger_write,
    "documents:read": Resources.documents_read,
    "documents:write": Resources.documents_write,
    "documents:delete": Resources.documents_delete,
    "secret:read": Resources.secret_read,
    "bedrock:embed": Resources.bedrock_embed,
    "model:ask": Resources.model_ask,
    "reranker:ask": Resources.reranker_ask,
}


def _allow(actions: Sequence[str], resources: Sequence[str]) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=list(actions), resources=list(resources))
