"""The one place where adapters are chosen; what a process shares is made here, once, at first use.

Each function imports what it makes, so that a process loads only the parts that it runs.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from palimpsest import settings as environment
from palimpsest.api.options import EdgeOptions
from palimpsest.settings import SettingError, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from palimpsest.adapters.aws.opensearch_cluster import Login
    from palimpsest.adapters.embedded.sqlite_table import SqliteTable
    from palimpsest.adapters.embedded.work_queue import MemoryQueue
    from palimpsest.domain.erasure import Leftovers
    from palimpsest.jobs.hear_changes import HearChanges
    from palimpsest.jobs.plan_work import PlanWork
    from palimpsest.jobs.work import Worker
    from palimpsest.ports.blobs import Blobs
    from palimpsest.ports.embedder import Embedder
    from palimpsest.ports.language_model import PricedModel
    from palimpsest.ports.reranker import PricedReranker
    from palimpsest.ports.search_index import SearchIndexes
    from palimpsest.ports.secret import Secret
    from palimpsest.ports.table import WholeTable
    from palimpsest.ports.upload_places import UploadPlaces
    from palimpsest.ports.wiper import Wiper
    from palimpsest.ports.work_queue import WorkQueue
    from palimpsest.stores.tail import Timing
    from palimpsest.usecases.service import Service
    from palimpsest.wiring.parts import Parts
    from palimpsest.wiring.wired import Wired

_THREADS = 8
_QUERY_THREADS = 4
_RECORD_THREADS = 4
_RERANK_THREADS = 4
_EMBEDDING_THREADS = 2
_DIMENSIONS = 384
_RECHECKED = timedelta(minutes=10)
_ARMS_PART = 0.45


@dataclass(frozen=True, slots=True)
class Machine:
    """What one machine runs beside the handlers."""

    table: SqliteTable
    indexes: SearchIndexes
    wired: Wired
    embedder: Embedder
    queues: Mapping[str, MemoryQueue]
    given_up: list[Callable[[], int]]
    """Those that run here add how much of their work they gave up, for the status."""

    def prepare_index(self) -> None:
        """See to it that an index answers or is being built."""
        self.wired.build_index.prepare()

    def apply_ledger(self, *, may_begin: bool) -> bool:
        """Erase again what a restored table has of it; True when the ledger was gone and could begin anew."""
        apply = self.wired.apply_ledger
        return apply is not None and apply.finish(may_begin=may_begin)

    def sweep_indexes(self) -> None:
        """Delete the files of search indexes that a crash left behind; only before anything else runs."""
        state = self.wired.build_index.generations.read()
        self.indexes.sweep([each.id for each in (state.active, state.building) if each is not None])

    def is_owners(self, key: str | None) -> bool:
        """Whoever shows this key comes in as an owner: no lesser key, and none that has ended, is stored under it."""
        return key is None or self.wired.service.authenticate.is_owners(key)

    def resume(self) -> None:
        """Ask for what was under way when the process before this one ended."""
        self.wired.plan.start_over()

    def recheck_index(self) -> None:
        """Index again what was written in the last minutes where a loss of power may have taken it from the index."""
        if self.indexes.is_remote:
            return  # a server acknowledges what is on its disk
        for space in self.wired.build_index.spaces.every():
            for partition in space.log_partitions():
                self.wired.index_changes.recheck(partition, _RECHECKED)

    def close(self) -> None:
        """Leave whole files behind, without logs."""
        self.table.checkpoint()
        self.table.close()
        self.indexes.close()

    def warm_up(self) -> None:
        """Load what the first request would wait for."""
        from palimpsest.adapters.models.e5 import E5

        if isinstance(self.embedder, E5):
            self.embedder.warm_up()
        _warm_up_reranker()


def service() -> Service:
    """The verbs. What takes long to load is loaded here, not within the time of the first recall."""
    _load_engine()
    return _wired().service


def hear_changes() -> HearChanges:
    """What the doorbells of the change logs ring for."""
    return _wired().hear_changes


def worker() -> Worker:
    """What does the work that the queue asks for."""
    return _wired().worker


def plan() -> PlanWork:
    """What asks for the work that is due."""
    return _wired().plan


def edge_options() -> EdgeOptions:
    """How the HTTP edge behaves."""
    chosen = settings()
    watched = "text" if sys.stdout.isatty() else "json"
    return EdgeOptions(
        cors_origins=chosen.cors_origins,
        are_docs_served=chosen.docs,
        log_level=chosen.log_level,
        log_format=watched if chosen.log_format == "auto" else chosen.log_format,
    )


@cache
def settings() -> Settings:
    """The environment's settings, read once; on one machine with the key that its first start made."""
    chosen = environment.read()
    if chosen.store != "embedded" or chosen.key is not None:
        return chosen
    return replace(chosen, key=chosen.kept_key())


