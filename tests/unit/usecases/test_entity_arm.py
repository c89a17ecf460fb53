"""Recall walks from a name in the query to what names it, and from there to what names what is related to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.asking.spellings import MOST, spellings
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.language import Language
from palimpsest.ports.embedder import Vector
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import ArmState, ContextHit, Hit, Recalled, RecallQuery
from palimpsest.usecases.entities import EntityEdit, NewEntity
from tests.support.graph import entities, settle
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import WRITER
from tests.support.sleeping_indexes import SleepingIndexes


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def recall(memory: Installation, query: str, **more: object) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery(query, **more))  # type: ignore[arg-type]


def texts(recalled: Recalled) -> list[str]:
    return [hit.memory.version.statement.content if isinstance(hit, Hit) else hit.chunk.text for hit in recalled.hits]


def why(recalled: Recalled) -> dict[str, tuple[str, ...]]:
    return dict(zip(texts(recalled), (hit.why for hit in recalled.hits), strict=True))


def test_what_names_an_entity_of_the_query_is_found_by_its_alias_and_its_inflected_name(memory: Installation) -> None:
    memory.wired.service.graph.entities.declare(WRITER, NewEntity("Kowalska", "person", ("Kasia",)))
    memory.save("Kasia prefers tea")
    settle(memory)

    by_alias = recall(memory, "what does Kowalska drink")
    inflected = recall(memory, "co pije Kasi siostra")

    assert "entity" in why(by_alias)["Kasia prefers tea"]
    assert (by_alias.entities, inflected.entities) == (("Kowalska",), ("Kowalska",))


def test_what_only_the_tail_knows_keeps_its_words_beside_the_entity_arm(tmp_path: Path) -> None:
    silent, indexes = _Silent(), SleepingIndexes(tmp_path)
    memory = install(tmp_path, embedder=silent, indexes=indexes)
    memory.wired.service.graph.entities.declare(WRITER, NewEntity("Kowalska", "person", ("Kasia",)))
    memory.save("Kasia prefers jasmine tea")
    settle(memory)
    silent.is_silent = indexes.engine.is_asleep = True

    found = recall(memory, "what jasmine tea does Kasia prefer").hits[0]

    assert isinstance(found, Hit)
    assert found.memory.version.statement.content == "Kasia prefers jasmine tea"
    assert {"tail", "entity"} <= set(found.why)
    assert found.scores["keyword"] > 0


class _Silent(HashingEmbedder):
    """Embeds no query while it `is_silent`."""

    is_silent = False

    def query(self, text: str) -> Vector:
        if self.is_silent:
            raise EmbedderUnavailable("embedder_failed", "no answer")
        return super().query(text)


def test_a_memory_and_a_section_are_two_hops_apart_and_recall_walks_the_edge(memory: Installation) -> None:
    memory.save("Ola Nowak works at Acme Corp")
    memory.wired.service.add_document(
        OWNER, Sending("r.md", b"# Lease\n\nThe rooms of Acme Corp are let until June.\n")
    )
    settle(memory)

    found = recall(memory, "Ola Nowak")
    alone = recall(memory, "Ola Nowak", is_expanded=False)

    assert "entity" in why(found)["The rooms of Acme Corp are let until June."]
    assert "entity" not in why(alone).get("The rooms of Acme Corp are let until June.", ())


def test_what_texts_say_that_somebody_is_hides_nobody_who_is_related(memory: Installation) -> None:
    for trade in ("baker", "cook", "dancer", "farmer", "judge", "lawyer", "nurse", "painter", "singer", "teacher"):
        memory.save(f"Ola Nowak is a {trade}")
    memory.save("Ola Nowak works at Acme Corp")
    memory.wired.service.add_document(OWNER, Sending("r.md", b"The rooms of Acme Corp are let until June."))
    settle(memory)

    found = recall(memory, "Ola Nowak", limit=50)

    assert "entity" in why(found)["The rooms of Acme Corp are let until June."]


def test_only_what_names_an_entity_is_found_where_that_is_asked_for(memory: Installation) -> None:
    memory.save("Ola Nowak prefers tea")
    memory.save("Piotr Zieliński prefers tea")
    settle(memory)

    by_name = recall(memory, "who prefers tea", entity="ola nowak")
    by_id = recall(memory, "who prefers tea", entity=entities(memory)["Piotr Zieliński"].id)
    nobody = recall(memory, "who prefers tea", entity="Globex")

    assert (texts(by_name), texts(by_id)) == (["Ola Nowak prefers tea"], ["Piotr Zieliński prefers tea"])
    assert texts(nobody) == []


def test_what_was_forgotten_or_replaced_is_not_found_by_what_it_named(memory: Installation) -> None:
    root = RootId(memory.save("Ola Nowak keeps bees"))
    settle(memory)
    memory.wired.service.forget(OWNER, VersionRef(root))

    assert texts(recall(memory, "Ola Nowak", entity="Ola Nowak")) == []


def test_a_name_that_only_a_forgotten_memory_has_is_told_to_nobody(memory: Installation) -> None:
    root = RootId(memory.save("Ola Nowak keeps bees"))
    memory.save("Somebody keeps wasps")
    settle(memory)
    told = recall(memory, "what does ola nowak keep").entities
    memory.wired.service.forget(OWNER, VersionRef(root))

    assert (told, recall(memory, "what does ola nowak keep").entities) == (("Ola Nowak",), ())


def test_a_merged_name_leads_to_what_names_the_other(memory: Installation) -> None:
    memory.save("Ola Nowak keeps bees")
    memory.wired.service.graph.entities.declare(WRITER, NewEntity("Aleksandra", "person"))
    settle(memory)
    ids = entities(memory)
    memory.wired.service.graph.merge(WRITER, ids["Ola Nowak"].id, ids["Aleksandra"].id)

    assert texts(recall(memory, "hobbies", entity="Aleksandra")) == ["Ola Nowak keeps bees"]


def test_a_renamed_entity_is_found_by_both_names(memory: Installation) -> None:
    memory.save("Ola Nowak keeps bees")
    settle(memory)
    memory.wired.service.graph.entities.change(WRITER, entities(memory)["Ola Nowak"].id, EntityEdit(name="Olka"))

    assert [texts(recall(memory, "bees", entity=name)) for name in ("Olka", "Ola Nowak")] == [
        ["Ola Nowak keeps bees"]
    ] * 2


def test_the_arm_says_how_it_fared(memory: Installation) -> None:
    memory.save("Ola Nowak keeps bees")
    settle(memory)

    states = {arm.name: (arm.state, arm.candidates) for arm in recall(memory, "Ola Nowak").arms}
    none = {arm.name: arm.state for arm in recall(memory, "who keeps wasps").arms}

    assert (states["entity"], none["entity"]) == ((ArmState.OK, 1), ArmState.EMPTY)


def test_an_entity_of_another_space_is_no_anchor(memory: Installation) -> None:
    memory.save("Ola Nowak keeps bees", "elsewhere")
    memory.save("Somebody keeps wasps")
    settle(memory)

    foreign = entities(memory, "elsewhere")["Ola Nowak"].id
    assert texts(recall(memory, "bees", entity=foreign)) == []
    assert recall(memory, "Ola Nowak").entities == ()


def test_spellings_are_phrases_without_stop_words_at_their_ends_and_never_too_many() -> None:
    both = tuple(Language)
    asked = "Where does Ola Nowak live?"
    assert spellings(asked, (Language.ENGLISH,)) == (
        "ola nowak live",
        "ola nowak",
        "nowak live",
        "ola",
        "nowak",
        "live",
    )
    assert spellings(asked, both)[:6] == spellings(asked, (Language.ENGLISH,))
    assert "kasia" in spellings("co pije Kasi siostra", both)
    assert len(spellings(" ".join(f"słowo{n}" for n in range(500)), both)) == MOST
    assert spellings("", both) == ()


def test_a_chunk_is_a_candidate_beside_memories(memory: Installation) -> None:
    memory.wired.service.add_document(OWNER, Sending("r.md", b"# Bees\n\nOla Nowak keeps bees.\n"))
    settle(memory)

    (hit,) = recall(memory, "hobby", entity="Ola Nowak").hits
    assert isinstance(hit, ContextHit)
    assert recall(memory, "hobby", entity="Ola Nowak", kinds=("memory",)).hits == ()
