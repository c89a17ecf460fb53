"""What is known about the owner: from what is stated, and never what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import NotAllowed
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.version import MemoryType
from palimpsest.usecases.drafts import Draft, Revision
from palimpsest.usecases.profile import Profiled, SubjectKind
from tests.support import conflicting
from tests.support.graph import settle
from tests.support.installation import OWNER, Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installation = install(tmp_path)
    yield installation
    installation.sqlite.close()


def save(memory: Installation, content: str, kind: MemoryType = MemoryType.FACT, **fields: object) -> VersionRef:
    saved = memory.wired.service.remember(OWNER, Draft(content, memory_type=kind, **fields))  # type: ignore[arg-type]
    return VersionRef(saved.memory.head.root)


def profile(memory: Installation, most: int = 100) -> Profiled:
    return memory.wired.service.supply.profile(OWNER, None, most)[1]


def told(profiled: Profiled) -> dict[str, list[tuple[str, str]]]:
    """Why and text of each line, by subject."""
    return {
        subject.name: [(line.why.value, line.memory.version.statement.content) for line in subject.lines]
        for subject in profiled.subjects
    }


def test_lines_stand_under_the_owner_or_under_what_they_name(memory: Installation) -> None:
    save(memory, "Acme Corp closes its office at noon.", pinned=True)
    save(memory, "Answer in Polish.", pinned=True)
    save(memory, "Green tea is better than coffee.", MemoryType.PREFERENCE)
    save(memory, "The flat has two rooms.", attributed_to="user")
    save(memory, "I work at Globex.")
    save(memory, "The harbour opens at six.")
    settle(memory)

    found = profile(memory)

    assert told(found) == {
        "You": [
            ("pinned", "Answer in Polish."),
            ("preference", "Green tea is better than coffee."),
            ("said", "The flat has two rooms."),
            ("relation", "I work at Globex."),
        ],
        "Acme": [("pinned", "Acme Corp closes its office at noon.")],
    }
    assert [subject.kind for subject in found.subjects] == [SubjectKind.OWNER, SubjectKind.ENTITY]


def test_what_is_replaced_forgotten_or_disputed_is_not_in_it(memory: Installation) -> None:
    gone = save(memory, "I prefer trains to planes.", MemoryType.PREFERENCE)
    old = save(memory, "I prefer tea.", MemoryType.PREFERENCE)
    rome = conflicting.save(memory, Draft("Ola lives in Rome", pinned=True))
    conflicting.save(memory, Draft("Ola lives in Oslo", pinned=True), rome)
    memory.wired.service.forget(OWNER, gone)
    memory.wired.service.revise(OWNER, old, Revision("I prefer coffee."))

    found = profile(memory)

    assert told(found) == {"You": [("preference", "I prefer coffee.")]}
    assert len(found.disputed) == 2


def test_other_spaces_are_not_in_it_and_a_key_enters_only_its_own(memory: Installation) -> None:
    save(memory, "I prefer tea.", MemoryType.PREFERENCE)
    memory.wired.service.remember(OWNER, Draft("I prefer rum.", space="other", memory_type=MemoryType.PREFERENCE))
    reader = Caller(KeyId("reader"), Role.READER, spaces=("default",))

    assert told(profile(memory)) == {"You": [("preference", "I prefer tea.")]}
    with pytest.raises(NotAllowed):
        memory.wired.service.supply.profile(reader, "other")


def test_a_short_profile_says_that_there_may_be_more(memory: Installation) -> None:
    for number in range(5):
        save(memory, f"I prefer room {number}.", MemoryType.PREFERENCE)

    short, whole = profile(memory, 3), profile(memory, 50)

    assert [len(each.subjects[0].lines) for each in (short, whole)] == [3, 5]
    assert (short.is_cut, whole.is_cut) == (True, False)


def test_nothing_is_known_of_a_space_that_nobody_wrote_to(memory: Installation) -> None:
    assert profile(memory) == Profiled()
