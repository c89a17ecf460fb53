"""The vocabulary of a space: changed by people, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.errors import Invalid, NotAllowed, NotFound, WrongState
from palimpsest.domain.graph.term import TermChange, TermKind, TermStatus
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import RootId, TermRef, VersionRef
from palimpsest.domain.naming.vocabulary import ENTITY_TYPES, PREDICATES, Tier
from palimpsest.usecases.change_vocabulary import MOST, ChangeVocabulary, NewTerm
from palimpsest.usecases.take_up import TakenUp
from tests.support.graph import entities, named, settle, stores
from tests.support.installation import OWNER, Installation
from tests.support.naming_model import NamingModel, by_text, install_reading
from tests.support.proposing import (
    ANSWERS,
    BIGOS,
    RECIPE,
    ZUREK,
    proposals,
    proposed,
    ref,
    term,
    vocabulary,
    waiting,
)
from tests.support.run_driving import READER, STRANGER, WRITER


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[tuple[Installation, NamingModel]]:
    memory, model = install_reading(tmp_path, by_text(ANSWERS))
    yield memory, model
    memory.sqlite.close()


@pytest.fixture
def memory(reading: tuple[Installation, NamingModel]) -> Installation:
    return reading[0]


def test_a_space_that_has_not_begun_has_what_every_space_begins_with(memory: Installation) -> None:
    shown = vocabulary(memory).show(OWNER, "nowhere")

    assert [each.term.name for each in shown.terms] == [each.name for each in (*ENTITY_TYPES, *PREDICATES)]
    assert {(each.term.tier, each.term.status, each.count) for each in shown.terms} == {
        (Tier.SYSTEM, TermStatus.ACTIVE, 0)
    }


def test_terms_are_counted_as_sources_come_and_go(memory: Installation) -> None:
    root = memory.save("Ola dreams of Rome")
    settle(memory)
    counted = term(memory, TermKind.ENTITY_TYPE, "place").count
    memory.wired.service.forget(OWNER, VersionRef(RootId(root)))
    settle(memory)

    assert (counted, term(memory, TermKind.ENTITY_TYPE, "place").count) == (1, 0)


def test_texts_are_not_read_with_a_disabled_term_and_what_it_names_stays(
    reading: tuple[Installation, NamingModel],
) -> None:
    memory, model = reading
    memory.save("Ola dreams of Rome")
    settle(memory)
    place = term(memory, TermKind.ENTITY_TYPE, "place")

    vocabulary(memory).switch(OWNER, place.id, is_on=False)
    root = memory.save("Ewa dreams of Oslo")
    settle(memory)
    asked = model.asked[-1].system
    vocabulary(memory).switch(OWNER, place.id, is_on=True)

    assert "- place:" not in asked
    assert (named(memory, root), "Rome" in entities(memory)) == ([{"Ewa"}], True)
    assert proposals(memory) == {}
    assert stores(memory).vocabularies.active(stores(memory).spaces.ensure("default")).revision == 2


def test_a_term_of_ones_own_is_added_described_disabled_and_deleted(memory: Installation) -> None:
    service = vocabulary(memory)

    added = service.add(OWNER, NewTerm(TermKind.ENTITY_TYPE, " Board  Game ", "A game\nthat is played on a board."))
    id = added.shown.id
    with pytest.raises(WrongState):
        service.delete(OWNER, id)
    described = service.describe(OWNER, id, "A game with a name.")
    service.switch(OWNER, id, is_on=False)
    service.delete(OWNER, id)

    assert (added.shown.term.name, added.shown.term.description) == ("board_game", "A game that is played on a board.")
    assert described.shown.term.description == "A game with a name."
    with pytest.raises(NotFound):
        service.show.one(OWNER, id)
    again = service.add(OWNER, NewTerm(TermKind.ENTITY_TYPE, "board_game", "Once more.")).shown
    what = [each.what for each in service.show.one(OWNER, again.id)[1]]
    assert what == [
        TermChange.ADDED,
        TermChange.DELETED,
        TermChange.DISABLED,
        TermChange.DESCRIBED,
        TermChange.ADDED,
    ]


def test_the_history_says_who_did_what_and_how_it_was(memory: Installation) -> None:
    id = term(memory, TermKind.PREDICATE, "knows").id
    vocabulary(memory).switch(WRITER, id, is_on=False)

    _, (line,) = vocabulary(memory).show.one(READER, id)

    assert (line.by, line.what, line.before.status) == (WRITER.key, TermChange.DISABLED, TermStatus.ACTIVE)


@pytest.mark.parametrize(
    "name", ["", "x", "7up", "mention", "is", "a" * 31, "phone 600 123 456", "---", "🦔🦔", "a\0b"]
)
def test_a_name_that_can_be_none_is_refused(memory: Installation, name: str) -> None:
    with pytest.raises(Invalid):
        vocabulary(memory).add(OWNER, NewTerm(TermKind.PREDICATE, name, "Something."))


@pytest.mark.parametrize("description", ["", "  ", "x" * 501, "a\0b"])
def test_a_description_that_is_none_is_refused(memory: Installation, description: str) -> None:
    with pytest.raises(Invalid):
        vocabulary(memory).add(OWNER, NewTerm(TermKind.PREDICATE, "cooks", description))


def test_a_description_is_scrubbed(memory: Installation) -> None:
    said = NewTerm(TermKind.PREDICATE, "cooks", "Ask ola@mail.example what it means.")

    added = vocabulary(memory).add(OWNER, said)

    assert added.shown.term.description == "Ask [EMAIL] what it means."
    assert [each.kind for each in added.report.redactions] == ["email"]


Move = Callable[[ChangeVocabulary, TermRef], object]


@pytest.mark.parametrize(
    ("of", "move"),
    [
        ((TermKind.PREDICATE, "uses"), lambda each, id: each.describe(OWNER, id, "Something else.")),
        ((TermKind.PREDICATE, "uses"), lambda each, id: each.delete(OWNER, id)),
        ((TermKind.PREDICATE, "uses"), lambda each, id: each.approve(OWNER, id)),
        ((TermKind.PREDICATE, "uses"), lambda each, id: each.dismiss(OWNER, id)),
        ((TermKind.PREDICATE, "uses"), lambda each, id: each.switch(OWNER, id, is_on=True)),
        (RECIPE, lambda each, id: each.switch(OWNER, id, is_on=False)),
        (RECIPE, lambda each, id: each.describe(OWNER, id, "A dish.")),
        (RECIPE, lambda each, id: each.delete(OWNER, id)),
        (RECIPE, lambda each, id: each.reopen(OWNER, id)),
        ((TermKind.PREDICATE, "uses"), lambda each, _: each.add(OWNER, NewTerm(TermKind.PREDICATE, "Uses", "Again."))),
    ],
)
def test_what_the_state_of_a_term_does_not_allow_is_refused(
    memory: Installation, of: tuple[TermKind, str], move: Move
) -> None:
    proposed(memory)

    with pytest.raises(WrongState):
        move(vocabulary(memory), ref(memory, of))


def test_a_space_has_only_so_many_terms_of_its_own(memory: Installation) -> None:
    for n in range(MOST):
        vocabulary(memory).add(OWNER, NewTerm(TermKind.PREDICATE, f"verb_{n}", "Something."))

    with pytest.raises(WrongState):
        vocabulary(memory).add(OWNER, NewTerm(TermKind.PREDICATE, "one_more", "Something."))


def test_readers_see_and_writers_change(memory: Installation) -> None:
    id = proposed(memory)
    moves: list[Callable[[], object]] = [
        lambda: vocabulary(memory).add(READER, NewTerm(*RECIPE, "A dish.")),
        lambda: vocabulary(memory).approve(READER, id),
        lambda: vocabulary(memory).switch(READER, id, is_on=False),
    ]

    assert waiting(memory) == list(proposals(memory, READER))
    for move in moves:
        with pytest.raises(NotAllowed):
            move()
    assert vocabulary(memory).dismiss(WRITER, id).shown.term.status is TermStatus.DISMISSED


def test_a_term_of_a_foreign_space_is_like_one_that_is_not_there(memory: Installation) -> None:
    id = proposed(memory)
    unknown = replace(STRANGER, spaces=("default",)), TermRef("0" * 32, "default")

    refused = []
    for caller, each in ((STRANGER, id), (STRANGER, ref(memory, (TermKind.PREDICATE, "uses"))), unknown):
        with pytest.raises(NotFound) as error:
            vocabulary(memory).show.one(caller, each)
        refused.append(str(error.value))
        with pytest.raises(NotFound):
            vocabulary(memory).dismiss(caller, each)

    assert len(set(refused)) == 1
    with pytest.raises(NotAllowed):
        vocabulary(memory).show(STRANGER, "default")


def test_spaces_propose_and_change_for_themselves(memory: Installation) -> None:
    memory.save(ZUREK, "one")
    memory.save(BIGOS, "two")
    settle(memory)
    vocabulary(memory).switch(OWNER, ref(memory, (TermKind.PREDICATE, "uses"), "one"), is_on=False)

    for name in ("one", "two"):
        shown = vocabulary(memory).show(OWNER, name)
        off = [each.term.name for each in shown.terms if each.term.status is TermStatus.DISABLED]
        assert (shown.proposals, off) == ((), ["uses"] if name == "one" else [])


def test_a_request_that_comes_again_is_answered_as_before(memory: Installation) -> None:
    id, once = proposed(memory), Idempotency("k", b"body")

    first = vocabulary(memory).approve(OWNER, id, "A dish.", once)
    again = vocabulary(memory).approve(OWNER, id, "A dish.", once)

    assert (first.shown, first.linked, again.linked) == (again.shown, TakenUp(2, 0), TakenUp())


def test_a_change_holds_at_once_where_it_was_made_and_soon_elsewhere(memory: Installation) -> None:
    here, elsewhere = stores(memory).vocabularies, stores(memory).vocabularies
    space = stores(memory).spaces.ensure("default")
    service = replace(vocabulary(memory), vocabularies=here)
    before = [each.active(space).revision for each in (here, elsewhere)]

    service.switch(OWNER, ref(memory, (TermKind.PREDICATE, "uses")), is_on=False)
    at_once = [each.active(space).revision for each in (here, elsewhere)]
    memory.clock.turn(timedelta(seconds=6))

    assert (before, at_once) == ([0, 0], [1, 0])
    assert elsewhere.active(space).revision == 1
