"""Forms of items: an older one is raised when it is read, and no release undoes what another one added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from palimpsest.domain.errors import CorruptItem, NewerItem
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.table import Item, Key, Set, Update, Value
from palimpsest.stores import keys
from palimpsest.stores.codec import Reader, item
from palimpsest.stores.kinds import NOW, Kind, Kinds
from palimpsest.usecases.drafts import Annotation, Revision
from tests.support.installation import OWNER, Installation, install

HEAD: Item = {"pk": "M#a", "sk": "H", "_v": 1, "name": "Ola"}


def renamed(stored: Item) -> dict[str, Value]:
    return {name: value for name, value in stored.items() if name != "name"} | {"title": stored["name"]}


def counted(stored: Item) -> dict[str, Value]:
    return {**stored, "length": len(str(stored["title"]))}


THREE = Kinds({"head": Kind("head", upcasts=(renamed, counted), writes=2)})


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    memory = install(tmp_path)
    yield memory
    memory.sqlite.close()


def test_an_item_is_read_in_its_newest_form_whatever_form_it_has() -> None:
    second: Item = {"pk": "M#a", "sk": "H", "_v": 2, "title": "Ola"}

    risen = [Reader(stored, THREE).item for stored in (HEAD, second)]

    assert risen == [{"pk": "M#a", "sk": "H", "_v": 3, "title": "Ola", "length": 3}] * 2
    assert HEAD == {"pk": "M#a", "sk": "H", "_v": 1, "name": "Ola"}


def test_an_entry_of_an_index_and_a_map_in_an_item_have_no_form() -> None:
    entry = {"pk": "M#a", "sk": "H", "g1pk": "S", "g1sk": "T"}

    assert Reader(entry, THREE).item == entry


def test_a_form_from_further_on_is_refused() -> None:
    with pytest.raises(NewerItem) as refused:
        Reader({**HEAD, "_v": 4}, THREE)

    assert (refused.value.form, refused.value.readable) == (4, 3)


@pytest.mark.parametrize("stored", [{**HEAD, "_v": 0}, {**HEAD, "_v": "1"}, {"pk": "M#a", "sk": "H", "_v": 1}])
def test_an_item_that_is_not_of_the_form_that_it_names_is_corrupt(stored: Item) -> None:
    with pytest.raises(CorruptItem):
        Reader(stored, THREE)


def test_what_is_said_of_a_corrupt_item_quotes_no_value() -> None:
    def picky(stored: Item) -> dict[str, Value]:
        return {**stored, "name": int(str(stored["name"]))}

    with pytest.raises(CorruptItem) as refused:
        Reader(HEAD, Kinds({"head": Kind("head", upcasts=(picky,))}))

    assert "ValueError" in str(refused.value)
    assert "Ola" not in str(refused.value)


def test_an_item_of_no_known_kind_is_not_written() -> None:
    with pytest.raises(ValueError, match="no kind"):
        item(Key("ODD#1", "X"))


def test_no_two_kinds_share_a_key_and_what_is_written_once_is_known() -> None:
    twice = {name for name, times in Counter(keys.KINDS.values()).items() if times > 1}
    assert twice == {"extraction", "mention", "relation", "held_out"}  # with a memory and with a chunk
    assert {kind.name for kind in NOW.by_name.values() if kind.is_written_once} == {
        "version",
        "event",
        "vectors",
        "change",
        "recall",
    }
    assert all(1 <= kind.writes <= kind.reads for kind in NOW.by_name.values())


def test_a_step_keeps_what_a_newer_release_added_to_the_head(memory: Installation) -> None:
    root = RootId(memory.save("Ola is allergic to nuts"))
    place = keys.head(root)
    memory.table.write(Update(place, (Set("open_conflicts", 2),)))

    memory.wired.service.revise(OWNER, VersionRef(root), Revision("Ola is allergic to nuts and sesame"))
    memory.wired.service.annotate(OWNER, VersionRef(root), Annotation(tags=("food",)))

    head = memory.table.get([place]).items[place]
    assert (head["open_conflicts"], head["current"], head["revision"]) == (2, 2, 3)


def test_a_step_takes_away_what_a_head_no_longer_has(memory: Installation) -> None:
    root = RootId(memory.save("Ola is allergic to nuts"))
    ref = VersionRef(root)
    memory.wired.service.annotate(OWNER, ref, Annotation(tags=("food",)))
    memory.wired.service.forget(OWNER, ref)

    memory.wired.service.restore(OWNER, ref)
    memory.wired.service.annotate(OWNER, ref, Annotation(tags=()))

    head = memory.table.get([keys.head(root)]).items[keys.head(root)]
    assert head.keys() & {"restore_until", "tags", "g2pk"} == set()


def test_the_form_that_is_written_is_the_one_that_the_kind_names() -> None:
    assert item(keys.head(RootId("a")))["_v"] == NOW.by_name["head"].writes
    assert replace(THREE.by_name["head"], writes=1).reads == 3
