"""Entities that were merged go with the last of their sources that is erased, and leave no name behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.stores import keys
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.entities import EntityEdit
from tests.support.graph import entities, everything, key_of, require_counts, settle
from tests.support.installation import OWNER, Installation, install

OF_ENTITIES = {"entity", "entity_name", "entity_event", "merged_entity"}
FIRMS = ("Acme", "Globex", "Initech")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def merged(memory: Installation) -> list[RootId]:
    """Memories, of which each names one of the firms; each firm counts for the next one."""
    roots = [RootId(memory.save(f"The worker was written by {firm} Corp")) for firm in FIRMS]
    settle(memory)
    known = entities(memory)
    for one, other in pairwise(FIRMS):
        memory.wired.service.graph.merge(OWNER, known[one].id, known[other].id)
    return roots


def erase(memory: Installation, root: RootId) -> None:
    memory.wired.service.erase(OWNER, VersionRef(root))
    settle(memory)
    require_counts(memory)


def kinds(memory: Installation) -> set[str | None]:
    return {keys.kind(key_of(each)) for each in everything(memory)}


@pytest.mark.parametrize("order", list(permutations(range(len(FIRMS)))))
def test_merged_entities_go_with_the_last_of_their_sources_in_whatever_order_those_go(
    memory: Installation, order: Sequence[int]
) -> None:
    roots = merged(memory)

    *others, last = (roots[each] for each in order)
    for root in others:
        erase(memory, root)
        assert "Initech" in entities(memory)
    erase(memory, last)

    assert kinds(memory).isdisjoint(OF_ENTITIES)


@pytest.mark.parametrize("merge", [("Acme", "Globex"), ("Globex", "Acme")])
def test_a_merged_entity_that_nothing_names_any_more_goes_with_what_it_was_merged_with(
    memory: Installation, merge: tuple[str, str]
) -> None:
    root = RootId(memory.save("The worker was written by Globex Corp"))
    add = memory.wired.service.add_document
    add(OWNER, Sending("r.md", b"The queue was written by Acme Corp"))
    settle(memory)
    one, other = (entities(memory)[each].id for each in merge)
    memory.wired.service.graph.merge(OWNER, one, other)
    add(OWNER, Sending("r.md", b"Nobody knows who has written the queue"))
    settle(memory)

    erase(memory, root)

    assert kinds(memory).isdisjoint(OF_ENTITIES)


def test_a_merged_entity_of_which_somebody_decided_more_stays(memory: Installation) -> None:
    roots = merged(memory)
    memory.wired.service.graph.entities.change(OWNER, entities(memory)["Initech"].id, EntityEdit(type="project"))

    for root in roots:
        erase(memory, root)

    assert list(entities(memory)) == ["Initech"]


def test_more_merged_entities_than_one_transaction_takes_away_are_no_hindrance(memory: Installation) -> None:
    root = RootId(memory.save("The worker was written by Globex Corp"))
    add = memory.wired.service.add_document
    firms = [f"Firm{chr(ord('a') + number)}x" for number in range(26)]
    add(OWNER, Sending("r.md", "\n\n".join(f"# {each}\n\nThe queue is by {each} Corp" for each in firms).encode()))
    settle(memory)
    known = entities(memory)
    for firm in firms:
        memory.wired.service.graph.merge(OWNER, known[firm].id, known["Globex"].id)
    add(OWNER, Sending("r.md", b"Nobody knows who has written the queue"))
    settle(memory)

    begun = memory.wired.service.erase(OWNER, VersionRef(root)).erasure
    settle(memory)

    assert memory.wired.service.erase.receipt(OWNER, begun.id).erasure.state == "verified"
    require_counts(memory)
