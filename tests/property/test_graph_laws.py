"""Whatever happens to memories, documents and entities: each count is what counting gives, nothing hidden shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from palimpsest.domain.errors import Conflict, Invalid, NotFound
from palimpsest.domain.ids import EntityId, RootId, VersionRef
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.entities import EntityEdit, NewEntity
from palimpsest.usecases.show_entities import EntityQuery
from palimpsest.usecases.view_graph import GraphQuery
from tests.support.graph import entities, require_counts, settle
from tests.support.installation import OWNER, Installation, install

PEOPLE = ("Ola Nowak", "Piotr Zieliński", "Jan Kowalski")
FIRMS = ("Acme Corp", "Globex GmbH", "Initech Ltd")
STEPS = 120


class Walk:
    """A person who does this and that."""

    def __init__(self, memory: Installation, seed: int) -> None:
        self.memory = memory
        self.chance = random.Random(seed)
        self.roots: list[RootId] = []
        self.hidden: set[RootId] = set()

    def sentence(self) -> str:
        return (
            f"{self.chance.choice(PEOPLE)} works at {self.chance.choice(FIRMS)} since {self.chance.randrange(99)} weeks"
        )

    def save(self) -> None:
        self.roots.append(RootId(self.memory.save(self.sentence())))

    def revise(self) -> None:
        self.memory.wired.service.revise(OWNER, VersionRef(self.root()), Revision(self.sentence()))

    def forget(self) -> None:
        root = self.root()
        self.memory.wired.service.forget(OWNER, VersionRef(root))
        self.hidden.add(root)

    def restore(self) -> None:
        root = self.root()
        self.memory.wired.service.restore(OWNER, VersionRef(root))
        self.hidden.discard(root)

    def erase(self) -> None:
        root = self.root()
        self.memory.wired.service.erase(OWNER, VersionRef(root))
        self.hidden.add(root)

    def send(self) -> None:
        text = "\n\n".join(f"# Part {n}\n\n{self.sentence()}." for n in range(self.chance.randrange(1, 4)))
        self.memory.wired.service.add_document(OWNER, Sending(f"{self.chance.randrange(2)}.md", text.encode()))

    def forget_document(self) -> None:
        listed = self.memory.wired.service.library.page(OWNER, space=None).documents
        if listed:
            self.memory.wired.service.library.forget(OWNER, self.chance.choice(listed).document.id)

    def rename(self) -> None:
        name = f"{self.chance.choice(PEOPLE)} {self.chance.choice(('Senior', 'Junior'))}"
        self.memory.wired.service.graph.entities.change(OWNER, self.entity(), EntityEdit(name=name))

    def retype(self) -> None:
        edit = EntityEdit(type=self.chance.choice(("person", "agent", "project")))
        self.memory.wired.service.graph.entities.change(OWNER, self.entity(), edit)

    def declare(self) -> None:
        self.memory.wired.service.graph.entities.declare(OWNER, NewEntity(self.chance.choice(PEOPLE + FIRMS), "person"))

    def merge(self) -> None:
        self.memory.wired.service.graph.merge(OWNER, self.entity(), self.entity())

    def part(self) -> None:
        merges = self.memory.wired.service.graph.merge.page(OWNER, space=None).merges
        if merges:
            self.memory.wired.service.graph.merge.revert(OWNER, self.chance.choice(merges).entity.id)

    def delete(self) -> None:
        self.memory.wired.service.graph.entities.delete(OWNER, self.entity())

    def undo(self) -> None:
        self.memory.wired.service.graph.entities.undo(OWNER, self.entity())

    def settle(self) -> None:
        settle(self.memory)

    def root(self) -> RootId:
        if not self.roots:
            self.save()
        return self.chance.choice(self.roots)

    def entity(self) -> EntityId:
        known = list(entities(self.memory).values())
        if not known:
            raise NotFound("entity")
        return self.chance.choice(known).id

    def step(self) -> None:
        verbs: list[Callable[[], None]] = [self.save, self.save, self.send, self.settle, self.settle, self.revise]
        verbs += [self.forget, self.restore, self.erase, self.forget_document, self.rename, self.retype]
        verbs += [self.declare, self.merge, self.part, self.delete, self.undo]
        with suppress(NotFound, Conflict, Invalid):
            self.chance.choice(verbs)()


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_right_and_nothing_hidden_shows_after_any_history(tmp_path: Path, seed: int) -> None:
    memory = install(tmp_path)
    walk = Walk(memory, seed)
    walk.save()
    for _ in range(STEPS):
        walk.step()
        drawn = memory.wired.service.graph.view(OWNER, GraphQuery(limit=200)).drawn
        assert not walk.hidden & set(drawn.nodes)

    settle(memory)

    require_counts(memory)
    listed = memory.wired.service.graph.show.page(OWNER, EntityQuery(limit=200)).entities
    assert all(each.entity.is_kept or each.memories or each.chunks for each in listed)
    memory.sqlite.close()
