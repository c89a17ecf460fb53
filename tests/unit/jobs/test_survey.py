"""A space is surveyed when it has grown, and the survey goes with what is erased."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from palimpsest.domain.ids import VersionRef
from palimpsest.domain.whitening import Whitening
from palimpsest.ports.table import Key
from palimpsest.stores import keys
from palimpsest.stores.surveys import UNKNOWN, Survey, Surveys
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode, SourceClaim
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation, install
from tests.unit.jobs.test_slices import work


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
