"""A belief whose current version somebody took out of the table: said as what it is, and to nobody who may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from palimpsest.domain.access import Role
from palimpsest.domain.errors import NotFound, VersionMissing
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.ports.table import Delete
from palimpsest.stores import keys
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


@pytest.fixture
def broken(memory: Installation) -> RootId:
    root = RootId(memory.save("Ola is allergic to nuts"))
    memory.index()
    memory.table.write(Delete(keys.version(root, 1)))
    return root


def test_reading_it_says_which_version_is_missing(memory: Installation, broken: RootId) -> None:
    with pytest.raises(VersionMissing, match="version 1 of this memory is current and is not stored") as failure:
        memory.wired.service.read(OWNER, VersionRef(broken))

    assert failure.value.key == keys.version(broken, 1)


def test_a_list_says_which_version_is_missing(memory: Installation, broken: RootId) -> None:
    with pytest.raises(VersionMissing) as failure:
        memory.wired.service.list_memories(OWNER, ListQuery())

    assert failure.value.key == keys.version(broken, 1)


def test_a_key_of_another_space_is_told_of_nothing(memory: Installation, broken: RootId) -> None:
    stranger = replace(OWNER, key=KeyId("stranger"), role=Role.READER, spaces=("other",))

    with pytest.raises(NotFound):
        memory.wired.service.read(stranger, VersionRef(broken))


def test_recall_goes_on_without_it(memory: Installation, broken: RootId) -> None:
    memory.save("Ola likes apples")

    assert memory.recalled("what does Ola like") == ["Ola likes apples"]
