"""Where everything lies; `library_keys`, `graph_keys` and `recall_keys` have those of documents, the graph and recalls.

Nothing else spells keys; the page of access patterns says who reads them.

No user text stands in a key, since keys reach logs and metrics: texts go in as a keyed hash. The one exception is the
name of a space, which its owner chose as a name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.belief import State
from palimpsest.domain.budget import Scope
from palimpsest.domain.ids import (
    ConflictId,
    DocumentId,
    ErasureId,
    FindingId,
    KeyId,
    RootId,
    RunId,
    SpaceId,
)
from palimpsest.ports.embedder import Model
from palimpsest.ports.table import Key

KEYS = "KEYS"
SPACES = "SPACES#0"
PENDING_SHARDS = 4
DUE_SHARDS = 4

TEXT_RECORD = "K"
_VERSION = "V#"
_CHUNKS = "C"
_EVENT = "E#"

KINDS: Final[Mapping[tuple[str, str], str]] = {
    ("M#", "H"): "head",
    ("M#", _VERSION): "version",
    ("M#", _EVENT): "event",
    ("M#", "X#"): "vectors",
    ("M#", "D"): "due",
    ("M#", "T#"): "announced",
    ("M#", "L#"): "edge",
    ("M#", "S"): "reinforcement",
    ("M#", "RT#"): "rating",
    ("PIN#", ""): "pin",
    ("K#", TEXT_RECORD): "text",
    ("K#", "H#"): "text_holder",
    ("T#", ""): "change",
    ("TW#", ""): "watermark",
    ("S#", "S"): "space",
    ("SN#", "S"): "space_name",
    ("I#", "I"): "idempotency",
    ("C#", "C"): "conflict",
    ("CL#", ""): "listed_conflict",
    ("F#", "F"): "finding",
    ("KEY#", "KEY"): "access_key",
    ("EC#", "none#"): "empty_recall",
    ("EC#", ""): "recall",
    ("RU#", "A"): "reinforcing",
    ("RU#", "K#"): "recaller",
    ("IX", "A"): "generations",
    ("IXB#", "B"): "build",
    ("IXR", ""): "retired_generation",
    ("DEPLOYMENT", "SECRET"): "deployment",
    ("MIGRATION", ""): "migration",
    ("WORK", ""): "lease",
    ("TL#", "L"): "lag",
    ("SW#", "S"): "sweep",
    ("BG#", "A"): "budget",
    ("BG#", "S"): "space_budget",
    ("JP#", "J"): "unjudged",
    ("R#", "R"): "run",
    ("R#", _EVENT): "run_event",
    ("R#", "P#"): "plan_page",
    ("RA#", "A"): "allowance",
    ("RP#", ""): "run_approval",
    ("ER#", "E"): "erasure",
    ("ED#", "D"): "erased_id",
    ("LEDGER", "A"): "ledger_mark",
    ("LEDGER", "W"): "ledger_walk",
    ("D#", "D"): "document",
    ("D#", "G#"): "manifest",
    ("D#", "L"): "learning",
    ("P#", "P"): "document_path",
    ("UP#", "U"): "upload",
    ("Q#", "Q"): "chunk",
    ("Q#", "X#"): "chunk_vectors",
    ("Q#", "F"): "learned",
    ("TC#", ""): "chunk_change",
    ("M#", "GX#"): "extraction",
    ("M#", "GM#"): "mention",
    ("M#", "GR#"): "relation",
    ("M#", "GH#"): "held_out",
    ("Q#", "GX#"): "extraction",
    ("Q#", "GM#"): "mention",
    ("Q#", "GR#"): "relation",
    ("Q#", "GH#"): "held_out",
    ("S#", "VOC#"): "term",
    ("S#", "VE#"): "term_event",
    ("N#", "N"): "entity",
    ("N#", _EVENT): "entity_event",
    ("N#", "C"): "tally",
    ("N#", "D#"): "document_weight",
    ("N#", "M#"): "merged_entity",
    ("NK#", "K"): "entity_name",
    ("NP#", "P"): "duplicate",
    ("PS#", "S"): "seen_phrase",
    ("S#", "CT#"): "counter",
    ("S#", "RD#"): "usage",
    ("XD#", "X"): "unextracted",
    ("SE#", "T"): "talk",
    ("S#", "VS#"): "survey",
    ("S#", "VA#"): "survey_axes",
    ("S#", "VN"): "survey_number",
    ("CN#", "C"): "canary",
    ("CN#", "M#"): "mute_arm",
    ("CANARY", "A"): "canaries",
}
"""Every kind of item, by how its keys begin: up to and with their first ``#``, or whole. No sort key: any."""


