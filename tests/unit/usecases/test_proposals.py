"""What the vocabulary lacks: proposed by what a model reads, approved or dismissed by people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import NotFound
from palimpsest.domain.graph.term import UNDESCRIBED, TermKind, TermStatus
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.naming.vocabulary import Tier
from palimpsest.ports.language_model import PricedModel
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.change_vocabulary import NewTerm
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.take_up import TakenUp
from tests.support.graph import entities, everything, links, named, require_counts, settle, stores
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import InterposingTable
from tests.support.naming_model import NamingModel, by_text, install_reading
from tests.support.proposing import (
    ANSWERS,
    BIGOS,
    DREAMS,
    ZUREK,
    proposals,
    proposed,
    ref,
    vocabulary,
    waiting,
)
from tests.support.scripted_model import PRICE


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[tuple[Installation, NamingModel]]:
    memory, model = install_reading(tmp_path, by_text(ANSWERS))
    yield memory, model
    memory.sqlite.close()


@pytest.fixture
def memory(reading: tuple[Installation, NamingModel]) -> Installation:
    return reading[0]


def test_a_proposal_shows_once_two_memories_have_use_for_it(memory: Installation) -> None:
    memory.save(ZUREK)
    settle(memory)
    alone = waiting(memory)
    memory.save(BIGOS)
    settle(memory)

    shown = proposals(memory)["recipe"]
    assert alone == []
    assert [(each.held.name, each.held.confidence) for each in shown.examples] == [("Bigos", 0.9), ("Zurek", 0.9)]
    assert (shown.term.tier, shown.term.status, shown.count) == (Tier.PROPOSED, TermStatus.ACTIVE, 2)
    assert {"Zurek", "Bigos"}.isdisjoint(entities(memory))


def test_two_versions_of_one_memory_are_one_source(memory: Installation) -> None:
    root = RootId(memory.save(ZUREK))
    settle(memory)
    memory.wired.service.revise(OWNER, VersionRef(root), Revision(BIGOS))
    settle(memory)

    assert proposals(memory) == {}


def test_two_sections_of_one_document_are_one_source_and_two_documents_are_two(memory: Installation) -> None:
    add = memory.wired.service.add_document
    add(OWNER, Sending("a.md", f"# A\n\n{ZUREK}.\n\n# B\n\n{BIGOS}.\n".encode()))
    settle(memory)
    alone = waiting(memory)
    add(OWNER, Sending("b.md", f"# C\n\n{BIGOS}, again.\n".encode()))
    settle(memory)

    assert (alone, waiting(memory)) == ([], ["recipe"])


def test_what_the_model_is_not_sure_of_is_not_proposed(memory: Installation) -> None:
    memory.save("maybe Ola eats Pho")
    memory.save("maybe Ewa eats Pho, too")
    settle(memory)

    assert proposals(memory) == {}


def test_an_approved_type_links_what_was_held_out_and_all_counts_follow(memory: Installation) -> None:
    id = proposed(memory)

    changed = vocabulary(memory).approve(OWNER, id, "A dish that somebody cooks.")

    assert changed.linked == TakenUp(entities=2)
    assert (changed.shown.term.tier, changed.shown.term.description, changed.shown.count) == (
        Tier.USER,
        "A dish that somebody cooks.",
        2,
    )
    assert {name: each.type for name, each in entities(memory).items() if name in ("Zurek", "Bigos")} == {
        "Zurek": "recipe",
        "Bigos": "recipe",
    }
    assert proposals(memory) == {}
    require_counts(memory)


def test_an_approved_predicate_makes_relations_of_what_was_only_mentioned(memory: Installation) -> None:
    roots = [memory.save("Ola dreams of Rome"), memory.save("Ewa dreams of Oslo")]
    settle(memory)
    before = [each.predicate for root in roots for read in links(memory, root) for each in read.relations]

    changed = vocabulary(memory).approve(OWNER, ref(memory, DREAMS))

    assert before == ["mention", "mention"]
    stated = [each for root in roots for read in links(memory, root) for each in read.relations]
    assert [(each.predicate, each.proposed) for each in stated] == [("dreams_of", None)] * 2
    assert (changed.linked, changed.shown.count) == (TakenUp(relations=2), 2)
    assert changed.shown.term.description == UNDESCRIBED
    require_counts(memory)


def test_what_is_saved_after_an_approval_is_read_with_the_term(reading: tuple[Installation, NamingModel]) -> None:
    memory, model = reading
    vocabulary(memory).approve(OWNER, proposed(memory), "A dish.")
    root = memory.save("Ola cooks Zurek again")
    settle(memory)

    assert "recipe: A dish." in model.asked[-1].user
    assert named(memory, root) == [{"Ola", "Zurek"}]


def test_a_dismissed_proposal_stays_away_until_it_is_reopened(reading: tuple[Installation, NamingModel]) -> None:
    memory, model = reading
    id = proposed(memory)
    vocabulary(memory).dismiss(OWNER, id)
    root = memory.save("Zurek is on the table")
    settle(memory)
    dismissed = proposals(memory)["recipe"]
    held = [each for read in links(memory, root) for each in read.held]
    vocabulary(memory).reopen(OWNER, id)

    assert (dismissed.term.status, dismissed.examples, held) == (TermStatus.DISMISSED, (), [])
    assert "terms that nobody wants proposed" in model.asked[-1].user
    assert waiting(memory) == ["recipe"]


def test_a_source_that_is_forgotten_is_no_example_from_then_on(memory: Installation) -> None:
    id = proposed(memory)
    (root, *_) = [each.source for each in proposals(memory)["recipe"].examples]
    forgotten = VersionRef(RootId(str(root).partition("@")[0]))

    memory.wired.service.forget(OWNER, forgotten)
    hidden = proposals(memory)
    with pytest.raises(NotFound):
        vocabulary(memory).approve(OWNER, id)
    memory.wired.service.restore(OWNER, forgotten)

    assert (hidden, waiting(memory)) == ({}, ["recipe"])


def test_an_erasure_takes_the_examples_of_its_memory_along(memory: Installation) -> None:
    root, other = RootId(memory.save(ZUREK)), RootId(memory.save(BIGOS))
    settle(memory)
    for each in (root, other):
        memory.wired.service.erase(OWNER, VersionRef(each))
        settle(memory)

    assert proposals(memory) == {}
    assert [each["sk"] for each in everything(memory) if "recipe" in str(each) or "Zurek" in str(each)] == []


def test_a_document_that_is_forgotten_or_erased_is_no_example(memory: Installation) -> None:
    service = memory.wired.service
    memory.save(ZUREK)
    document = service.add_document(OWNER, Sending("a.md", f"# A\n\n{BIGOS}.\n".encode())).document.id
    settle(memory)
    before = waiting(memory)
    service.library.forget(OWNER, document)
    hidden = waiting(memory)
    service.erase_document(OWNER, document)
    settle(memory)

    assert (before, hidden) == (["recipe"], [])
    assert [each["sk"] for each in everything(memory) if "Bigos" in str(each)] == []


def test_an_undone_run_takes_its_examples_along(memory: Installation) -> None:
    proposed(memory)
    for run in memory.wired.service.runs.page(OWNER, space=None).runs:
        memory.wired.service.runs.undo(OWNER, run.run.id)
    settle(memory)

    assert proposals(memory) == {}


def test_adding_what_is_proposed_takes_it_up(memory: Installation) -> None:
    proposed(memory)

    added = vocabulary(memory).add(OWNER, NewTerm(TermKind.ENTITY_TYPE, "recipe", "A dish."))

    assert (added.linked, added.shown.term.tier) == (TakenUp(entities=2), Tier.USER)


def test_what_is_read_while_its_term_is_approved_is_linked_all_the_same(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite, model=PricedModel(NamingModel([by_text(ANSWERS)]), PRICE))
    id = proposed(memory)
    memory.save("Zurek for everybody")

    table.interpose(
        lambda name, call: name == "transact" and "GX#" in str(call), lambda: vocabulary(memory).approve(OWNER, id)
    )
    settle(memory)

    assert entities(memory)["Zurek"].type == "recipe"
    assert stores(memory).tallies.of([entities(memory)["Zurek"].id])[entities(memory)["Zurek"].id].memories == 2
    require_counts(memory)
    sqlite.close()


def test_an_approval_and_a_reading_of_the_same_source_do_not_count_twice(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite, model=PricedModel(NamingModel([by_text(ANSWERS)]), PRICE))
    roots = [memory.save("Ola dreams of Rome"), memory.save("Ewa dreams of Oslo")]
    settle(memory)

    def forget() -> None:
        memory.wired.service.forget(OWNER, VersionRef(RootId(roots[1])))
        settle(memory)

    table.interpose(lambda name, call: name == "transact" and "GR#" in str(call), forget)
    vocabulary(memory).approve(OWNER, ref(memory, DREAMS))

    require_counts(memory)
    sqlite.close()
