"""What people decide of entities holds, can be taken back, and is never changed by what reads sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.access import Caller
from palimpsest.domain.errors import Invalid, NameTaken, NotAllowed, NotFound, WrongState
from palimpsest.domain.filters import Filters
from palimpsest.domain.graph.entity import ALIASES, Origin
from palimpsest.domain.graph.links import Outcome
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import EntityId, RootId, VersionRef
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Revision
from palimpsest.usecases.entities import EntityEdit, NewEntity
from palimpsest.usecases.related import RelatedQuery
from palimpsest.usecases.show_entities import EntityQuery, ShownEntity
from tests.support.graph import entities, links, multiply, require_counts, settle
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import READER, STRANGER, WRITER


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


@pytest.fixture
def acme(memory: Installation) -> Installation:
    """Two memories and a document that name Ola and Acme, and one that names Globex."""
    memory.save("Ola Nowak works at Acme Corp")
    memory.save("Piotr Zieliński works at Globex GmbH")
    memory.wired.service.add_document(OWNER, Sending("r.md", b"# Team\n\nOla Nowak runs the release.\n"))
    settle(memory)
    return memory


def listed(memory: Installation, caller: Caller = READER, **query: object) -> dict[str, ShownEntity]:
    page = memory.wired.service.graph.show.page(caller, EntityQuery(**query))  # type: ignore[arg-type]
    return {each.entity.name: each for each in page.entities}


def pages(memory: Installation, **query: object) -> list[list[str]]:
    """The names on each page of a list."""
    found, cursor = [], None
    while True:
        page = memory.wired.service.graph.show.page(READER, EntityQuery(cursor=cursor, **query))  # type: ignore[arg-type]
        found.append([each.entity.name for each in page.entities])
        cursor = page.next_cursor
        if cursor is None:
            return found


def named(memory: Installation, name: str) -> EntityId:
    return entities(memory)[name].id


def test_an_entity_is_listed_with_the_memories_and_documents_that_name_it(acme: Installation) -> None:
    ola = listed(acme)["Ola Nowak"]

    assert (ola.memories, ola.chunks, list(ola.documents.values())) == (1, 1, [1])
    assert (ola.entity.type, ola.space) == ("person", "default")
    assert set(listed(acme, words="nOWak")) == {"Ola Nowak"}
    assert set(listed(acme, type="organization")) == {"Acme", "Globex"}


def test_a_list_pages_through_all_entities(acme: Installation) -> None:
    assert sorted(name for (name,) in pages(acme, limit=1)) == sorted(listed(acme))
    assert len(listed(acme)) == 4


def test_a_page_looks_at_a_thousand_entities_however_few_are_meant(acme: Installation) -> None:
    multiply(acme, replace(entities(acme)["Globex"], origin=Origin.DECLARED), 1_100)

    assert pages(acme, words="nowak") == [[], ["Ola Nowak"]]


def test_an_entity_that_only_forgotten_memories_name_is_not_shown_at_once(acme: Installation) -> None:
    root = next(each for each in acme.wired.service.recall(OWNER, RecallQuery("Globex")).memories).head.root
    globex = named(acme, "Globex")

    acme.wired.service.forget(OWNER, VersionRef(root))

    assert "Globex" not in listed(acme)
    with pytest.raises(NotFound):
        acme.wired.service.graph.show.one(READER, globex)


def test_a_document_that_is_forgotten_names_nothing_any_more(acme: Installation) -> None:
    (document,) = acme.wired.service.library.page(OWNER, space=None).documents

    acme.wired.service.library.forget(OWNER, document.document.id)

    ola = listed(acme)["Ola Nowak"]
    assert (ola.memories, ola.chunks, ola.documents) == (1, 0, {})


def test_a_stranger_sees_no_entity_of_another_space(acme: Installation) -> None:
    with pytest.raises(NotFound):
        acme.wired.service.graph.show.one(STRANGER, named(acme, "Acme"))
    with pytest.raises(NotFound):
        acme.wired.service.graph.entities.delete(STRANGER, named(acme, "Acme"))
    with pytest.raises(NotAllowed):
        acme.wired.service.graph.entities.delete(READER, named(acme, "Acme"))


def test_a_renamed_entity_keeps_its_old_name_as_an_alias_and_sources_still_lead_to_it(acme: Installation) -> None:
    acme.wired.service.graph.entities.change(WRITER, named(acme, "Ola Nowak"), EntityEdit(name="Aleksandra Nowak"))
    acme.save("Ola Nowak prefers tea")
    settle(acme)

    shown = listed(acme)["Aleksandra Nowak"]
    assert (shown.aliases, shown.memories) == (("Ola Nowak",), 2)
    assert "Ola Nowak" not in listed(acme)
    require_counts(acme)


def test_a_name_of_another_entity_is_refused_and_tells_which_it_is(acme: Installation) -> None:
    service = acme.wired.service.graph.entities
    service.change(WRITER, named(acme, "Acme"), EntityEdit(aliases=("Acme Incorporated",)))

    for name in ("ACME", "acme incorporated"):
        with pytest.raises(NameTaken) as refused:
            service.change(WRITER, named(acme, "Globex"), EntityEdit(name=name))
        assert refused.value.entity == named(acme, "Acme")
    assert "Globex" in listed(acme)


@pytest.mark.parametrize(
    "name", ["", "7", "x", "2026-03-01", "f(x) = 2*x", "a" * 10_000, "one two three four five six"]
)
def test_what_can_not_be_a_name_is_refused(acme: Installation, name: str) -> None:
    with pytest.raises(Invalid):
        acme.wired.service.graph.entities.declare(WRITER, NewEntity(name, "person"))
    with pytest.raises(Invalid):
        acme.wired.service.graph.entities.change(WRITER, named(acme, "Acme"), EntityEdit(name=name))


def test_a_type_that_a_person_gave_stays_whatever_sources_say(acme: Installation) -> None:
    acme.wired.service.graph.entities.change(WRITER, named(acme, "Acme"), EntityEdit(type="project"))
    acme.save("Piotr Zieliński works at Acme Corp")
    settle(acme)

    assert listed(acme)["Acme"].entity.type == "project"
    with pytest.raises(Invalid):
        acme.wired.service.graph.entities.change(WRITER, named(acme, "Acme"), EntityEdit(type="colour"))
    require_counts(acme)


def test_a_declared_entity_is_there_before_any_source_names_it(memory: Installation) -> None:
    made = memory.wired.service.graph.entities.declare(WRITER, NewEntity("Pixel", "animal", ("Pixie",)))
    memory.save("Pixie hates thunderstorms, and Pixel hates rain.")
    settle(memory)

    again = memory.wired.service.graph.entities.declare(WRITER, NewEntity("pixel", "animal"))
    assert (made.is_new, again.is_new, again.entity.id) == (True, False, made.entity.id)
    assert listed(memory)["Pixel"].memories == 1
    require_counts(memory)


def test_a_deleted_entity_stays_away_though_sources_name_it_again_until_that_is_undone(acme: Installation) -> None:
    globex = named(acme, "Globex")
    acme.wired.service.graph.entities.delete(WRITER, globex)
    acme.save("Ola Nowak left Globex GmbH")
    settle(acme)

    assert "Globex" not in listed(acme)
    acme.wired.service.graph.entities.undo(WRITER, globex)
    assert listed(acme)["Globex"].memories == 2
    require_counts(acme)


def test_a_deleted_entity_that_nothing_names_any_more_stays_away_when_a_source_names_it_again(
    acme: Installation,
) -> None:
    add = acme.wired.service.add_document
    add(OWNER, Sending("o.md", b"# Office\n\nZofia Lis works at Initech GmbH.\n"))
    settle(acme)
    acme.wired.service.graph.entities.delete(WRITER, named(acme, "Initech"))
    add(OWNER, Sending("o.md", b"# Office\n\nNobody is there.\n"))
    settle(acme)

    root = RootId(acme.save("Zofia Lis works at Initech GmbH"))
    settle(acme)

    assert (set(listed(acme, words="zofia")), set(listed(acme, words="initech"))) == ({"Zofia Lis"}, set())
    assert [each.outcome for each in links(acme, root)] == [Outcome.LINKED]
    require_counts(acme)


def test_a_merged_entity_counts_for_the_other_and_its_names_are_aliases(acme: Installation) -> None:
    service = acme.wired.service
    service.graph.merge(WRITER, named(acme, "Globex"), named(acme, "Acme"))

    shown = listed(acme)["Acme"]
    assert (shown.memories, shown.aliases) == (2, ("Globex",))
    assert "Globex" not in listed(acme)
    assert set(listed(acme, words="globex")) == {"Acme"}
    (merge,) = service.graph.merge.page(READER, space=None).merges
    assert (merge.entity.name, merge.into.name, merge.by) == ("Globex", "Acme", "writer")
    require_counts(acme)


def test_a_merge_tells_no_name_that_only_forgotten_memories_have(acme: Installation) -> None:
    service, globex = acme.wired.service, entities(acme)["Globex"]
    (named_globex,) = service.graph.show.sources(globex, 9)
    root = RootId(str(named_globex.source).partition("@")[0])
    service.graph.merge(WRITER, globex.id, named(acme, "Acme"))

    service.forget(OWNER, VersionRef(root))

    assert (listed(acme)["Acme"].aliases, set(listed(acme, words="globex"))) == ((), set())
    assert service.graph.merge.page(READER, space=None).merges == ()
    service.restore(OWNER, VersionRef(root))
    assert listed(acme)["Acme"].aliases == ("Globex",)


def test_an_entity_that_others_count_for_is_shown_while_something_names_one_of_them(acme: Installation) -> None:
    service, acme_corp = acme.wired.service, entities(acme)["Acme"]
    roots = [
        RootId(str(each.source).partition("@")[0])
        for entity in (entities(acme)["Globex"], acme_corp)
        for each in service.graph.show.sources(entity, 9)
    ]
    service.graph.merge(WRITER, named(acme, "Globex"), acme_corp.id)

    shown = []
    for root in reversed(roots):
        service.forget(OWNER, VersionRef(root))
        shown.append("Acme" in listed(acme))

    assert shown == [True, False]


def test_a_reverted_merge_gives_back_also_what_came_since_by_the_merged_name(acme: Installation) -> None:
    service, globex = acme.wired.service, named(acme, "Globex")
    service.graph.merge(WRITER, globex, named(acme, "Acme"))
    acme.save("Jan Kowalski works at Globex GmbH")
    settle(acme)
    assert listed(acme)["Acme"].memories == 3

    service.graph.merge.revert(WRITER, globex)

    after = listed(acme)
    assert (after["Acme"].memories, after["Globex"].memories, after["Acme"].aliases) == (1, 2, ())
    with pytest.raises(WrongState):
        service.graph.merge.revert(WRITER, globex)
    require_counts(acme)


def test_entities_are_not_merged_into_themselves_in_a_circle_or_across_spaces(acme: Installation) -> None:
    acme.save("Ola Nowak works at Acme Corp", "elsewhere")
    settle(acme)
    merge, (one, other) = acme.wired.service.graph.merge, (named(acme, "Acme"), named(acme, "Globex"))
    foreign = entities(acme, "elsewhere")["Acme"].id

    with pytest.raises(WrongState):
        merge(OWNER, one, one)
    with pytest.raises(Invalid):
        merge(OWNER, one, foreign)
    merge(OWNER, one, other)
    with pytest.raises(WrongState):
        merge(OWNER, other, one)
    require_counts(acme)


def test_a_chain_of_merges_ends_at_its_last_entity_and_is_reverted_link_by_link(acme: Installation) -> None:
    service = acme.wired.service
    ola, acme_id, globex = (named(acme, each) for each in ("Ola Nowak", "Acme", "Globex"))
    service.graph.merge(WRITER, ola, acme_id)
    service.graph.merge(WRITER, acme_id, globex)

    assert listed(acme)["Globex"].aliases == ("Acme", "Ola Nowak")
    service.graph.merge.revert(WRITER, acme_id)

    assert listed(acme)["Acme"].aliases == ("Ola Nowak",)
    require_counts(acme)


def test_each_decision_stands_in_the_history_and_the_last_one_can_be_undone(acme: Installation) -> None:
    service, ola = acme.wired.service, named(acme, "Ola Nowak")
    service.graph.entities.change(WRITER, ola, EntityEdit(name="Aleksandra Nowak"))
    service.graph.entities.change(OWNER, ola, EntityEdit(type="agent"))

    service.graph.entities.undo(WRITER, ola)

    assert [(each.what, each.by) for each in service.graph.show.history(READER, ola).events] == [
        ("undone", "writer"),
        ("retyped", "owner"),
        ("renamed", "writer"),
    ]
    assert (listed(acme)["Aleksandra Nowak"].entity.type, service.graph.entities.undo(WRITER, ola).entity.type) == (
        "person",
        "agent",
    )
    require_counts(acme)


def test_a_request_that_comes_twice_is_done_once(acme: Installation) -> None:
    service, ola = acme.wired.service.graph.entities, named(acme, "Ola Nowak")
    request = Idempotency("k", b"rename")

    first = service.change(WRITER, ola, EntityEdit(name="Aleksandra Nowak"), request)
    service.change(WRITER, ola, EntityEdit(name="Olka"))
    again = service.change(WRITER, ola, EntityEdit(name="Aleksandra Nowak"), request)

    assert (first.entity.name, again.entity.name) == ("Aleksandra Nowak", "Olka")


def test_what_is_stated_is_told_apart_from_what_only_stands_beside(acme: Installation) -> None:
    acme.save("Ola Nowak met Piotr Zieliński in the hall.")
    settle(acme)

    found = acme.wired.service.graph.related(READER, named(acme, "Ola Nowak"), RelatedQuery())

    told = {each.entity.name: ([s.relation.predicate for s in each.stated], each.shared) for each in found.related}
    assert told == {"Acme": (["works_at"], 1), "Piotr Zieliński": ([], 1)}
    assert [each.entity.name for each in found.related] == ["Acme", "Piotr Zieliński"]


def test_three_hops_and_the_shortest_path_go_by_way_of_others(acme: Installation) -> None:
    acme.save("Piotr Zieliński met Ola Nowak in the hall.")
    settle(acme)
    ask, one = acme.wired.service.graph.related, named(acme, "Acme")

    far = ask(READER, one, RelatedQuery(hops=3))
    way = ask(READER, one, RelatedQuery(path_to=named(acme, "Globex")))

    assert {each.entity.name: each.hops for each in far.related} == {"Ola Nowak": 1, "Piotr Zieliński": 2, "Globex": 3}
    assert [each.entity.name for each in way.related] == ["Ola Nowak", "Piotr Zieliński", "Globex"]
    assert ask(READER, one, RelatedQuery(hops=1)).related[0].stated[0].is_from is False
    with pytest.raises(Invalid):
        ask(READER, one, RelatedQuery(hops=4))


def test_the_graph_can_be_asked_as_of_a_date(acme: Installation) -> None:
    root = acme.wired.service.recall(OWNER, RecallQuery("Acme")).memories[0].head.root
    before, ola = acme.clock.now(), named(acme, "Ola Nowak")
    acme.clock.turn(timedelta(days=1))
    acme.wired.service.revise(OWNER, VersionRef(root), Revision("Ola Nowak works at Initech"))
    settle(acme)

    def employers(when: Filters | None) -> set[str]:
        return {
            each.entity.name for each in acme.wired.service.graph.related(READER, ola, RelatedQuery(when=when)).related
        }

    assert (employers(None), employers(Filters(believed_at=before))) == ({"Initech"}, {"Acme"})
    acme.wired.service.forget(OWNER, VersionRef(root))
    assert employers(Filters(believed_at=before)) == set()


def test_nothing_of_a_forgotten_memory_relates_two_entities(acme: Installation) -> None:
    root = RootId(acme.save("Ola Nowak met Piotr Zieliński in the hall."))
    settle(acme)

    acme.wired.service.forget(OWNER, VersionRef(root))

    found = acme.wired.service.graph.related(READER, named(acme, "Ola Nowak"), RelatedQuery())
    assert [each.entity.name for each in found.related] == ["Acme"]


def test_a_merge_drops_what_would_be_stated_of_one_and_itself(acme: Installation) -> None:
    acme.wired.service.graph.merge(WRITER, named(acme, "Ola Nowak"), named(acme, "Acme"))

    assert acme.wired.service.graph.related(READER, named(acme, "Acme"), RelatedQuery()).related == ()


def code_names(letter: str, many: int) -> tuple[str, ...]:
    return tuple(f"{letter} {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(many))


def test_every_name_of_an_entity_is_changed_at_once_and_more_aliases_than_it_may_have_are_refused(
    memory: Installation,
) -> None:
    change = memory.wired.service.graph.entities.change
    ola = memory.wired.service.graph.entities.declare(
        WRITER, NewEntity("Ola", "person", code_names("first", ALIASES))
    ).entity
    edit = EntityEdit(name="Zoe", type="agent", aliases=code_names("second", ALIASES))

    refusals = []
    for each in (EntityEdit(name="Aleksandra"), EntityEdit(aliases=code_names("third", ALIASES + 1)), edit):
        with pytest.raises(Invalid) as refused:
            change(WRITER, ola.id, each)
        refusals.append(refused.value.field)
    changed = change(WRITER, ola.id, replace(edit, aliases=code_names("second", ALIASES - 1))).entity

    assert refusals == ["name", "aliases", "name"]
    assert (changed.name, changed.aliases) == ("Zoe", ("Ola", *code_names("second", ALIASES - 1)))
    assert memory.wired.service.graph.entities.undo(WRITER, ola.id).entity.aliases == ola.aliases