def kind(key: Key) -> str | None:
    """What lies under the key: a word of `KINDS`; None for what no release of ours up to this one writes."""
    pk, sk = _beginning(key.pk), _beginning(key.sk)
    return KINDS.get((pk, sk)) or KINDS.get((pk, ""))


def _beginning(text: str) -> str:
    head, mark, _ = text.partition("#")
    return head + mark


def head(root: RootId) -> Key:
    return Key(f"M#{root}", "H")


def root_of_head(place: Key) -> RootId:
    """Whose head lies there."""
    return RootId(place.pk.partition("#")[2])


def version(root: RootId, number: int) -> Key:
    return Key(f"M#{root}", f"{_VERSION}{number:08d}")


def event(root: RootId, revision: int) -> Key:
    return Key(f"M#{root}", f"{_EVENT}{revision:08d}")


def model_digest(model: Model) -> str:
    """A short name for a model: vectors of different digests are never compared."""
    return hashlib.sha256(f"{model.name}\n{model.revision}\n{model.dimensions}".encode()).hexdigest()[:16]


def vectors(root: RootId, model: Model, number: int) -> Key:
    return Key(f"M#{root}", f"X#{model_digest(model)}#{number:08d}")


def announced(root: RootId, ulid: str) -> Key:
    """Names a row of the change log that was written beside a belief's steps."""
    return Key(f"M#{root}", f"T#{ulid}")


def shard_of(root: RootId, shards: int) -> int:
    """The shard of a belief among `shards`, a power of four; a belief keeps to its shard while the number stands."""
    return int.from_bytes(hashlib.sha256(root.encode()).digest()[:2], "big") % shards


def listing(space: SpaceId, state: State, shard: int) -> str:
    """Partition, in index one, of the beliefs of a space that are in `state`."""
    return f"S#{space}#M#{state}#{shard}"


def listed(created: str, root: RootId) -> str:
    """Sort key in `listing`: by time of creation."""
    return f"{created}#{root}"


def root_of_listed(sort_key: str) -> RootId:
    return RootId(sort_key.rpartition("#")[2])


def pending(shard: int) -> str:
    """Partition, in index two, of the beliefs whose current version waits for its vectors."""
    return f"EMBED#{shard}"


def due(root: RootId) -> Key:
    """The entry of a belief that ends by itself."""
    return Key(f"M#{root}", "D")


def due_list(shard: int) -> str:
    """Partition, in index two, of the beliefs that end by themselves."""
    return f"DUE#{shard}"


def pins(space: SpaceId) -> str:
    """Partition of a space's pinned beliefs."""
    return f"PIN#{space}"


def pin(space: SpaceId, root: RootId) -> Key:
    return Key(pins(space), root)


def text(space: SpaceId, mac: str) -> Key:
    return Key(f"K#{space}#{mac}", TEXT_RECORD)


def text_holder(space: SpaceId, mac: str, root: RootId) -> Key:
    """Of a belief that says what another one has the record of; it sorts before the record."""
    return Key(f"K#{space}#{mac}", f"H#{root}")


