"""Erasures put together: who begins them, and what takes a memory away."""

from __future__ import annotations

from palimpsest.jobs.apply_ledger import ApplyLedger
from palimpsest.jobs.erase import Erase as EraseSlices
from palimpsest.jobs.erase_derived import HideDerived
from palimpsest.jobs.erase_entries import IndexPlace
from palimpsest.jobs.erase_places import TablePlaces
from palimpsest.jobs.expire import Expire
from palimpsest.stores.derivations import Derivations
from palimpsest.stores.dispute_traces import DisputeTraces
from palimpsest.stores.handed_out import HandedOutRecords
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.traces import Traces
from palimpsest.usecases.erase import Erase
from palimpsest.usecases.searching import Searching
from palimpsest.usecases.service import Service
from palimpsest.usecases.serving import Serving
from palimpsest.usecases.steps import Steps
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.stores import Stores


def erase(parts: Parts, stores: Stores, steps: Steps) -> Erase:
    return Erase(steps, stores.erasures, parts.queue, parts.kept)


def serving(parts: Parts) -> Serving:
    return Serving(_ledger(parts), parts.clock)


def apply_ledger(parts: Parts, stores: Stores, service: Service) -> ApplyLedger | None:
    """None where the installation keeps no ledger."""
    ledger = _ledger(parts)
    if ledger is None:
        return None
    return ApplyLedger(ledger, service.serving, parts.table, stores.beliefs, service.erase.by_itself)


def _ledger(parts: Parts) -> Ledger | None:
    return None if parts.ledger is None else Ledger(parts.ledger, parts.table, parts.clock, parts.ids)


def erase_slices(parts: Parts, stores: Stores, searching: Searching, service: Service) -> EraseSlices:
    derivations = Derivations(parts.table)
    disputes = DisputeTraces(stores.edges, stores.conflicts, stores.findings)
    handed_out = HandedOutRecords(parts.table, stores.access_keys, stores.beliefs, stores.recalls)
    return EraseSlices(
        stores.erasures,
        stores.beliefs,
        stores.spaces,
        HideDerived(derivations, service.forget),
        TablePlaces(
            Traces(parts.table),
            derivations,
            disputes,
            handed_out,
            stores.links,
            stores.seen_phrases,
            stores.spaces,
        ),
        IndexPlace(searching),
        parts.wiper,
        parts.timing.settle,
        parts.queue,
        parts.clock,
        _ledger(parts),
    )


def expire(parts: Parts, stores: Stores, service: Service) -> Expire:
    begin = service.erase.by_itself
    return Expire(stores.dues, stores.beliefs, stores.spaces, service.forget, begin, parts.clock)
