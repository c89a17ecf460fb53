"""The search engines side by side: does OpenSearch answer what the embedded index answers?

Every turn of LoCoMo is saved once; then the same questions are asked of the embedded index and of one in OpenSearch,
both built from the one table. Told are the first hundred results and the first ten of them. Then the vectors alone: how
many of the ten nearest an engine finds, for each way to compress them.
"""

from __future__ import annotations

import secrets
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from harness import command, compression, locomo_data, machine, report
from harness.bulk import SteppingClock, SteppingIds
from harness.locomo_data import Conversation
from harness.timing import Spread
from palimpsest.adapters.aws.opensearch import OpenSearchIndexes
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.adapters.documents.readers import all_readers
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.adapters.models.e5 import E5
from palimpsest.adapters.models.e5_engine import fastest_engine
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Search, SearchIndex, SearchIndexes
from palimpsest.settings import Settings
from palimpsest.stores.tail import ONE_MACHINE
from palimpsest.usecases.answers import ArmState, RecallQuery
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Draft, JudgeMode, Saved, SourceClaim
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.wired import Wired, wire

_BATCH = 50
_POOL = 100
_FIRST = 10
_OVERLAP = 0.95
_WRITER = Caller(KeyId("benchmark"), Role.OWNER, max_trust=Trust.A1)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question brought: the results best first, the nearest by vector, and how long the recall took."""

    space: str
    vector: Vector
    pool: tuple[str, ...]
    nearest: tuple[str, ...]
    seconds: float


def main() -> None:
    options = _options()
    conversations = locomo_data.read(options.data)
    with tempfile.TemporaryDirectory() as made:
        folder: Path = options.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        embedder = E5(fastest_engine(folder / "models"))
        clock = SteppingClock(datetime.now(UTC) - timedelta(hours=1), timedelta(minutes=30))
        cluster = Cluster(options.opensearch, read_seconds=20)
        remote = OpenSearchIndexes(cluster, f"bench{secrets.token_hex(4)}")
        with SqliteTable(folder / "table.db", streamed_prefixes=()) as table, ThreadPoolExecutor(4) as executor:

            def over(indexes: SearchIndexes) -> Wired:
                return wire(
                    Parts(
                        table=table,
                        indexes=indexes,
                        embedder=embedder,
                        linguist=Snowball(),
                        phones=NumberingPlans(),
                        markup=Lexbor(),
                        blobs=BlobFiles(folder / "documents"),
                        readers=all_readers(),
                        clock=clock,
                        ids=SteppingIds(clock),
                        queue=MemoryQueue(),
                        timing=ONE_MACHINE,
                        executor=executor,
                        query_executor=executor,
                        record_executor=executor,
                        rerank_executor=executor,
                        engine_executor=executor,
                        embedding_executor=executor,
                    ),
                    Settings(data_dir=folder, embed_seconds=60.0, recall_seconds=25.0),
                )

            embedded, opensearch = over(EmbeddedIndexes(folder / "index")), over(remote)
            questions = list(_questions(conversations, options.questions))
            _save(embedded, conversations)
            clock.step()
            expected = _ask(embedded, questions)
            vectors = compression.vectors_of(embedded, conversations)
            clock.step()
            found = _ask(opensearch, questions)
            result = _tell(expected, found)
            result["compression"] = compression.tell(cluster, vectors, [(each.space, each.vector) for each in expected])
            state = opensearch.build_index.generations.read()
            if state.active is not None:
                remote.drop(state.active)
    facts = machine.facts(embedder.engine.name if embedder.engine else "")
    report.facts(facts)
    report.write(options.out, {"facts": facts, **result})


def _options() -> Namespace:
    parser = command.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE", help="the data set")
    parser.add_argument("--opensearch", required=True, metavar="URL", help="a running server")
    parser.add_argument("--questions", type=int, default=200, metavar="N", help="how many are asked")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="keep the memories there, and save none again")
    return parser.parse_args()


def _questions(conversations: Sequence[Conversation], wanted: int) -> Iterator[tuple[str, str]]:
    """Spread evenly over all that have evidence, with the space of each."""
    everything = [(each.name, question.text) for each in conversations for question in each.questions if question.gold]
    step = max(1, len(everything) // wanted)
    return islice(iter(everything[::step]), wanted)


def _save(wired: Wired, conversations: Sequence[Conversation]) -> None:
    for conversation in conversations:
        drafts = [
            Draft(
                turn.content,
                space=conversation.name,
                asserted_at=turn.said_at,
                source=SourceClaim(session=turn.session),
                judge=JudgeMode.OFF,
            )
            for turn in conversation.turns
        ]
        if conversation.name in {space.name for space in wired.build_index.spaces.every()}:
            continue
        for start in range(0, len(drafts), _BATCH):
            results = wired.service.remember_all(_WRITER, drafts[start : start + _BATCH])
            if not all(isinstance(result, Saved) for result in results):
                raise SystemExit(f"not saved: {results}")
        print(f"{conversation.name}: {len(drafts)} turns", flush=True)


def _ask(wired: Wired, questions: Sequence[tuple[str, str]]) -> list[Asked]:
    wired.build_index.begin()
    wired.build_index.finish()
    space = next(iter(wired.build_index.spaces.every()))
    _index(wired).sweep(space.id, lambda keys: ())  # a server shows everything after that
    return [_asked(wired, space, text) for space, text in questions]


def _index(wired: Wired) -> SearchIndex:
    searching = wired.build_index.fill.searching
    return searching.open(searching.answering()).index


def _asked(wired: Wired, name: str, text: str) -> Asked:
    recall = wired.service.recall
    space = recall.steps.spaces.find(name)
    if space is None:
        raise SystemExit(f"no space {name}")
    vector = recall.understand.embedder.query(text)
    began = time.perf_counter()
    answer = wired.service.recall(_WRITER, RecallQuery(text, _POOL, (name,), is_dry_run=True))
    seconds = time.perf_counter() - began
    if any(each.state in (ArmState.DEGRADED, ArmState.FAILED) for each in answer.arms):
        raise SystemExit(f"an arm did not do its part: {answer.arms}")
    nearest = _index(wired).vector(Search(space.id, (), lambda: vector, limit=_POOL))
    pool = tuple(entry_key(each.version.root, each.version.number) for each in answer.memories)
    return Asked(name, vector, pool, tuple(nearest.keys[:_FIRST]), seconds)


def _tell(expected: Sequence[Asked], found: Sequence[Asked]) -> dict[str, object]:
    pairs = list(zip(expected, found, strict=True))
    overlaps = [len({*a.pool} & {*b.pool}) / max(1, len({*a.pool} | {*b.pool})) for a, b in pairs]
    near = [pair for pair, overlap in zip(pairs, overlaps, strict=True) if overlap >= _OVERLAP]
    far = [pair for pair, overlap in zip(pairs, overlaps, strict=True) if overlap < _OVERLAP]
    rows = [_row("first hundred overlap by 95 %", near), _row("they do not", far), _row("all", pairs)]
    report.table("OpenSearch beside the embedded index", ("questions whose", "how many", *_MEASURES), rows)
    times = {
        "embedded": Spread.of([a.seconds for a, _ in pairs]),
        "opensearch": Spread.of([b.seconds for _, b in pairs]),
    }
    for name, spread in times.items():
        print(f"{name}: recall p50 {spread.p50} ms, p95 {spread.p95} ms")
    print(f"overlap of the first hundred: mean {sum(overlaps) / len(overlaps):.3f}, least {min(overlaps):.3f}")
    return {"rows": rows, "overlaps": overlaps, "recall_ms": times}


_MEASURES = ("same first ten", "same first", "of ten, mean", "nine of ten or more", "nearest ten found")


def _row(name: str, pairs: Sequence[tuple[Asked, Asked]]) -> tuple[object, ...]:
    if not pairs:
        return (name, 0, "-", "-", "-", "-", "-")
    shared = [len({*a.pool[:_FIRST]} & {*b.pool[:_FIRST]}) for a, b in pairs]
    values: Mapping[str, float] = {
        "same first ten": sum(a.pool[:_FIRST] == b.pool[:_FIRST] for a, b in pairs) / len(pairs),
        "same first": sum(a.pool[:1] == b.pool[:1] for a, b in pairs) / len(pairs),
        "of ten, mean": sum(shared) / len(pairs),
        "nine of ten or more": sum(each >= _FIRST - 1 for each in shared) / len(pairs),
        "nearest ten found": sum(len({*a.nearest} & {*b.nearest}) / _FIRST for a, b in pairs) / len(pairs),
    }
    return (name, len(pairs), *(values[measure] for measure in _MEASURES))


if __name__ == "__main__":
    main()