@dataclass(frozen=True, slots=True)
class LogPartition:
    """One shard of one space's change log. `is_of_chunks`: it tells of chunks and not of beliefs."""

    space: SpaceId
    shard: int
    is_of_chunks: bool = False

    @property
    def pk(self) -> str:
        return f"{'TC' if self.is_of_chunks else 'T'}#{self.space}#{self.name}"

    @property
    def name(self) -> str:
        """The shard in keys of what is kept about the log."""
        return f"{_CHUNKS if self.is_of_chunks else ''}{self.shard}"

    @classmethod
    def of(cls, pk: str) -> LogPartition:
        _, space, name = pk.split("#")
        return cls(SpaceId(space), int(name.removeprefix(_CHUNKS)), name.startswith(_CHUNKS))


def chunk_log(space: SpaceId) -> LogPartition:
    """The log of what becomes of a space's chunks."""
    return LogPartition(space, 0, is_of_chunks=True)


LOGS: Final = ("T#", "TC#")
"""What the partition keys of change logs begin with."""


def is_log(key: Key) -> bool:
    """The key is that of a row of some space's change log."""
    return key.pk.startswith(LOGS)


def log_row(partition: LogPartition, ulid: str, root: RootId, revision: int) -> Key:
    return Key(partition.pk, f"{ulid}#{root}#{revision:08d}")


def root_of_row(place: str) -> RootId:
    """The belief of the row of a change log at that place."""
    return RootId(place.split("#")[1])


def watermark(partition: LogPartition, consumer: str) -> Key:
    return Key(f"TW#{partition.space}#{partition.name}", consumer)


def space(space: SpaceId) -> Key:
    return Key(f"S#{space}", "S")


def space_name(name: str) -> Key:
    return Key(f"SN#{name}", "S")


def idempotency(key: KeyId, mac: str) -> Key:
    return Key(f"I#{key}#{mac}", "I")


def conflict(conflict: ConflictId) -> Key:
    return Key(f"C#{conflict}", "C")


def conflicts(space: SpaceId, state: str) -> str:
    """Partition of the list of a space's conflicts that are in `state`."""
    return f"CL#{space}#{state}"


def listed_conflict(space: SpaceId, state: str, opened: str, conflict: ConflictId) -> Key:
    return Key(conflicts(space, state), f"{opened}#{conflict}")


def finding(finding: FindingId) -> Key:
    return Key(f"F#{finding}", "F")


def findings(space: SpaceId, state: str) -> str:
    """Partition, in index one, of the findings of a space that are in `state`."""
    return f"S#{space}#F#{state}"


EDGES = "L#"


def edge(root: RootId, relation: str, other: RootId | DocumentId) -> Key:
    return Key(f"M#{root}", f"{EDGES}{relation}#{other}")


def edges_to(end: RootId | DocumentId) -> str:
    """Partition, in index two, of the edges of beliefs that lead to this belief or document."""
    return f"L#{end}"


def talk(space: SpaceId, mac: str) -> Key:
    """`mac`: of the session's name."""
    return Key(f"SE#{space}#{mac}", "T")


SURVEYS: Final = ("VS#", "VA#")
"""How the sort keys of surveys begin, in the partition of their space."""


def survey(space: SpaceId, model: Model) -> Key:
    return Key(f"S#{space}", f"VS#{model_digest(model)}")


def survey_axes(space: SpaceId, model: Model, part: int) -> Key:
    """Apart, since they are large and seldom read; in parts, since those of long vectors fit no item."""
    return Key(f"S#{space}", f"VA#{model_digest(model)}#{part:02d}")


def survey_number(space: SpaceId) -> Key:
    return Key(f"S#{space}", "VN")


def access_key(key: KeyId) -> Key:
    return Key(f"KEY#{key}", "KEY")


def generations() -> Key:
    return Key("IX", "A")


RETIRED = "IXR"
"""Partition of the generations that are to be taken away."""


def build(generation: str) -> Key:
    return Key(f"IXB#{generation}", "B")


