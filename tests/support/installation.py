"""A whole installation in memory: real embedded parts, a clock that the test turns, ids that repeat."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from palimpsest.adapters.documents.readers import all_readers
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.change_stream import StreamReader
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.adapters.web.fetcher import HttpFetcher
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import KeyId, ulid
from palimpsest.domain.source import Trust
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.fetcher import Fetcher
from palimpsest.ports.language_model import PricedModel
from palimpsest.ports.reranker import PricedReranker
from palimpsest.ports.search_index import SearchIndexes
from palimpsest.ports.table import Key, WholeTable
from palimpsest.ports.wiper import NothingToWipe, Wiper
from palimpsest.settings import Settings
from palimpsest.stores.tail import Timing
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.wired import Wired, wire
from tests.support.hashing_embedder import HashingEmbedder

OWNER = Caller(KeyId("owner"), Role.OWNER, spaces=None, max_trust=Trust.A1)
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class TurnedClock:
    """A clock that stands until it is turned, but for a millisecond at each look."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now

    def turn(self, by: timedelta) -> None:
        self._now += by


class SeededIds:
    """Ids from a seed, in the order of the clock."""

    def __init__(self, clock: TurnedClock, seed: int = 0) -> None:
        self._clock = clock
        self._random = random.Random(seed)

    def ulid(self) -> str:
        return ulid(int(self._clock.now().timestamp() * 1000), self._random.randbytes(10))

    def secret(self, size: int = 32) -> bytes:
        return self._random.randbytes(size)


@dataclass
class Installation:
    """What a test drives. Doorbells ring only when the test says so."""

    table: WholeTable
    sqlite: SqliteTable
    stream: StreamReader
    clock: TurnedClock
    wired: Wired
    queue: MemoryQueue

    def save(self, content: str, space: str = "default") -> str:
        """Save as the owner; the root id."""
        return self.wired.service.remember(OWNER, Draft(content, space=space)).memory.head.root

    def recalled(self, query: str, space: str = "default", limit: int = 10) -> list[str]:
        """The texts that a recall gives, best first."""
        answer = self.wired.service.recall(OWNER, RecallQuery(query, limit=limit, spaces=(space,), is_dry_run=True))
        return [each.version.statement.content for each in answer.memories]

    def doorbells(self) -> list[Key]:
        """The rows that the stream has announced since the last time."""
        records = self.stream.read_stream(100_000)
        if records:
            self.stream.acknowledge(records[-1].position)
        return [record.key for record in records]

    def index(self) -> None:
        """Ring every doorbell that has not rung."""
        self.wired.index_changes(self.doorbells())


def install(
    folder: Path,
    *,
    table: WholeTable | None = None,
    sqlite: SqliteTable | None = None,
    embedder: Embedder | None = None,
    refresh: timedelta = timedelta(0),
    settle: timedelta = timedelta(0),
    settings: Settings | None = None,
    prepare: bool = True,
    indexes: SearchIndexes | None = None,
    wiper: Wiper | None = None,
    queue: MemoryQueue | None = None,
    model: PricedModel | None = None,
    reranker: PricedReranker | None = None,
    ledger: Blobs | None = None,
    clock: TurnedClock | None = None,
    fetcher: Fetcher | None = None,
) -> Installation:
    """An installation whose index is ready if `prepare`; `table` stands before `sqlite` when it is given."""
    clock = clock or TurnedClock()
    queue = queue if queue is not None else MemoryQueue(lambda: clock.now().timestamp())
    sqlite = sqlite or SqliteTable(":memory:")
    parts = Parts(
        table=table or sqlite,
        indexes=indexes or EmbeddedIndexes(folder),
        embedder=embedder or HashingEmbedder(),
        linguist=Snowball(),
        phones=NumberingPlans(),
        markup=Lexbor(),
        blobs=BlobFiles(folder / "documents"),
        readers=all_readers(),
        fetcher=fetcher or HttpFetcher(resolve=lambda host, seconds: ()),
        clock=clock,
        ids=SeededIds(clock),
        timing=Timing(refresh=refresh, skew=timedelta(seconds=10), settle=settle),
        executor=ThreadPoolExecutor(4),
        engine_executor=ThreadPoolExecutor(4),
        query_executor=ThreadPoolExecutor(1),
        record_executor=ThreadPoolExecutor(1),
        rerank_executor=ThreadPoolExecutor(1),
        embedding_executor=ThreadPoolExecutor(1),
        queue=queue,
        wiper=wiper or NothingToWipe(),
        model=model,
        reranker=reranker,
        ledger=ledger,
    )
    wired = wire(parts, settings or Settings(key="k" * 43))
    if prepare:
        wired.build_index.prepare()
        wired.build_index.finish()
    return Installation(parts.table, sqlite, sqlite.stream_reader("test"), clock, wired, queue)
