"""A space is surveyed when it has grown, and the survey goes with what is erased."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import EmbedderUnavailable, ItemTooLarge
from palimpsest.domain.ids import SpaceId, VersionRef
from palimpsest.domain.whitening import Whitening
from palimpsest.jobs.survey_space import SurveySpace
from palimpsest.ports.embedder import Vector
from palimpsest.ports.search_index import Candidates, SearchIndex
from palimpsest.ports.table import Key, Units, Write
from palimpsest.stores import keys
from palimpsest.stores.keys import LogPartition
from palimpsest.stores.surveys import UNKNOWN, Standing, Survey, Surveys
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install
from tests.support.metered_table import MeteredTable
from tests.support.passing_indexes import PassingIndex, PassingIndexes
from tests.unit.jobs.test_slices import work


class AbsentEmbedder(HashingEmbedder):
    """The hashing one; it is down until a test says that it is there."""

    is_there = False

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        if not self.is_there:
            raise EmbedderUnavailable("embedder_failed", "it is down")
        return super().passages(texts)


class CountingIndex(PassingIndex):
    """Notes which spaces were looked into."""

    def __init__(self, inner: SearchIndex, samples: list[SpaceId]) -> None:
        super().__init__(inner)
        self._samples = samples

    def sample(self, space: SpaceId, limit: int) -> Candidates:
        self._samples.append(space)
        return super().sample(space, limit)


class SmallTable(MeteredTable):
    """Takes no transaction."""

    def transact(self, writes: Sequence[Write]) -> Units:
        raise ItemTooLarge


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


def _follow(memory: Installation) -> Callable[..., bool]:
    """What another process does once the log of the space was followed."""
    changes = memory.wired.index_changes
    space, opened = _space(memory), changes.searching.open(changes.searching.answering())
    survey = SurveySpace(Surveys(memory.sqlite))
    return lambda *, is_remote=False: survey(opened, space, is_remote=is_remote)


def _space(memory: Installation) -> SpaceId:
    return memory.wired.build_index.spaces.ensure("default").id


def test_a_space_whose_vectors_come_late_is_surveyed_when_they_are_there(tmp_path: Path) -> None:
    embedder = AbsentEmbedder()
    memory = install(tmp_path, embedder=embedder)
    _say(memory, 0, 40)
    assert _survey(memory).whitening is None

    embedder.is_there = True
    memory.wired.embed_pending(limit=3)
    memory.index()
    few = _survey(memory).whitening
    assert few is not None
    assert few.count == 3

    memory.wired.embed_pending(limit=40)
    memory.index()
    whole = _survey(memory).whitening
    assert whole is not None
    assert whole.count == 40


def test_a_space_without_vectors_is_surveyed_once(tmp_path: Path) -> None:
    memory = install(tmp_path, embedder=AbsentEmbedder())
    _say(memory, 0, 40)
    assert _surveys(memory) == {"survey", "survey_axes"}

    assert not _follow(memory)()


def test_a_space_with_vectors_is_not_looked_into_until_it_has_grown(tmp_path: Path) -> None:
    samples: list[SpaceId] = []
    memory = install(tmp_path, indexes=PassingIndexes(tmp_path, lambda inner: CountingIndex(inner, samples)))
    _say(memory, 0, 40)

    _say(memory, 40, 49)
    assert len(samples) == 1

    _say(memory, 49, 50)
    assert len(samples) == 2


def test_a_remote_index_is_asked_again_after_a_hundred_calls(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    follow = _follow(memory)
    assert not follow(is_remote=True)
    _say_unseen(memory, 20, 40)

    assert [follow(is_remote=True) for _ in range(100)] == [False] * 99 + [True]


def test_a_remote_index_is_asked_at_once_after_an_erasure(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    follow = _follow(memory)
    follow(is_remote=True)
    assert not follow(is_remote=True)

    memory.wired.index_changes.follow.survey.surveys.forget(_space(memory))

    assert follow(is_remote=True)


def test_a_remote_index_is_asked_soon_while_a_space_is_small(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 4)
    follow = _follow(memory)
    follow(is_remote=True)
    _say_unseen(memory, 4, 20)

    assert True in [follow(is_remote=True) for _ in range(10)]


def _say_unseen(memory: Installation, first: int, last: int) -> None:
    """Into the index, without a survey."""
    survey = memory.wired.index_changes.follow.survey
    known, survey.surveys = survey.surveys, Surveys(SqliteTable(":memory:"))
    _say(memory, first, last)
    survey.surveys = known


def test_what_was_looked_at_before_an_erasure_is_not_kept_after_it(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say(memory, 0, 20)
    surveys, model = memory.wired.index_changes.follow.survey.surveys, memory.wired.build_index.fill.embedder.model
    for number in (0, surveys.number(_space(memory))):
        surveys.forget(_space(memory))

        assert not surveys.keep(_space(memory), model, Survey(None, ("anna",)), made=Standing(20, 20), number=number)

    assert _surveys(memory) == set()
    assert surveys.read(_space(memory), model) == UNKNOWN


def test_what_fails_for_good_is_told(tmp_path: Path) -> None:
    memory = install(tmp_path)
    _say_unseen(memory, 0, 20)
    changes = memory.wired.index_changes
    changes.follow.survey.surveys = Surveys(SmallTable(memory.sqlite))

    with pytest.raises(ItemTooLarge):
        changes.follow(changes.searching.answering(), LogPartition(_space(memory), 0))
