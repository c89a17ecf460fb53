"""Spaces and their settings: who may see and set them, what is kept, and when it holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import IdempotencyReused, Invalid, NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.learning.asking import Wishes
from palimpsest.domain.scrub.kinds import Kind, Treatment
from palimpsest.stores.spaces import Spaces
from palimpsest.usecases.drafts import Draft
from palimpsest.usecases.space_settings import SpaceSettings
from tests.support.installation import OWNER, Installation

FLAGGED = SpaceSettings(7, ((Kind.PHONE, Treatment.FLAG),), ("PL", "DE"), ("Aurora",))
AS_EVERYWHERE = SpaceSettings(None, (), None, ())
TEXT = "Aurora: 601 234 567"
READER = Caller(KeyId("reader"), Role.READER, spaces=("team-*", "home"), default_space="home")
BOUND = Caller(KeyId("bound"), Role.OWNER, spaces=("team-*",), default_space="team-a")


def stored(memory: Installation, text: str = TEXT, space: str = "team-a") -> str:
    return memory.wired.service.remember(OWNER, Draft(text, space=space)).memory.version.statement.content


def test_settings_hold_from_the_next_write_on_and_what_is_stored_stays(memory: Installation) -> None:
    service = memory.wired.service
    first = service.remember(OWNER, Draft(TEXT, space="team-a")).memory

    service.change_space(OWNER, "team-a", FLAGGED)

    assert stored(memory) == "[REDACTED]: 601 234 567"
    assert service.read(OWNER, VersionRef(first.head.root)).version.statement.content == "Aurora: [PHONE]"
    assert stored(memory, space="team-b") == "Aurora: [PHONE]"
    service.change_space(OWNER, "team-a", AS_EVERYWHERE)
    assert stored(memory, "Aurora: 602 234 567") == "Aurora: [PHONE]"


def test_a_space_that_was_begun_is_shown_as_it_was_set(memory: Installation) -> None:
    service = memory.wired.service

    made = service.begin_space(OWNER, "team-a", FLAGGED)

    shown = service.show_space(OWNER, "team-a").space
    assert (made.is_new, shown) == (True, made.space)
    assert shown is not None
    assert (shown.recovery_days, shown.redaction, shown.regions, shown.redaction_words) == (
        7,
        ((Kind.PHONE, Treatment.FLAG),),
        ("PL", "DE"),
        ("Aurora",),
    )
    forgotten = service.forget(OWNER, VersionRef(service.remember(OWNER, Draft("x", space="team-a")).memory.head.root))
    assert forgotten.restore_until - forgotten.memory.head.changed_at == timedelta(days=7)


def test_no_regions_at_all_are_not_those_of_the_installation(memory: Installation) -> None:
    service = memory.wired.service

    service.begin_space(OWNER, "team-a", SpaceSettings(regions=()))

    shown = service.show_space(OWNER, "team-a").space
    assert shown is not None
    assert shown.regions == ()
    assert stored(memory, "tel. 601 234 567") == "tel. 601 234 567"


def test_a_change_leaves_what_it_does_not_name(memory: Installation) -> None:
    service = memory.wired.service
    service.begin_space(OWNER, "team-a", FLAGGED)

    changed = service.change_space(OWNER, "team-a", SpaceSettings(recovery_days=9))

    assert (changed.recovery_days, changed.redaction, changed.redaction_words) == (9, FLAGGED.redaction, ("Aurora",))
    assert service.show_space(OWNER, "team-a").space == changed
    assert service.change_space(OWNER, "team-a", SpaceSettings()) == changed


def test_what_is_to_be_learned_is_set_kept_and_left_to_the_installation_again(memory: Installation) -> None:
    service = memory.wired.service
    wanted = SpaceSettings(extract=False, extraction_topics=("health", "pets"), extraction_instructions="No work.")
    service.begin_space(OWNER, "team-a", wanted)

    shown = service.show_space(OWNER, "team-a").space
    back = SpaceSettings(extract=None, extraction_topics=(), extraction_instructions=None)
    changed = service.change_space(OWNER, "team-a", back)

    assert shown is not None
    assert (shown.extract, shown.wishes) == (False, Wishes(("health", "pets"), "No work."))
    assert (changed.extract, changed.wishes) == (None, Wishes())
    assert service.show_space(OWNER, "team-a").space == changed


def test_a_change_holds_here_at_once_and_elsewhere_within_a_minute(memory: Installation) -> None:
    other = Spaces(memory.sqlite, memory.clock, memory.wired.service.spaces.ids)
    memory.wired.service.begin_space(OWNER, "team-a", SpaceSettings())
    before = other.find("team-a")

    changed = memory.wired.service.change_space(OWNER, "team-a", FLAGGED)

    assert memory.wired.service.remember.steps.spaces.find("team-a") == changed
    assert other.find("team-a") == before != changed
    assert other.find_fresh("team-a") == changed
    memory.clock.turn(timedelta(seconds=60))
    assert Spaces(memory.sqlite, memory.clock, memory.wired.service.spaces.ids).find("team-a") == changed
    assert other.find("team-a") == changed


def test_reading_a_space_that_has_not_begun_is_an_empty_answer_and_setting_it_is_not(memory: Installation) -> None:
    service = memory.wired.service

    assert service.show_space(OWNER, "nobody").space is None
    with pytest.raises(NotFound):
        service.change_space(OWNER, "nobody", FLAGGED)
    assert service.list_spaces(OWNER).spaces == ()


def test_a_space_that_is_there_is_begun_again_only_with_the_same_settings(memory: Installation) -> None:
    service = memory.wired.service
    first = service.begin_space(OWNER, "team-a", FLAGGED)

    again = service.begin_space(OWNER, "team-a", FLAGGED)

    assert (again.is_new, again.space) == (False, first.space)
    assert service.begin_space(OWNER, "team-a", SpaceSettings()).space == first.space
    with pytest.raises(WrongState):
        service.begin_space(OWNER, "team-a", SpaceSettings(recovery_days=8))


def test_a_retry_is_told_the_same(memory: Installation) -> None:
    service = memory.wired.service
    once = Idempotency("retry", b"body")
    first = service.begin_space(OWNER, "team-a", FLAGGED, once)
    service.change_space(OWNER, "team-a", AS_EVERYWHERE)

    again = service.begin_space(OWNER, "team-a", FLAGGED, once)

    assert (again.is_new, again.space.id) == (True, first.space.id)
    with pytest.raises(IdempotencyReused):
        service.begin_space(OWNER, "team-b", FLAGGED, Idempotency("retry", b"other"))


def test_a_list_has_the_spaces_that_the_key_may_enter_page_by_page(memory: Installation) -> None:
    service = memory.wired.service
    for name in ("home", "work", "team-a", "team-b", "team-c"):
        service.begin_space(OWNER, name, SpaceSettings())

    first = service.list_spaces(READER, limit=3)
    second = service.list_spaces(READER, limit=3, cursor=first.next_cursor)

    assert [space.name for space in first.spaces] == ["home", "team-a", "team-b"]
    assert ([space.name for space in second.spaces], second.next_cursor) == (["team-c"], None)
    assert [space.name for space in service.list_spaces(OWNER).spaces] == ["home", "team-a", "team-b", "team-c", "work"]


def test_only_an_owner_of_the_space_sets_it(memory: Installation) -> None:
    service = memory.wired.service
    service.begin_space(OWNER, "work", SpaceSettings())

    assert service.begin_space(BOUND, "team-z", FLAGGED).is_new
    for act in (
        lambda: service.show_space(READER, "work"),
        lambda: service.begin_space(READER, "team-y", FLAGGED),
        lambda: service.change_space(READER, "team-z", FLAGGED),
        lambda: service.begin_space(BOUND, "home", FLAGGED),
        lambda: service.change_space(BOUND, "work", FLAGGED),
    ):
        with pytest.raises(NotAllowed):
            act()


@pytest.mark.parametrize(
    "settings",
    [
        SpaceSettings(recovery_days=-1),
        SpaceSettings(recovery_days=3_651),
        SpaceSettings(redaction=((Kind.SECRET, Treatment.OFF),)),
        SpaceSettings(regions=("Poland",)),
        SpaceSettings(regions=("PL",) * 51),
        SpaceSettings(redaction_words=(" ",)),
        SpaceSettings(redaction_words=("x",) * 201),
        SpaceSettings(extraction_topics=("",)),
        SpaceSettings(extraction_topics=("x",) * 51),
        SpaceSettings(extraction_instructions=" "),
        SpaceSettings(extraction_instructions="x" * 2_001),
    ],
)
def test_a_setting_that_means_nothing_is_refused(memory: Installation, settings: SpaceSettings) -> None:
    with pytest.raises(Invalid):
        memory.wired.service.begin_space(OWNER, "team-a", settings)

    assert memory.wired.service.show_space(OWNER, "team-a").space is None
