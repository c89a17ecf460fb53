"""The library put together: documents for callers, what reads them, and what keeps the index equal to their chunks."""

from __future__ import annotations

from palimpsest.domain.library.media_types import MediaTypes
from palimpsest.jobs.fetch_link import FetchLink
from palimpsest.jobs.fill_chunks import FillChunks
from palimpsest.jobs.follow_chunks import FollowChunks
from palimpsest.jobs.ingest_document import IngestDocument
from palimpsest.jobs.read_sections import ReadSections
from palimpsest.jobs.receive_upload import ReceiveUpload
from palimpsest.jobs.remove_chunks import RemoveChunks
from palimpsest.jobs.sweep_notes import SweepNotes
from palimpsest.stores.chunk_log import ChunkLog
from palimpsest.usecases.add_conversation import AddConversation
from palimpsest.usecases.add_document import AddDocument
from palimpsest.usecases.chunk_entries import ChunkEntries
from palimpsest.usecases.library import Library
from palimpsest.usecases.named_by import NamedBy
from palimpsest.usecases.reread_chunks import RereadChunks
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.steps import Steps
from palimpsest.usecases.upload_document import UploadDocument
from palimpsest.usecases.upload_paths import UploadPaths
from palimpsest.wiring.asking import asking
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def add_document(parts: Parts, stores: Stores, steps: Steps) -> AddDocument:
    return AddDocument(steps, stores.documents, parts.blobs, _media_types(parts), parts.fetcher, asking(parts, stores))


def upload_document(add: AddDocument, parts: Parts, stores: Stores) -> UploadDocument:
    places = parts.upload_places or UploadPaths(stores.deployment)
    return UploadDocument(add, stores.uploads, places, asking(parts, stores))


def receive_upload(add: AddDocument, parts: Parts, stores: Stores) -> ReceiveUpload:
    return ReceiveUpload(stores.uploads, add, parts.clock)


def add_conversation(parts: Parts, stores: Stores, steps: Steps) -> AddConversation:
    return AddConversation(add_document(parts, stores, steps), parts.ids)


def library(parts: Parts, stores: Stores, steps: Steps, recovery_days: int) -> Library:
    told = stores.documents, stores.chunks, parts.blobs, stores.cursors, recovery_days
    return Library(steps, *told, NamedBy(stores.links, stores.entities), asking(parts, stores))


def ingest(parts: Parts, stores: Stores, steps: Steps) -> IngestDocument:
    readers = {media_type: reader for reader in parts.readers for media_type in reader.endings.values()}
    sections = ReadSections(parts.blobs, stores.spaces, steps.scrub, parts.embedder, readers)
    fetch = FetchLink(stores.documents, parts.blobs, parts.fetcher, _media_types(parts), parts.clock)
    told = stores.documents, stores.chunks, fetch, sections, remove_chunks(parts, stores), parts.blobs, parts.embedder
    return IngestDocument(*told, parts.ids, parts.clock)


def remove_chunks(parts: Parts, stores: Stores) -> RemoveChunks:
    return RemoveChunks(stores.chunks, parts.clock)


def _media_types(parts: Parts) -> MediaTypes:
    return MediaTypes({ending: each for reader in parts.readers for ending, each in reader.endings.items()})


def follow_chunks(parts: Parts, stores: Stores, searching: Searching, notes: SweepNotes) -> FollowChunks:
    log = ChunkLog(parts.table)
    return FollowChunks(log, stores.tails, _entries(parts, stores), searching, notes, parts.clock)


def fill_chunks(parts: Parts, stores: Stores) -> FillChunks:
    return FillChunks(stores.documents, _entries(parts, stores), parts.embedder)


def reread_chunks(stores: Stores) -> RereadChunks:
    return RereadChunks(stores.chunks, stores.documents)


def _entries(parts: Parts, stores: Stores) -> ChunkEntries:
    return ChunkEntries(stores.chunks, parts.linguist)
