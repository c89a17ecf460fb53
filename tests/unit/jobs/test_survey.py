"""A space is surveyed when it has grown, and the survey goes with what is erased."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable
from palimpsest.domain.ids import SpaceId, VersionRef
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.embedder import Model, Vector
from palimpsest.ports.table import Key, Put
from palimpsest.stores import keys
from palimpsest.stores.surveys import UNKNOWN, Survey, Surveys
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_slices import work

SPACE = SpaceId("space")


def _say(memory: Installation, first: int, last: int) -> None:
    for number in range(first, last):
        said = f"{'Anna' if number % 2 else 'Jan'}: number {number} is on my mind"
        source = SourceClaim(session="talk")
        memory.wired.service.remember(OWNER, Draft(said, source=source, judge=JudgeMode.OFF))
    memory.index()


def _survey(memory: Installation) -> Survey:
    recall = memory.wired.service.recall
    space = memory.wired.service.read.steps.spaces.find("default")
    assert space is not None
    return Surveys(recall.search_spaces.surveys.table).read(space.id, recall.understand.embedder.model)


def _surveys(memory: Installation) -> set[str | None]:
    """The kinds of items that tell of a survey."""
    kinds = {keys.kind(Key(str(each["pk"]), str(each["sk"]))) for each in memory.sqlite.scan().items}
    return kinds & {"survey", "survey_axes"}


def test_a_small_space_is_not_surveyed_and_a_grown_one_is(tmp_path: Path) -> None:
    memory = install(tmp_path)

    _say(memory, 0, 10)
    assert _survey(memory) == UNKNOWN

    _say(memory, 10, 40)
    found = _survey(memory)
    assert sorted(found.speakers) == ["anna", "jan"]
    assert isinstance(found.whitening, Whitening)


def test_a_survey_is_made_anew_when_the_space_has_grown(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    first = _survey(memory).whitening

    _say(memory, 20, 24)
    assert first is not None
    again = _survey(memory).whitening
    assert again is not None
    assert (again.mean == first.mean).all()

    _say(memory, 24, 30)
    grown = _survey(memory).whitening
    assert grown is not None
    assert (grown.mean != first.mean).any()


def test_a_survey_goes_with_a_memory_that_is_erased(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    root = memory.wired.service.list_memories(OWNER, ListQuery()).memories[0].head.root
    assert _surveys(memory) == {"survey", "survey_axes"}

    memory.wired.service.erase(OWNER, VersionRef(root))
    work(memory)

    assert _surveys(memory) == set()
    assert _survey(memory) == UNKNOWN


def test_a_survey_goes_with_a_document_that_is_erased(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    sent = memory.wired.service.add_document(OWNER, Sending("bees.md", b"# Bees\n\nOla keeps bees."))
    work(memory)
    memory.index()
    assert _surveys(memory) == {"survey", "survey_axes"}

    memory.wired.service.erase_document(OWNER, sent.document.id)
    for _ in range(3):
        memory.clock.turn(timedelta(minutes=2))
        memory.wired.plan()
        work(memory)

    assert _surveys(memory) == set()


def test_what_a_save_with_a_session_says_has_the_next_turn(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 3)

    found = memory.wired.service.recall(OWNER, RecallQuery("number", is_dry_run=True)).memories
    turns = {each.version.statement.content: each.version.statement.place for each in found}

    places = [place for _, place in sorted(turns.items(), key=lambda item: item[0].split()[2])]
    assert [place.turn for place in places if place] == [0, 1, 2]
    assert len({place.talk for place in places if place}) == 1


@pytest.mark.parametrize("dimensions", [384, 1_536, 4_096])
def test_the_axes_of_long_vectors_are_kept_whole(dimensions: int) -> None:
    vectors = np.random.default_rng(1).standard_normal((64, dimensions)).astype(np.float32)
    whitening = Whitening.learn(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    assert whitening is not None
    model = Model("long", "1", dimensions)
    with SqliteTable() as table:
        Surveys(table).keep(SPACE, model, Survey(whitening, ("anna",)), 64)
        found = Surveys(table).read(SPACE, model)
        assert found.speakers == ("anna",)
        assert found.whitening is not None
        assert np.allclose(found.whitening.axes, whitening.axes, rtol=1e-2, atol=1e-2)

        Surveys(table).forget(SPACE)
        assert Surveys(table).read(SPACE, model) == UNKNOWN
        assert list(table.scan().items) == []


def test_parts_of_two_surveys_are_not_read_as_one() -> None:
    random = np.random.default_rng(2)
    model = Model("long", "1", 2_048)
    one, other = (Whitening.learn(random.standard_normal((256, 2_048)).astype(np.float32)) for _ in range(2))
    place = keys.survey_axes(SPACE, model, 1)
    with SqliteTable() as table:
        Surveys(table).keep(SPACE, model, Survey(one), 64)
        before = table.get([place]).items[place]
        Surveys(table).keep(SPACE, model, Survey(other), 64)
        table.write(Put(before))

        assert Surveys(table).read(SPACE, model) == UNKNOWN


class Late(HashingEmbedder):
    """One that does not answer for passages at first."""

    is_there = False

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        if not self.is_there:
            raise EmbedderUnavailable("embedder_failed", "not yet")
        return super().passages(texts)


def test_a_space_whose_vectors_come_late_is_surveyed_when_they_are_there(tmp_path: Path) -> None:
    embedder = Late()
    memory = install(tmp_path, embedder=embedder)
    _say(memory, 0, 40)
    assert _survey(memory) == UNKNOWN

    embedder.is_there = True
    memory.wired.plan()
    work(memory)
    memory.index()

    assert _survey(memory).whitening is not None