def retired(generation: str) -> Key:
    return Key(RETIRED, generation)


def deployment() -> Key:
    return Key("DEPLOYMENT", "SECRET")


LEASES = "WORK"
"""Partition of the leases of background work."""


def lease(job: str, subject: str) -> Key:
    return Key(LEASES, f"{job}#{subject}")


LAGGING = "LAG"
"""Partition, in index two, of the change logs that an index could not follow."""


def lag(partition: LogPartition) -> Key:
    return Key(f"TL#{partition.space}#{partition.name}", "L")


SWEEPS = "SWEEP"
"""Partition, in index two, of the spaces whose entries are to be swept."""


def sweep(space: SpaceId) -> Key:
    return Key(f"SW#{space}", "S")


AFTER_ALL = "~"
"""Behind every sort key that begins with the text before it."""


def unjudged(root: RootId) -> Key:
    """What waits for a model's judgement of a version of the belief."""
    return Key(f"JP#{root}", "J")


def root_of_unjudged(pk: str) -> RootId:
    return RootId(pk.partition("#")[2])


def unjudged_list(shard: int) -> str:
    """Partition, in index two, of the versions that a model has still to judge."""
    return f"JUDGE#{shard}"


def budget(scope: Scope) -> Key:
    """What calls of the model may cost on a day: of a space, or of everybody together."""
    day = scope.day.isoformat()
    return Key(f"BG#{day}", "A") if scope.space is None else Key(f"BG#{day}#{scope.space}", "S")


def run(run: RunId) -> Key:
    return Key(f"R#{run}", "R")


def run_event(run: RunId, number: int) -> Key:
    return Key(f"R#{run}", f"{_EVENT}{number:08d}")


def plan_page(run: RunId, number: int) -> Key:
    return Key(f"R#{run}", f"P#{number:08d}")


def run_events() -> str:
    """Sort keys of a run's events and of its plan begin here; the events come first."""
    return _EVENT


def plan_end() -> str:
    """Behind the last sort key of a plan."""
    return "P#~"


def runs_of(space: SpaceId) -> str:
    """Partition, in index one, of the runs of a space."""
    return f"S#{space}#R"


def listed_run(begun: str, run: RunId) -> str:
    """Sort key in `runs_of`: by time."""
    return f"{begun}#{run}"


WORKING_RUNS = "RUNS"
"""Partition, in index two, of the runs that have something to do."""


def allowance(space: SpaceId) -> Key:
    return Key(f"RA#{space}", "A")


def run_approval(space: SpaceId, kind: str) -> Key:
    return Key(f"RP#{space}", kind)


ERASING = "ERASE"
"""Partition, in index two, of the erasures that are under way."""


def erasure(erasure: ErasureId) -> Key:
    return Key(f"ER#{erasure}", "E")


def erasures(space: SpaceId) -> str:
    """Partition, in index one, of a space's erasures."""
    return f"S#{space}#ER"


def erased_id(digest: str) -> Key:
    """Says that a belief was erased, by the digest of its id: also of one that this table never had."""
    return Key(f"ED#{digest}", "D")


def ledger_mark() -> Key:
    """Up to where the table has the ledger of erased ids."""
    return Key("LEDGER", "A")


def ledger_walk() -> Key:
    """How far the walk has come that erases again what a restored table has of it."""
    return Key("LEDGER", "W")


def migration(target: str) -> Key:
    return Key("MIGRATION", target)


def version_range(low: int, high: int) -> tuple[str, str]:
    """Sort keys of the versions from `low` to `high`, both included."""
    return f"{_VERSION}{low:08d}", f"{_VERSION}{high:08d}"


def event_range(low: int, high: int) -> tuple[str, str]:
    """Sort keys of the events with revisions from `low` to `high`, both included."""
    return f"{_EVENT}{low:08d}", f"{_EVENT}{high:08d}"
