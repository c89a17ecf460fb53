"""How each kind of item is read: by the store that reads it in the product, from a table that holds the recordings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from palimpsest.domain.graph.links import parse_source
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import ChunkId, DocumentId, EntityId, KeyId, SpaceId
from palimpsest.domain.ledger import parse_entry
from palimpsest.domain.run import RunKind
from palimpsest.ports.table import Item, WholeTable
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores import (
    belief_codec,
    budget,
    canaries,
    changes,
    conflict_codec,
    document_codec,
    dues,
    duplicates,
    edges,
    entity_codec,
    erasures,
    events,
    findings,
    held_codec,
    link_codec,
    mutes,
    pins,
    recalls,
    reinforcements,
    run_codec,
    term_codec,
    unjudged,
    uploads,
    usages,
    vectors,
)
from palimpsest.stores.access_keys import AccessKeys
from palimpsest.stores.allowances import Allowances
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.builds import Builds
from palimpsest.stores.chunks import Chunks
from palimpsest.stores.codec import Reader
from palimpsest.stores.deployment import Deployment
from palimpsest.stores.generations import GenerationStore
from palimpsest.stores.idempotency import IdempotencyRecords
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.lagging import Lagging
from palimpsest.stores.learned import Learned
from palimpsest.stores.learnings import Learnings
from palimpsest.stores.leases import Leases
from palimpsest.stores.migrations import Migrations
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.sweeps import RESTS, Sweeps
from palimpsest.stores.texts import Words
from palimpsest.stores.unextracted import Unextracted
from palimpsest.stores.unreinforced import Unreinforced
from palimpsest.stores.watermarks import Watermarks
from tests.support.graph import link_store
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import START, SeededIds, TurnedClock

KEY = KeyId("owner")
REQUEST = Idempotency("recorded-request", b"recorded body")
SPACE = "recorded"
CONTENT = "Ola is allergic to nuts and sesame"
EMBEDDER = HashingEmbedder(dimensions=4)


@dataclass(frozen=True)
class Reading:
    """The stores over a table with recorded items."""

    table: WholeTable

    def of(self, kind: str, stored: Item) -> object:
        """What the item means; KeyError for a kind that nobody has said how to read."""
        return self.ways[kind](stored)

    @property
    def ways(self) -> Mapping[str, Callable[[Item], object]]:
        table, clock = self.table, TurnedClock()
        ids = SeededIds(clock)
        deployment = Deployment(table, ids)
        spaces, links = Spaces(table, clock, ids), link_store(table, ids)
        return {
            "head": belief_codec.read_head,
            "version": belief_codec.read_version,
            "event": events.read,
            "vectors": vectors.read,
            "due": dues.read,
            "pin": pins.read,
            "talk": lambda i: Reader(i).integer("turns"),
            "survey": lambda i: [Reader(i).integer("entries"), Reader(i).integer("embedded")],
            "survey_number": lambda i: Reader(i).integer("number"),
            "survey_axes": lambda i: [
                *Reader(i).texts("speakers"),
                *map(Reader(i).integer, ("number", "parts", "count")),
            ],
            "canary": canaries.read,
            "mute_arm": mutes.read,
            "canaries": mutes.read_checked,
            "reinforcement": reinforcements.read,
            "announced": lambda i: [Reader(i).text("log"), Reader(i).integer("revision")],
            "erasure": erasures.read,
            "erased_id": lambda i: parse_entry(Reader(i).text("entry")),
            "ledger_mark": lambda i: parse_entry(Reader(i).text("entry")),
            "ledger_walk": lambda i: [Reader(i).bytes("looked_for").hex(), *Reader(i).texts("after")],
            "text": lambda _: Beliefs(table, deployment, ids, EMBEDDER.model).find_text(
                spaces.ensure(SPACE), Words(CONTENT, "Ola")
            )[0],
            "text_holder": lambda i: Reader(i).text("root"),
            "change": changes.read_row,
            "watermark": lambda i: Watermarks(table, str(i["sk"])).read(LogPartition.of(str(i["pk"])[1:])),
            "space": lambda i: spaces.by_id(SpaceId(str(i["pk"]).partition("#")[2])),
            "space_name": lambda i: spaces.find(str(i["pk"]).partition("#")[2]),
            "idempotency": lambda _: IdempotencyRecords(table, deployment).answered(KEY, REQUEST, START),
            "conflict": conflict_codec.read,
            "listed_conflict": lambda i: Reader(i).text("sk"),
            "edge": edges.read,
            "finding": findings.read,
            "access_key": lambda i: AccessKeys(table).find(KeyId(str(i["pk"]).partition("#")[2])),
            "recall": lambda i: [
                Reader(i).text("refs").split(),
                Reader(i).text("prints").split(),
                Reader(i).instant("at"),
            ],
            "empty_recall": lambda i: [recalls.read(i).results, recalls.read(i).arms],
            "usage": usages.read,
            "rating": lambda i: Reader(i).text("rating"),
            "recaller": lambda i: list(Unreinforced(table).read(SpaceId(str(i["pk"]).partition("#")[2])).noted),
            "reinforcing": lambda i: Unreinforced(table).read(SpaceId(str(i["pk"]).partition("#")[2])).until,
            "generations": lambda _: GenerationStore(table).read(),
            "build": lambda i: Builds(table).read(str(i["pk"]).partition("#")[2]),
            "retired_generation": lambda _: GenerationStore(table).retired(),
            "deployment": lambda _: deployment.mac("recorded"),
            "lease": lambda i: Leases(table).read(_work(str(i["sk"]))),
            "lag": lambda _: Lagging(table).listed(START, 1),
            "budget": budget.read,
            "space_budget": budget.read,
            "unjudged": unjudged.read,
            "sweep": lambda _: Sweeps(table).due(START + RESTS, 1),
            "run": run_codec.read_run,
            "run_event": run_codec.read_event,
            "plan_page": run_codec.read_page,
            "allowance": lambda _: Allowances(table).spent(SpaceId("s"), START),
            "run_approval": lambda _: Allowances(table).approved_by(SpaceId("s"), RunKind.FORGET),
            "document": document_codec.read,
            "upload": uploads.read,
            "document_path": lambda i: Reader(i).text("document"),
            "manifest": lambda i: Chunks(table, ids, links).part(*_part(i)),
            "chunk": document_codec.read_chunk,
            "chunk_vectors": lambda i: Chunks(table, ids, links).vectors([ChunkId(str(i["pk"])[2:])], EMBEDDER.model),
            "chunk_change": lambda i: Reader(i).texts("chunks"),
            "extraction": lambda i: link_codec.read_all([i]),
            "mention": link_codec.read_mention,
            "relation": link_codec.read_relation,
            "held_out": held_codec.read_held,
            "term": term_codec.read_term,
            "term_event": term_codec.read_event,
            "entity": entity_codec.read_entity,
            "entity_event": entity_codec.read_event,
            "tally": lambda i: links.tallies.of([EntityId(str(i["pk"])[2:])]),
            "document_weight": lambda i: list(links.tallies.weights(EntityId(str(i["pk"])[2:])).items()),
            "merged_entity": lambda i: links.entities.group(EntityId(str(i["pk"])[2:])),
            "entity_name": lambda i: Reader(i).text("entity"),
            "seen_phrase": lambda i: Reader(i).parsed("source", parse_source),
            "counter": lambda i: Reader(i).integer("count"),
            "duplicate": duplicates.read,
            "unextracted": lambda i: Unextracted(table).since(SpaceId(str(i["pk"]).partition("#")[2])),
            "learning": lambda i: Learnings(table).find(DocumentId(str(i["pk"])[2:])),
            "learned": lambda i: Learned(table).find([ChunkId(str(i["pk"])[2:])]),
            "migration": lambda i: Migrations(table).read(str(i["sk"])),
        }


def _part(stored: Item) -> tuple[DocumentId, int, int]:
    edition, part = str(stored["sk"]).split("#")[1:]
    return DocumentId(str(stored["pk"])[2:]), int(edition), int(part)


def _work(sort_key: str) -> Work:
    job, _, subject = sort_key.partition("#")
    return Work(Job(job), subject)
