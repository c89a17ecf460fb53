"""Erasures put together: who begins them, and what takes a memory away."""

from __future__ import annotations

from palimpsest.jobs.apply_ledger import ApplyLedger
from palimpsest.jobs.erase import Erase as EraseSlices
from palimpsest.jobs.erase_derived import HideDerived
from palimpsest.jobs.erase_document import ChunkKeys, OfDocuments
from palimpsest.jobs.erase_entries import IndexPlace, versions
from palimpsest.jobs.erase_places import OfBeliefs
from palimpsest.jobs.expire import Expire
from palimpsest.stores.derivations import Derivations
from palimpsest.stores.dispute_traces import DisputeTraces
from palimpsest.stores.handed_out import HandedOutRecords
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.traces import Traces
from palimpsest.usecases.erase import Erase
from palimpsest.usecases.erase_document import EraseDocument
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.service import Service
from palimpsest.usecases.serving import Serving
from palimpsest.usecases.steps import Steps
from palimpsest.wiring import library
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def erase(parts: Parts, stores: Stores, steps: Steps) -> Erase:
    return Erase(steps, stores.erasures, parts.queue, parts.kept)


def erase_document(erasing: Erase, stores: Stores) -> EraseDocument:
    return EraseDocument(erasing, stores.documents)


def serving(parts: Parts) -> Serving:
    return Serving(_ledger(parts), parts.clock)


def apply_ledger(parts: Parts, stores: Stores, service: Service) -> ApplyLedger | None:
    """None where the installation keeps no ledger."""
    ledger = _ledger(parts)
    if ledger is None:
        return None
    documents = stores.documents, service.erase_document.by_itself
    return ApplyLedger(ledger, service.serving, parts.table, stores.beliefs, service.erase.by_itself, *documents)


def _ledger(parts: Parts) -> Ledger | None:
    return None if parts.ledger is None else Ledger(parts.ledger, parts.table, parts.clock, parts.ids)


def erase_slices(parts: Parts, stores: Stores, searching: Searching, service: Service) -> EraseSlices:
    return EraseSlices(
        stores.erasures,
        _of_beliefs(parts, stores, searching),
        _of_documents(parts, stores, searching),
        HideDerived(Derivations(parts.table), service.forget),
        IndexPlace(searching, versions),
        parts.wiper,
        parts.timing.settle,
        parts.queue,
        parts.clock,
        _ledger(parts),
    )


def _of_beliefs(parts: Parts, stores: Stores, searching: Searching) -> OfBeliefs:
    disputes = DisputeTraces(stores.edges, stores.conflicts, stores.findings)
    handed_out = HandedOutRecords(parts.table, stores.access_keys, stores.beliefs, stores.recalls)
    traces, derivations = Traces(parts.table), Derivations(parts.table)
    entries = IndexPlace(searching, versions)
    told = stores.erasures, stores.beliefs, entries, parts.clock
    graph = stores.links, stores.seen_phrases
    return OfBeliefs(
        *told, traces, derivations, disputes, handed_out, *graph, stores.spaces, stores.surveys, stores.mutes
    )


def _of_documents(parts: Parts, stores: Stores, searching: Searching) -> OfDocuments:
    entries = IndexPlace(searching, ChunkKeys(stores.chunks))
    told = stores.documents, stores.chunks, library.remove_chunks(parts, stores), parts.blobs, entries
    graph = stores.links, stores.seen_phrases
    return OfDocuments(
        stores.erasures, *told, *graph, stores.leases, Traces(parts.table), parts.clock, stores.surveys, stores.mutes
    )


def expire(parts: Parts, stores: Stores, service: Service) -> Expire:
    begin = service.erase.by_itself
    documents = stores.documents, service.erase_document.by_itself
    return Expire(stores.dues, stores.beliefs, stores.spaces, service.forget, begin, *documents, parts.clock)
