"""A filtered recall gives what is left when everything is filtered by hand, wherever it lies, whatever is combined."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.belief import Memory, Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.answers import ArmState, RecallQuery
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, START, Installation, install

DAY: Final = timedelta(days=1)
MANY: Final = 24
"""In each space, so that one recall can give all versions of all three."""
SPACES = ("red", "blue", "green")
TAGS = ("home", "work")
AGENTS = ("api", "mcp", "external_web")
SESSIONS = CHANNELS = PEOPLE = (None, "one", "two")
VALUES: tuple[Any, ...] = (None, True, 1, "1", 2.5, [1, "x"], {"n": 1})
SCALARS: tuple[Any, ...] = (None, True, 1, 1.0, "1", 2.5, "x")


@dataclass(frozen=True)
class Held:
    """Three spaces: in the first everything is indexed, in the second half of it, in the third nothing."""

    memory: Installation

    def everything(self, filters: Filters, spaces: tuple[str, ...]) -> list[Memory]:
        """All that answers at the time of the filters, or all versions where stale ones are asked for too."""
        service = self.memory.wired.service
        timed = Filters(as_of=filters.as_of, believed_at=filters.believed_at)
        found = [
            memory
            for space in spaces
            for memory in service.list_memories(OWNER, ListQuery(space, timed, limit=200)).memories
        ]
        if not filters.shows_stale:
            return found
        roots = {each.head.root: each.head.count for each in found}
        refs = [VersionRef(root, number + 1) for root, count in roots.items() for number in range(count)]
        return [service.read(OWNER, ref) for ref in refs]


def drafts(number: int) -> Draft:
    """All traits, in combinations that repeat at different distances."""
    metadata = {"n": VALUES[number % len(VALUES)]} | ({"kind": "odd"} if number % 2 else {})
    return Draft(
        f"kot number{number}",
        memory_type=list(MemoryType)[number % 4],
        tags=TAGS[: number % 3],
        metadata=json.dumps(metadata),
        source=SourceClaim(AGENTS[number % 3], SESSIONS[number // 2 % 3], CHANNELS[number // 3 % 3]),
        attributed_to=PEOPLE[number // 4 % 3],
        event_date=START - number * DAY if number % 5 else None,
    )


@cache
def held() -> Held:
    memory = install(Path(tempfile.mkdtemp()), embedder=HashingEmbedder())
    service = memory.wired.service
    for space, indexed in zip(SPACES, (MANY, MANY // 2, 0), strict=True):
        for number in range(MANY):
            if number == indexed:
                memory.index()
            done = service.remember(OWNER, replace(drafts(number), space=space)).memory.head.root
            if number % 6 == 5:
                memory.clock.turn(DAY)
                service.revise(OWNER, VersionRef(done), Revision(f"kot again{number}", MemoryType.EPISODE))
            if number % 7 == 6:
                service.annotate(OWNER, VersionRef(done), Annotation(tags=("home", "late")))
        if indexed == MANY:
            memory.index()
    return Held(memory)


def some(values: tuple[Any, ...], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.sampled_from(values), max_size=most, unique_by=repr).map(tuple)


def one(values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    return st.none() | st.sampled_from(values)


@st.composite
def filters(draw: st.DrawFn) -> Filters:
    """Few filters at a time, so that something is left."""
    everything = {
        "memory_types": some(tuple(MemoryType), 3),
        "tags": some((*TAGS, "late")),
        "metadata": st.tuples(st.tuples(st.just("n"), some(SCALARS, 3).filter(bool))),
        "session": one(SESSIONS[1:]),
        "channel": one(CHANNELS[1:]),
        "attributed_to": one(PEOPLE[1:]),
        "source_agents": some(AGENTS),
        "exclude_source_agents": some((*AGENTS, "nobody")),
        "min_trust": one(tuple(Trust)),
        "dated_from": one((START - 20 * DAY, START)),
        "dated_until": one((START - 3 * DAY, START + 4 * DAY)),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(everything)), max_size=4, unique=True))
    given: dict[str, Any] = {name: draw(everything[name]) for name in chosen}
    match draw(st.sampled_from(("now", "stale", "as of", "believed"))):
        case "stale":
            given["statuses"] = (Status.CURRENT, Status.STALE)
        case "as of":
            given["as_of"] = START + draw(st.integers(0, 12)) * DAY
        case "believed":
            given["believed_at"] = START + draw(st.integers(0, 16)) * DAY
    return Filters(**given)


def passes(each: Memory, asked: Filters) -> bool:
    """By what is told of a memory alone."""
    said = each.version.statement
    source, dated = said.source, said.event_date or said.asserted_at
    held = json.loads(said.metadata)
    return all(
        (
            not asked.memory_types or said.memory_type in asked.memory_types,
            all(tag in each.head.annotations.tags for tag in asked.tags),
            all(name in held and any(_has(held[name], v) for v in values) for name, values in asked.metadata),
            asked.session in (None, source.session),
            asked.channel in (None, source.channel),
            asked.attributed_to in (None, said.attributed_to),
            not asked.source_agents or source.agent in asked.source_agents,
            source.agent not in asked.exclude_source_agents,
            asked.min_trust is None or source.trust <= asked.min_trust,  # the words sort as they rank
            asked.dated_from is None or dated >= asked.dated_from,
            asked.dated_until is None or dated <= asked.dated_until,
        )
    )


def _has(held: Any, value: Any) -> bool:
    plain = held if isinstance(held, list) else [held]
    return any(each == value and isinstance(each, bool) == isinstance(value, bool) for each in plain)


@given(filters(), st.sets(st.sampled_from(SPACES), min_size=1).map(sorted).map(tuple))
def test_a_filtered_recall_gives_what_is_left_of_everything(asked: Filters, spaces: tuple[str, ...]) -> None:
    here = held()
    expected = {each.version.ref for each in here.everything(asked, spaces) if passes(each, asked)}

    answer = here.memory.wired.service.recall(OWNER, RecallQuery("kot", 100, spaces, ("memory",), asked))

    assert {each.version.ref for each in answer.memories} == expected
    assert {arm.name for arm in answer.arms if arm.state is ArmState.FAILED} == set()
