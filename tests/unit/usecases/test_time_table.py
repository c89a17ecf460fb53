"""The worked table of the docs page "What happens when you save", row by row, against a real installation."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from palimpsest.domain.conflict import Action, ConflictState
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import VersionRef
from palimpsest.domain.version import Because
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Choice, Draft, Outcome, Revision, Saved
from palimpsest.usecases.readings import ConflictQuery, ListQuery
from tests.architecture import tree
from tests.support import conflicting
from tests.support.installation import OWNER, Installation, install

PAGE = tree.ROOT / "docs" / "what-happens-when-you-save.md"
STEP = re.compile(
    r"(?P<day>[\d-]{10}) (?P<verb>[a-z]+)"
    r"(?: to (?P<version>\d+))?(?: (?P<action>keep_[a-z]+))?(?: \"(?P<text>[^\"]+)\")?"
    r"(?: from (?P<from>[\d-]{10}))?(?: until (?P<until>[\d-]{10}))?(?: expires (?P<expires>[\d-]{10}))?"
)


class Row(NamedTuple):
    """One question and its answer."""

    story: str
    as_of: str
    believed_at: str
    answer: str

    @property
    def texts(self) -> list[str]:
        """What is answered, in order of the alphabet."""
        return [] if self.answer == "nothing" else sorted(self.answer.split(" and "))


def table(first: str) -> list[list[str]]:
    """The cells of the table of the page whose header begins so."""
    lines = PAGE.read_text("utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(first)) + 2
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


STORIES = dict(table("| story | what happens |"))
ROWS = [Row(*cells[:4]) for cells in table("| story | `as_of` |")]
ASKED = re.findall(r"Asked on ([\d-]{10}):", PAGE.read_text("utf-8"))[0]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """All stories, each in a space of its own, step after step in the order of their days."""
    memory = install(tmp_path_factory.mktemp("time"))
    roots: dict[str, VersionRef] = {}
    steps = [(step, story) for story in STORIES for step in steps_of(story)]
    for step, story in sorted(steps, key=lambda each: each[0]["day"]):
        memory.clock.turn(on(step["day"]) - memory.clock.now())
        take(memory, story, step, roots)
    memory.clock.turn(on(ASKED) - memory.clock.now())
    return memory


def steps_of(story: str) -> list[dict[str, str]]:
    """The steps of a story, with those of the story that it goes on from."""
    found = []
    for part in STORIES[story].split("; "):
        if part.startswith("as "):
            found += steps_of(part.removeprefix("as "))
            continue
        match = STEP.fullmatch(part)
        assert match is not None, f"{story}: {part}"
        found.append({name: value or "" for name, value in match.groupdict().items()})
    return found


def take(memory: Installation, story: str, step: dict[str, str], roots: dict[str, VersionRef]) -> None:
    """Take one step of a story."""
    service, text = memory.wired.service, step["text"]
    begins, ends, expires = (moment(step[name]) for name in ("from", "until", "expires"))
    match step["verb"]:
        case "save":
            draft = Draft(text, space=story, valid_from=begins, valid_until=ends, expires_at=expires)
            roots[story] = VersionRef(service.remember(OWNER, draft).memory.head.root)
        case "change" | "correct" as verb:
            because = {"change": Because.CHANGED, "correct": Because.CORRECTED}[verb]
            service.revise(OWNER, roots[story], Revision(text, valid_from=begins, valid_until=ends, because=because))
        case "revert":
            service.revert(OWNER, roots[story], int(step["version"]))
        case "contradict" | "decide" | "undo" as verb:
            dispute(memory, story, verb, step, roots[story])
        case "forget":
            service.forget(OWNER, roots[story])
        case "restore":
            service.restore(OWNER, roots[story])
        case other:
            raise AssertionError(f"the page has a step that nobody knows: {other}")


def dispute(memory: Installation, story: str, verb: str, step: dict[str, str], ref: VersionRef) -> None:
    """Begin a conflict, decide it, or take the decision back."""
    service = memory.wired.service
    if verb == "contradict":
        conflicting.save(memory, Draft(step["text"], space=story), Saved(service.read(OWNER, ref), Outcome.ADDED))
        return
    state = ConflictState.PENDING if verb == "decide" else ConflictState.RESOLVED
    (shown,) = service.conflicts(OWNER, ConflictQuery(space=story, state=state)).conflicts
    if verb == "decide":
        service.resolve(OWNER, shown.conflict.id, Choice(Action(step["action"])))
    else:
        service.take_back(OWNER, shown.conflict.id)


def on(day: str) -> datetime:
    """The first moment of a day."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def moment(day: str) -> datetime | None:
    """The same; None for a cell that is empty."""
    return on(day) if day else None


def test_the_table_asks_every_story_and_tells_of_at_least_twelve_rows() -> None:
    assert {row.story for row in ROWS} == set(STORIES)
    assert len(ROWS) >= 12


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.story}-{row.as_of or 'now'}-{row.believed_at or 'now'}")
@pytest.mark.parametrize("is_indexed", [False, True], ids=["tail", "index"])
def test_each_row_of_the_table_is_so(lived: Installation, row: Row, is_indexed: bool) -> None:
    if is_indexed:
        lived.index()
    filters = Filters(as_of=moment(row.as_of), believed_at=moment(row.believed_at))
    words = " ".join(step["text"] for step in steps_of(row.story))

    answer = lived.wired.service.recall(
        OWNER, RecallQuery(words, spaces=(row.story,), filters=filters, is_dry_run=True)
    )

    assert sorted(each.version.statement.content for each in answer.memories) == row.texts


@pytest.mark.parametrize("row", [row for row in ROWS if row.as_of or row.believed_at], ids=str)
def test_a_list_of_that_time_shows_the_same(lived: Installation, row: Row) -> None:
    filters = Filters(as_of=moment(row.as_of), believed_at=moment(row.believed_at))

    page = lived.wired.service.list_memories(OWNER, ListQuery(space=row.story, filters=filters))

    assert sorted(each.version.statement.content for each in page.memories) == row.texts
