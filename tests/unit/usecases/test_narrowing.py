"""What a recall is held to holds in every arm, the entity arm too; a list is narrowed by the same words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.library.fragments import Turn
from palimpsest.domain.source import Trust
from palimpsest.usecases.add_conversation import Talk
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import ContextHit, Hit, Recalled, RecallQuery
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.graph import entities, settle
from tests.support.installation import OWNER, Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def recall(memory: Installation, query: str, **more: object) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery(query, **more))  # type: ignore[arg-type]


def texts(recalled: Recalled) -> set[str]:
    return {hit.memory.version.statement.content if isinstance(hit, Hit) else hit.chunk.text for hit in recalled.hits}


def listed(memory: Installation, **asked: str) -> set[str]:
    found = memory.wired.service.list_memories(OWNER, ListQuery("default", **asked)).memories  # type: ignore[arg-type]
    return {each.version.statement.content for each in found}


def test_what_is_about_an_entity_is_less_than_what_names_it(memory: Installation) -> None:
    for content in ("Ola Nowak works at Acme Corp", "Piotr Lis knows Ola Nowak", "Piotr Lis met Ola Nowak in May"):
        memory.save(content)
    settle(memory)
    about = {"Ola Nowak works at Acme Corp"}
    others = {"Piotr Lis knows Ola Nowak", "Piotr Lis met Ola Nowak in May"}

    by_id = entities(memory)["Ola Nowak"].id

    for name in ("ola nowak", by_id):
        assert texts(recall(memory, "who", subject=name)) == listed(memory, subject=name) == about
        assert texts(recall(memory, "who", entity=name)) == listed(memory, entity=name) == about | others
    assert texts(recall(memory, "who", subject="Piotr Lis", entity="Ola Nowak")) == others
    assert listed(memory, subject="Piotr Lis", entity="Ola Nowak") == others
    assert texts(recall(memory, "who", subject="Globex")) == listed(memory, subject="Globex") == set()


def test_among_very_many_that_name_an_entity_the_best_is_found_however_old(memory: Installation) -> None:
    memory.save("Ola Nowak keeps a llama called Wanda")
    service = memory.wired.service
    for part in range(3):
        service.remember_all(OWNER, [Draft(f"Ola Nowak ran {part * 100 + n} steps on a llama") for n in range(100)])
    service.remember_all(OWNER, [Draft(f"a llama called Wanda ate {n} apples") for n in range(100)])
    settle(memory)

    found = recall(memory, "llama called Wanda", limit=5, entity="Ola Nowak")

    assert next(iter(found.hits)).memory.version.statement.content == "Ola Nowak keeps a llama called Wanda"  # type: ignore[union-attr]
    assert len(found.hits) == 5


def test_what_the_entity_arm_finds_passes_the_filters(memory: Installation) -> None:
    service = memory.wired.service
    service.add_document(OWNER, Sending("bees.md", b"Ola Nowak keeps bees."))
    service.remember(OWNER, Draft("Ola Nowak likes tea", source=SourceClaim(session="one"), tags=("x",)))
    for n in range(40):
        memory.save(f"Ola Nowak ran {n} miles")
    settle(memory)

    by_tag = recall(memory, "Ola Nowak", filters=Filters(tags=("x",)))
    by_session = recall(memory, "Ola Nowak", filters=Filters(session="one"), entity="Ola Nowak")

    assert texts(by_tag) == texts(by_session) == {"Ola Nowak likes tea"}
    assert {arm.name: arm.candidates for arm in by_tag.arms}["entity"] == 1


def test_the_tail_proposes_only_what_passes_by_the_tags_that_a_memory_has_now(memory: Installation) -> None:
    service = memory.wired.service
    roots = [service.remember(OWNER, Draft(f"bees {n}", tags=("x",) * n)).memory.head.root for n in range(2)]
    service.remember(OWNER, Draft("bees 2", tags=("x",), source=SourceClaim(session="one")))
    service.revise(OWNER, VersionRef(roots[0]), Revision("bees 0 again"))

    def proposed(filters: Filters) -> tuple[int, set[str]]:
        found = recall(memory, "bees", filters=filters)
        return next(arm.candidates for arm in found.arms if arm.name == "tail"), texts(found)

    before = proposed(Filters(tags=("x",)))
    service.annotate(OWNER, VersionRef(roots[0]), Annotation(tags=("x",)))
    service.annotate(OWNER, VersionRef(roots[1]), Annotation(tags=()))

    both = (Status.CURRENT, Status.STALE)
    assert before == (2, {"bees 1", "bees 2"})
    assert proposed(Filters(tags=("x",), statuses=both)) == (3, {"bees 0", "bees 0 again", "bees 2"})
    assert proposed(Filters(tags=("x",), session="one")) == (1, {"bees 2"})


def test_a_section_is_found_by_where_its_document_came_from(memory: Installation) -> None:
    service = memory.wired.service
    service.add_document(
        OWNER, Sending("web.md", b"Bees are insects.", source=SourceClaim("external_web", "s1", "mail"))
    )
    service.add_document(OWNER, Sending("own.md", b"Bees are at home here.", source=SourceClaim("first_party_doc")))
    settle(memory)

    assert texts(recall(memory, "bees", filters=Filters(min_trust=Trust.A1))) == {"Bees are at home here."}
    assert texts(recall(memory, "bees", filters=Filters(session="s1", channel="mail"))) == {"Bees are insects."}
    assert texts(recall(memory, "bees", filters=Filters(exclude_source_agents=("external_web",)))) == {
        "Bees are at home here."
    }
    assert texts(recall(memory, "bees", filters=Filters(metadata=(("n", (1,)),)))) == set()


def test_a_turn_is_its_speakers_and_keeps_the_session_in_which_it_was_said(memory: Installation) -> None:
    service = memory.wired.service
    first = Turn("user", "The bees moved out.", "Marta")
    second = Turn("user", "New bees moved in.", "Ola")
    for turns, session in (([first], "monday"), ([first, second], "friday")):
        source = SourceClaim("conversation", session)
        service.add_conversation(OWNER, Talk(turns, external_id="t", source=source, extract=False))
        settle(memory)

    def turns_of(**asked: str) -> set[str]:
        found = recall(memory, "bees", filters=Filters(**asked))  # type: ignore[arg-type]
        return {hit.chunk.text for hit in found.hits if isinstance(hit, ContextHit)}

    assert turns_of(attributed_to="Marta") == turns_of(session="monday") == {"The bees moved out."}
    assert turns_of(attributed_to="Ola") == turns_of(session="friday") == {"New bees moved in."}