@cache
def local_machine() -> Machine:
    """What one machine runs; only for the embedded store."""
    from palimpsest.adapters.embedded.sqlite_table import SqliteTable
    from palimpsest.domain.errors import TableUnavailable

    table = _table()
    if not isinstance(table, SqliteTable):
        raise TableUnavailable("one machine needs PALIMPSEST_STORE=embedded")
    return Machine(table, _indexes(), _wired(), _embedder(), _memory_queues(), _given_up())


@cache
def _wired() -> Wired:
    from palimpsest.wiring.wired import wire

    embedder = _embedder()
    counts = _given_up()
    return wire(
        _parts(embedder),
        settings(),
        engine=lambda: _engine_name(embedder),
        given_up=lambda: sum(count() for count in counts) if counts else None,
    )


def _parts(embedder: Embedder) -> Parts:
    from concurrent.futures import ThreadPoolExecutor

    from palimpsest.adapters.documents.readers import all_readers
    from palimpsest.adapters.models.snowball import Snowball
    from palimpsest.adapters.scrub.lexbor import Lexbor
    from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
    from palimpsest.adapters.system import RandomIds, SystemClock
    from palimpsest.adapters.web.fetcher import HttpFetcher
    from palimpsest.wiring.parts import Parts

    return Parts(
        table=_table(),
        indexes=_indexes(),
        embedder=embedder,
        linguist=Snowball(),
        clock=SystemClock(),
        ids=RandomIds(),
        timing=_timing(settings()),
        executor=ThreadPoolExecutor(_THREADS, thread_name_prefix="recall"),
        engine_executor=ThreadPoolExecutor(_THREADS, thread_name_prefix="search"),
        query_executor=ThreadPoolExecutor(_QUERY_THREADS, thread_name_prefix="query"),
        rerank_executor=ThreadPoolExecutor(_rerank_threads(settings()), thread_name_prefix="rerank"),
        record_executor=ThreadPoolExecutor(_RECORD_THREADS, thread_name_prefix="record"),
        embedding_executor=ThreadPoolExecutor(_EMBEDDING_THREADS, thread_name_prefix="embed"),
        queue=_queue(),
        phones=NumberingPlans(),
        markup=Lexbor(),
        owner_secret=_owner_secret(),
        wiper=_wiper(),
        kept=_leftovers(settings()),
        ledger=_ledger(settings()),
        blobs=_blobs(settings()),
        readers=all_readers(),
        fetcher=HttpFetcher(),
        model=_language_model(),
        reranker=_reranker(),
        upload_places=_upload_places(settings()),
    )


def _wiper() -> Wiper:
    from palimpsest.adapters.embedded.sqlite_table import SqliteTable
    from palimpsest.ports.wiper import NothingToWipe

    table = _table()
    return table if isinstance(table, SqliteTable) else NothingToWipe()


def _leftovers(chosen: Settings) -> Leftovers:
    """What AWS keeps, as `infra` sets it up: point-in-time recovery of 35 days, and a stream of keys for a day."""
    from palimpsest.domain.erasure import Leftovers

    if chosen.store == "embedded":
        return Leftovers(has_ledger=True, has_segments=chosen.search == "opensearch")
    stream = timedelta(hours=24)
    return Leftovers(timedelta(days=35), stream, has_ledger=True, has_segments=chosen.search == "opensearch")


def _blobs(chosen: Settings) -> Blobs:
    if chosen.store == "dynamodb":
        from palimpsest.adapters.aws.s3_blobs import S3Blobs

        return S3Blobs(chosen.bucket)
    from palimpsest.adapters.embedded.blob_files import BlobFiles

    return BlobFiles(chosen.data_dir / "documents")


