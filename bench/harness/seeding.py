"""A data folder with many memories in one space, made by the product's own verbs, without embedding anything.

Drafts go through `remember`, so every item is what a save leaves behind. Three things differ: vectors are synthetic,
saves share transactions, and the clock is a made one that ends before now, so that nothing waits in a tail. The index
is then built from the table, as after `rebuild-index`.

    python -m harness.seeding FOLDER SPACE MEMORIES [EXTRA]

With `EXTRA` the model of the fast engine is made ready, too, so that the first start does not have to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from harness.bulk import MergingTable, SteppingClock, SteppingIds
from harness.clusters import ClusteredVectors
from harness.talk import Talk
from palimpsest.adapters.documents.readers import all_readers
from palimpsest.adapters.embedded.blob_files import BlobFiles
from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.embedded.work_queue import MemoryQueue
from palimpsest.adapters.models.e5 import E5, MODEL
from palimpsest.adapters.models.e5_engine import fastest_engine
from palimpsest.adapters.models.snowball import Snowball
from palimpsest.adapters.scrub.lexbor import Lexbor
from palimpsest.adapters.scrub.numbering_plans import NumberingPlans
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.ports.table import WholeTable
from palimpsest.settings import Settings
from palimpsest.stores.tail import ONE_MACHINE
from palimpsest.usecases.drafts import Draft, JudgeMode, Saved
from palimpsest.wiring.parts import Parts
from palimpsest.wiring.wired import Wired, wire

_SEED = 1
_BATCH = 50
_STEP = timedelta(seconds=20)
"""Between two batches: a hundred thousand memories took eleven hours, and the last was saved an hour ago."""


class NotSeeded(Exception):
    """A draft was not added."""


def seed(
    folder: Path,
    space: str,
    memories: int,
    *,
    has_extra: bool,
    mark: Callable[[int, Draft], Draft] = lambda _, draft: draft,
) -> None:
    """Fill `folder` and build its index; NotSeeded when a draft is refused. `mark` changes drafts by their number."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = SteppingClock(datetime.now(UTC) - timedelta(hours=1) - _STEP * (memories // _BATCH), _STEP)
    with SqliteTable(folder / "table.db", streamed_prefixes=()) as file, ThreadPoolExecutor(1) as executor:
        table = MergingTable(file)
        wired = wire(_parts(folder, table, clock, executor), Settings(data_dir=folder, embed_seconds=60.0))
        writer = Caller(KeyId("benchmark"), Role.OWNER, max_trust=Trust.A1)
        for at, drafts in enumerate(_batches(space, memories)):
            marked = [mark(at * _BATCH + place, draft) for place, draft in enumerate(drafts)]
            results = wired.service.remember_all(writer, marked)
            if not all(isinstance(result, Saved) and result.outcome == "added" for result in results):
                raise NotSeeded(next(result for result in results if not isinstance(result, Saved)))
            clock.step()
        table.flush()
        wired.build_index.begin()
        wired.build_index.finish()
        file.checkpoint()
    if has_extra:
        E5(fastest_engine(folder / "models")).warm_up()


@contextmanager
def opened(folder: Path) -> Iterator[Wired]:
    """The memory in a folder that was seeded, in this process; a query's vector is made up, too."""
    with SqliteTable(folder / "table.db", streamed_prefixes=()) as file, ThreadPoolExecutor(4) as executor:
        clock = SteppingClock(datetime.now(UTC), timedelta(0))
        yield wire(_parts(folder, file, clock, executor), Settings(data_dir=folder))


def _parts(folder: Path, table: WholeTable, clock: SteppingClock, executor: Executor) -> Parts:
    return Parts(
        table=table,
        indexes=EmbeddedIndexes(folder / "index"),
        embedder=ClusteredVectors(MODEL, _SEED),
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
    )


def _batches(space: str, memories: int) -> Iterator[list[Draft]]:
    turns = Talk(_SEED).turns(memories)
    while batch := [Draft(turn, space=space, judge=JudgeMode.OFF) for turn in islice(turns, _BATCH)]:
        yield batch


if __name__ == "__main__":
    seed(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), has_extra=len(sys.argv) > 4)
