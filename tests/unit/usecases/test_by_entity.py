"""What names an entity is forgotten or erased by the entity's id and by any name that leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.errors import NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.selection import Selection
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.entities import EntityEdit
from tests.support.graph import entities, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import told, work


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


@pytest.fixture
def roots(memory: Installation) -> list[RootId]:
    """Two memories that name Acme, one that named it before, one that names Globex; one of another space."""
    texts = ["Ola Nowak works at Acme Corp", "Jan Kowalski works at Acme Corp", "Ewa Lis works at Acme Corp"]
    texts += ["Piotr Zieliński works at Globex GmbH"]
    roots = [RootId(memory.save(text)) for text in texts]
    memory.save("Ola Nowak works at Acme Corp", "elsewhere")
    settle(memory)
    memory.wired.service.revise(OWNER, VersionRef(roots[2]), Revision("Ewa Lis is on leave"))
    settle(memory)
    return roots


def meant(memory: Installation, selection: Selection, *, is_erasure: bool = False) -> set[str]:
    """What a dry run over the selection would change."""
    service = memory.wired.service
    change = service.erase_many if is_erasure else service.forget_many
    begun = change(OWNER, None, selection, is_dry=True)
    work(memory)
    return {item.subject for item in told(memory, begun.run.id)[1]}


def test_by_any_spelling_of_its_name_what_names_it_now_is_meant(memory: Installation, roots: list[RootId]) -> None:
    for name in ("Acme", "ACME", " acme ", "@acme"):
        assert meant(memory, Selection(entity=name)) == set(roots[:2])


def test_by_its_id_an_alias_or_the_name_of_what_was_merged_into_it_the_same_is_meant(
    memory: Installation, roots: list[RootId]
) -> None:
    graph, known = memory.wired.service.graph, entities(memory)
    acme, globex = known["Acme"].id, known["Globex"].id
    graph.entities.change(OWNER, acme, EntityEdit(aliases=("Acme Incorporated",)))
    assert meant(memory, Selection(entity="acme incorporated")) == set(roots[:2])

    graph.merge(OWNER, globex, acme)

    for name in (acme, globex, "Globex", "Acme"):
        assert meant(memory, Selection(entity=name)) == {roots[0], roots[1], roots[3]}


@pytest.mark.parametrize("is_erasure", [False, True])
def test_a_name_that_leads_nowhere_or_an_id_of_another_space_is_told_when_it_is_only_looked_at(
    memory: Installation, roots: list[RootId], is_erasure: bool
) -> None:
    far = entities(memory, "elsewhere")["Acme"].id
    memory.wired.service.graph.entities.delete(OWNER, entities(memory)["Globex"].id)

    for name in (far, "Initech", "Globex", "ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"):
        with pytest.raises(NotFound, match="entity"):
            meant(memory, Selection(entity=name), is_erasure=is_erasure)


def test_a_repeated_request_is_answered_although_its_run_took_the_entity_away(
    memory: Installation, roots: list[RootId]
) -> None:
    service, request = memory.wired.service, Idempotency("k", b"a")
    first = service.erase_many(OWNER, None, Selection(entity="Globex"), idempotency=request).run
    settle(memory)
    assert "Globex" not in entities(memory)

    again = service.erase_many(OWNER, None, Selection(entity="Globex"), idempotency=request).run

    assert again.id == first.id


def test_every_part_of_a_selection_has_to_hold(memory: Installation, roots: list[RootId]) -> None:
    assert meant(memory, Selection(entity="Acme", words="Kowalski")) == {roots[1]}
    assert meant(memory, Selection(entity="Acme", ids=(roots[0], roots[3]))) == {roots[0]}


def test_what_is_forgotten_is_meant_when_it_is_to_be_erased(memory: Installation, roots: list[RootId]) -> None:
    memory.wired.service.forget(OWNER, VersionRef(roots[0]))
    settle(memory)

    assert meant(memory, Selection(entity="Acme")) == {roots[1]}
    assert meant(memory, Selection(entity="Acme"), is_erasure=True) == {roots[0], roots[1]}


def test_what_names_an_entity_is_forgotten_and_comes_back_when_that_is_undone(
    memory: Installation, roots: list[RootId]
) -> None:
    service = memory.wired.service

    begun = service.forget_many(OWNER, None, Selection(entity="Acme"))
    work(memory)
    assert not any("Acme" in text for text in memory.recalled("Acme Corp"))
    service.runs.undo(OWNER, begun.run.id)
    work(memory)

    assert sum("Acme" in text for text in memory.recalled("Acme Corp")) == 2