def _upload_places(chosen: Settings) -> UploadPlaces | None:
    if chosen.store != "dynamodb":
        return None
    from palimpsest.adapters.aws.s3_uploads import S3Uploads
    from palimpsest.adapters.system import SystemClock

    return S3Uploads(chosen.bucket, SystemClock().now)


def _ledger(chosen: Settings) -> Blobs:
    if chosen.store == "dynamodb":
        from palimpsest.adapters.aws.s3_blobs import S3Blobs

        return S3Blobs(chosen.bucket)
    from palimpsest.adapters.embedded.blob_files import BlobFiles

    return BlobFiles(chosen.ledger_folder)


def _timing(chosen: Settings) -> Timing:
    from palimpsest.stores.tail import MANY_MACHINES, ONE_MACHINE

    timing = ONE_MACHINE if chosen.store == "embedded" else MANY_MACHINES
    late = ONE_MACHINE if chosen.search == "embedded" else MANY_MACHINES
    return replace(timing, refresh=late.refresh, settle=max(timing.settle, late.refresh))


@cache
def _load_engine() -> None:
    from palimpsest.adapters.late_indexes import LateIndexes
    from palimpsest.domain.errors import IndexUnavailable

    indexes = _indexes()
    if isinstance(indexes, LateIndexes):
        with suppress(IndexUnavailable):  # each arm tells of it
            indexes.made()


@cache
def _given_up() -> list[Callable[[], int]]:
    return []


@cache
def _indexes() -> SearchIndexes:
    chosen = settings()
    if chosen.search == "opensearch":
        from palimpsest.adapters.late_indexes import LateIndexes

        return LateIndexes(_opensearch(chosen))
    if chosen.search == "off":
        from palimpsest.adapters.no_index import NoIndexes

        return NoIndexes()
    from palimpsest.adapters.embedded.search_index import EmbeddedIndexes

    return EmbeddedIndexes(chosen.data_dir / "index")


def _opensearch(chosen: Settings) -> Callable[[], SearchIndexes]:
    url = chosen.opensearch_url or ""

    def make() -> SearchIndexes:
        from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
        from palimpsest.adapters.aws.opensearch_cluster import Cluster

        # The keyword arm makes two requests, one after the other, within the arms' time.
        login, read_seconds = _opensearch_login(chosen, url), _ARMS_PART * chosen.recall_seconds
        return OpenSearchIndexes(Cluster(url, login=login, read_seconds=read_seconds), chosen.opensearch_prefix)

    return make


def _opensearch_login(chosen: Settings, url: str) -> Login:
    from palimpsest.adapters.aws.opensearch_cluster import signer
    from palimpsest.adapters.aws.opensearch_secret import SecretLogin

    if chosen.opensearch_auth == "aws":
        return signer(url)
    if chosen.opensearch_auth == "none":
        return None
    if chosen.opensearch_secret is not None:
        return SecretLogin(chosen.opensearch_secret)
    return chosen.opensearch_user or "", chosen.opensearch_password or ""


@cache
def _table() -> WholeTable:
    chosen = settings()
    if chosen.store == "dynamodb":
        from palimpsest.adapters.aws.dynamodb import DynamoTable
        from palimpsest.adapters.aws.dynamodb_calls import dynamodb_client

        return DynamoTable(dynamodb_client(), chosen.table)
    from palimpsest.adapters.embedded.sqlite_table import SqliteTable

    return SqliteTable(chosen.data_dir / "table.db")


@cache
def _queue() -> WorkQueue:
    from palimpsest.adapters.routed_queue import RoutedQueue
    from palimpsest.ports.work_queue import INGEST, WORK

    chosen = settings()
    if chosen.store == "embedded":
        return RoutedQueue(_memory_queues())
    from palimpsest.adapters.aws.sqs import SqsQueue

    ingest = chosen.ingest_queue_url or chosen.queue_url
    return RoutedQueue({WORK: SqsQueue(chosen.queue_url), INGEST: SqsQueue(ingest)})


