"""The list of what is pinned, along all that can happen to a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.stores.pins import Pins
from palimpsest.usecases.drafts import Annotation, Draft
from tests.support.installation import OWNER, Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Installation:
    return install(tmp_path)


def pinned(memory: Installation, space: str = "default") -> list[RootId]:
    found = memory.wired.service.recall.steps.spaces.find(space)
    return Pins(memory.table).of(found.id, 10) if found else []


def save(memory: Installation, content: str, *, is_pinned: bool, space: str = "default") -> RootId:
    draft = Draft(content, pinned=is_pinned, space=space)
    return memory.wired.service.remember(OWNER, draft).memory.head.root


def test_a_memory_is_listed_while_it_is_pinned_the_newest_first(memory: Installation) -> None:
    first = save(memory, "Answer in Polish", is_pinned=True)
    second = save(memory, "Marta drinks tea", is_pinned=False)
    memory.wired.service.annotate(OWNER, VersionRef(second), Annotation(pinned=True))
    save(memory, "Deploys happen on Thursdays", is_pinned=False)
    save(memory, "Elsewhere", is_pinned=True, space="other")

    both = pinned(memory)
    memory.wired.service.annotate(OWNER, VersionRef(first), Annotation(pinned=False))

    assert both == [second, first]
    assert pinned(memory) == [second]


def test_what_is_forgotten_is_listed_no_more_until_it_is_restored(memory: Installation) -> None:
    root = save(memory, "Answer in Polish", is_pinned=True)

    memory.wired.service.forget(OWNER, VersionRef(root))
    forgotten = pinned(memory)
    memory.wired.service.restore(OWNER, VersionRef(root))

    assert (forgotten, pinned(memory)) == ([], [root])


def test_what_is_erased_is_listed_no_more(memory: Installation) -> None:
    root = save(memory, "Answer in Polish", is_pinned=True)

    memory.wired.service.erase(OWNER, VersionRef(root))

    assert pinned(memory) == []
