"""Recalls through filters that one in a thousand memories passes, in process: do they fill their limit, and how fast?

The folder is seeded by the product's own saves, with made-up vectors. `first` is the recall that reads what the filter
needs to know of the whole space; the others find it in memory.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from harness import command, machine, report, seeding
from harness.timing import Spread
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, SourceClaim
from palimpsest.wiring.wired import Wired

SPACE = "filtered"
LIMIT = 50
RARE = 1_000
"""One memory in so many is marked."""
_REPEATED = 20
_READER = Caller(KeyId("benchmark"), Role.OWNER, max_trust=Trust.A1)

FILTERS: Mapping[str, Filters] = {
    "none": Filters(),
    "tags": Filters(tags=("rare",)),
    "metadata": Filters(metadata=(("project", ("rare",)),)),
    "session": Filters(session="rare"),
    "channel": Filters(channel="rare"),
    "attributed_to": Filters(attributed_to="Rare"),
    "source_agents": Filters(source_agents=("user_direct",)),
    "exclude_source_agents": Filters(exclude_source_agents=("mcp",)),
    "min_trust": Filters(min_trust=Trust.A1),
    "all of these": Filters(
        tags=("rare",),
        metadata=(("project", ("rare",)),),
        session="rare",
        channel="rare",
        attributed_to="Rare",
        source_agents=("user_direct",),
        exclude_source_agents=("mcp",),
        min_trust=Trust.A1,
    ),
    "half, by a tag": Filters(tags=("half",)),
}


@dataclass(frozen=True, slots=True)
class Filtered:
    """How recalls through one filter went. `found`: results of each; `first`: milliseconds of the first."""

    name: str
    found: int
    first: float
    spread: Spread


def mark(number: int, draft: Draft) -> Draft:
    """The draft of that number, of the few or of the many."""
    if number % RARE == RARE // 2:
        source = SourceClaim("user_direct", "rare", "rare")
        metadata = '{"project":"rare"}'
        return replace(draft, tags=("rare",), metadata=metadata, source=source, attributed_to="Rare")
    source = SourceClaim("mcp", f"session {number // 200}", "chat")
    tags = ("half",) if number % 2 else ()
    return replace(draft, tags=tags, metadata=f'{{"project":"p{number % 7}"}}', source=source, attributed_to="Marta")


def measure(memories: int, folder: Path) -> list[Filtered]:
    """One for each filter, over so many memories."""
    seeding.seed(folder, SPACE, memories, has_extra=False, mark=mark)
    with seeding.opened(folder) as wired:
        _recall(wired, Filters())  # the space comes into memory
        return [_filtered(wired, name, filters) for name, filters in FILTERS.items()]


def main() -> None:
    options = command.parser(__doc__)
    options.add_argument("--memories", type=int, default=100_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(given.memories, Path(folder))
    rows = [(each.name, each.found, each.first, each.spread.p50, each.spread.p95) for each in found]
    title = f"{given.memories:,} memories, {LIMIT} asked for; processor milliseconds"
    report.table(title, ("filter", "found", "first", "p50", "p95"), rows)
    report.facts(machine.facts("made-up vectors"))
    report.write(given.out, {"filters": [asdict(each) for each in found]})


def _filtered(wired: Wired, name: str, filters: Filters) -> Filtered:
    found, first = _recall(wired, filters)
    again = [_recall(wired, filters)[1] for _ in range(_REPEATED)]
    return Filtered(name, found, round(1000 * first, 2), Spread.of(again))


def _recall(wired: Wired, filters: Filters) -> tuple[int, float]:
    """How many results, and the seconds of processor time of all threads."""
    begun = time.process_time()
    query = RecallQuery("what did they say about the garden party", LIMIT, (SPACE,), filters=filters, is_dry_run=True)
    answer = wired.service.recall(_READER, query)
    return len(answer.hits), time.process_time() - begun


if __name__ == "__main__":
    main()