@cache
def _memory_queues() -> Mapping[str, MemoryQueue]:
    from palimpsest.adapters.embedded.work_queue import MemoryQueue
    from palimpsest.ports.work_queue import INGEST, WORK

    return {WORK: MemoryQueue(), INGEST: MemoryQueue()}


def _owner_secret() -> Secret | None:
    name = settings().key_secret
    if name is None:
        return None
    from palimpsest.adapters.aws.secrets import SecretsManagerSecret

    return SecretsManagerSecret(name)


@cache
def _embedder() -> Embedder:
    chosen = settings()
    if chosen.embedder == "local":
        from palimpsest.adapters.models.e5 import E5
        from palimpsest.adapters.models.e5_engine import fastest_engine

        return E5(fastest_engine(chosen.data_dir / "models"))
    if chosen.embedder == "bedrock":
        return _titan(chosen)
    from palimpsest.adapters.models.openai_http import EmbeddingServer, HttpEmbedder

    if chosen.embedder_url is None or chosen.embedder_model is None:
        raise SettingError("PALIMPSEST_EMBEDDER=http needs PALIMPSEST_EMBEDDER_URL and PALIMPSEST_EMBEDDER_MODEL")
    server = EmbeddingServer(
        chosen.embedder_url,
        chosen.embedder_model,
        chosen.embedder_dimensions or _DIMENSIONS,
        key=chosen.embedder_key,
        timeout_seconds=chosen.embedder_seconds,
        query_prefix=chosen.embedder_query_prefix or "",
        passage_prefix=chosen.embedder_passage_prefix or "",
    )
    return HttpEmbedder(server)


def _titan(chosen: Settings) -> Embedder:
    from palimpsest.adapters.aws.bedrock import DIMENSIONS, TitanEmbedder

    dimensions = chosen.embedder_dimensions or DIMENSIONS[-1]
    if dimensions not in DIMENSIONS:
        raise SettingError("PALIMPSEST_EMBEDDER=bedrock takes PALIMPSEST_EMBEDDER_DIMENSIONS of 256, 512 or 1024")
    return TitanEmbedder(dimensions, chosen.embedder_seconds)


@cache
def _language_model() -> PricedModel | None:
    chosen = settings()
    if chosen.model == "off":
        return None
    from palimpsest.adapters.models.providers import Wanted

    key = _kept_key(chosen.model_key, chosen.model_key_secret)
    wanted = Wanted(chosen.model, key, chosen.model_url, chosen.model_effort, chosen.model_price)
    try:
        return wanted.made()
    except ValueError as error:
        raise SettingError(str(error)) from error


def _kept_key(key: str | None, secret: str | None) -> Callable[[], str | None]:
    if secret is None:
        return lambda: key
    from palimpsest.adapters.aws.secrets import KeptSecret

    return KeptSecret(secret)


@cache
def _reranker() -> PricedReranker | None:
    """None also where the language model looks again."""
    chosen = settings()
    if chosen.rerank in ("off", "model"):
        return None
    from palimpsest.adapters.models.rerankers import WantedReranker

    key = _kept_key(chosen.rerank_key, chosen.rerank_key_secret)
    try:
        return WantedReranker(chosen.rerank, key, chosen.rerank_url, chosen.rerank_price).made()
    except ValueError as error:
        raise SettingError(str(error)) from error


def _warm_up_reranker() -> None:
    from palimpsest.adapters.models.rerank_onnx import OnnxReranker
    from palimpsest.domain.errors import RerankerUnavailable

    priced = _reranker()
    if priced is not None and isinstance(priced.reranker, OnnxReranker):
        with suppress(RerankerUnavailable):  # each recall tells of it
            priced.reranker.warm_up()


def _rerank_threads(chosen: Settings) -> int:
    """What computes here leaves half of the cores to the arms."""
    return max(1, (os.cpu_count() or 2) // 2) if chosen.rerank.startswith("onnx:") else _RERANK_THREADS


def _engine_name(embedder: Embedder) -> str:
    from palimpsest.adapters.models.e5 import E5

    if not isinstance(embedder, E5):
        return settings().embedder
    engine = embedder.engine
    if engine is None:
        return "not loaded"
    return engine.name if engine.fallback is None else f"{engine.name} ({engine.fallback})"
