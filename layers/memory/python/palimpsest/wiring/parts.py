"""What is put together: the outside world, as an installation has it."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field

from palimpsest.domain.erasure import Leftovers
from palimpsest.domain.language import Linguist
from palimpsest.ports.blobs import Blobs
from palimpsest.ports.clock import Clock
from palimpsest.ports.document_reader import DocumentReader
from palimpsest.ports.embedder import Embedder
from palimpsest.ports.fetcher import Fetcher, FetchesNothing
from palimpsest.ports.ids import Ids
from palimpsest.ports.language_model import PricedModel
from palimpsest.ports.markup import Markup
from palimpsest.ports.phones import PhoneBook
from palimpsest.ports.reranker import PricedReranker
from palimpsest.ports.search_index import SearchIndexes
from palimpsest.ports.secret import Secret
from palimpsest.ports.table import WholeTable
from palimpsest.ports.upload_places import UploadPlaces
from palimpsest.ports.wiper import NothingToWipe, Wiper
from palimpsest.ports.work_queue import WorkQueue
from palimpsest.stores.tail import Timing


@dataclass(frozen=True, slots=True)
class Parts:
    """The outside world, as an installation has it.

    Attributes:
        executor: Where the arms of a recall run that ask the table.
        engine_executor: Where those run that ask the search index: apart, so that an engine that hangs keeps no others.
        query_executor: Where queries are embedded: apart, so that a slow embedder never keeps the arms waiting.
        record_executor: Where recalls are recorded, and uses of memories read, while their answers are made.
        rerank_executor: Where rerankers run: apart, so that a slow one never keeps the arms waiting.
        embedding_executor: Where saves are embedded: apart, so that a large batch never keeps a recall waiting.
        owner_secret: Holds the owner's key when no setting gives it.
        model: The language model with its price; None when there is none.
        reranker: A reranker other than the language model, with its price; None when there is none.
        wiper: Sees to it that what is deleted leaves the table's own files.
        kept: What the installation keeps of what is deleted, for the receipts of erasures.
        blobs: Where documents are kept as they came.
        readers: Of documents, one for each format.
        ledger: Where the digests of erased ids are kept, outside of the table; None: nowhere.
        fetcher: Of what links lead to.
        upload_places: Where uploads go; None: to this server.
    """

    table: WholeTable
    indexes: SearchIndexes
    embedder: Embedder
    linguist: Linguist
    clock: Clock
    ids: Ids
    timing: Timing
    executor: Executor
    engine_executor: Executor
    query_executor: Executor
    record_executor: Executor
    rerank_executor: Executor
    embedding_executor: Executor
    queue: WorkQueue
    phones: PhoneBook
    markup: Markup
    blobs: Blobs
    readers: tuple[DocumentReader, ...]
    owner_secret: Secret | None = None
    model: PricedModel | None = None
    reranker: PricedReranker | None = None
    wiper: Wiper = field(default_factory=NothingToWipe)
    kept: Leftovers = field(default_factory=Leftovers)
    ledger: Blobs | None = None
    fetcher: Fetcher = field(default_factory=FetchesNothing)
    upload_places: UploadPlaces | None = None
