"""Keys: who they let in, for how long, and what a repeated request gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import key_text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import Invalid, NotAllowed, NotFound, Unauthenticated, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.domain.source import Trust
from palimpsest.usecases.drafts import Draft
from palimpsest.usecases.issuing import KeyRequest
from tests.support.installation import OWNER, START, Installation, install
from tests.support.metered_table import MeteredTable

REQUEST = KeyRequest(Role.WRITER, spaces=("team.*",), default_space="team.a")


def caller_of(memory: Installation, secret: str) -> Caller:
    return memory.wired.service.authenticate(f"Bearer {secret}")


def test_a_key_lets_its_holder_in_with_what_was_given(memory: Installation) -> None:
    issued = memory.wired.service.issue_key(OWNER, REQUEST)

    caller = caller_of(memory, issued.secret)

    assert caller == Caller(issued.key.id, Role.WRITER, ("team.*",), Trust.A2, "team.a")
    assert issued.secret not in str(issued.key)


@pytest.mark.parametrize(
    ("spaces", "asked", "expected"),
    [
        (None, None, "default"),
        (None, "home", "home"),
        (("home",), None, "home"),
        (("home", "work"), None, "default"),
        (("team-*",), None, "default"),
        (("*",), None, "default"),
        (("home", "work"), "work", "work"),
        (("team-*",), "team-blue", "team-blue"),
    ],
)
def test_a_key_has_its_only_space_as_its_default_unless_another_is_asked_for(
    memory: Installation, spaces: tuple[str, ...] | None, asked: str | None, expected: str
) -> None:
    request = KeyRequest(Role.WRITER, spaces=spaces, default_space=asked)

    issued = memory.wired.service.issue_key(OWNER, request)

    assert issued.key.default_space == caller_of(memory, issued.secret).default_space == expected


def test_a_default_space_outside_the_spaces_of_the_key_is_refused(memory: Installation) -> None:
    with pytest.raises(Invalid) as refused:
        memory.wired.service.issue_key(OWNER, KeyRequest(Role.WRITER, spaces=("home",), default_space="work"))

    assert refused.value.field == "default_space"
    assert memory.wired.service.list_keys(OWNER).keys == ()


def test_who_has_to_name_a_space_is_told_so_and_which(memory: Installation) -> None:
    service = memory.wired.service
    caller = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.WRITER, spaces=("home", "team-*"))).secret)

    with pytest.raises(NotAllowed, match=r"name a space that it covers \(home, team-\*\).*--space"):
        service.remember(caller, Draft("x"))
    with pytest.raises(NotAllowed, match="^this key may not enter that space$"):
        service.remember(caller, Draft("x", space="work"))
    assert service.remember(caller, Draft("x", space="team-a")).memory.space == "team-a"


def test_the_owner_key_of_the_settings_is_an_owner(memory: Installation) -> None:
    assert caller_of(memory, "k" * 43).role is Role.OWNER


@pytest.mark.parametrize("header", [None, "", "Bearer ", "Basic x", "Bearer żółw", "Bearer " + "k" * 42])
def test_anything_else_is_nobody(memory: Installation, header: str | None) -> None:
    with pytest.raises(Unauthenticated):
        memory.wired.service.authenticate(header)


def test_a_key_of_a_right_shape_with_a_wrong_secret_is_nobody(memory: Installation) -> None:
    service = memory.wired.service
    one, other = service.issue_key(OWNER, REQUEST), service.issue_key(OWNER, REQUEST)
    rotated = service.rotate_key(OWNER, other.key.id)

    memory.clock.turn(timedelta(seconds=61))

    with pytest.raises(Unauthenticated):
        caller_of(memory, other.secret)
    assert caller_of(memory, rotated.secret).key == other.key.id
    assert caller_of(memory, one.secret).key == one.key.id


def test_a_revoked_and_an_expired_key_stop_within_a_minute(memory: Installation) -> None:
    service = memory.wired.service
    revoked = service.issue_key(OWNER, REQUEST)
    ends = memory.clock.now() + timedelta(hours=1)
    expiring = service.issue_key(OWNER, KeyRequest(Role.READER, expires_at=ends))
    assert caller_of(memory, revoked.secret).key == revoked.key.id
    assert caller_of(memory, expiring.secret).key == expiring.key.id

    service.revoke_key(OWNER, revoked.key.id)
    memory.clock.turn(timedelta(seconds=61))

    with pytest.raises(Unauthenticated):
        caller_of(memory, revoked.secret)
    assert caller_of(memory, expiring.secret).key == expiring.key.id
    memory.clock.turn(timedelta(hours=1))
    with pytest.raises(Unauthenticated):
        caller_of(memory, expiring.secret)


@pytest.mark.parametrize("ago", [timedelta(0), timedelta(days=1)])
def test_no_key_is_made_that_has_expired_already(memory: Installation, ago: timedelta) -> None:
    with pytest.raises(Invalid, match="past"):
        memory.wired.service.issue_key(OWNER, KeyRequest(Role.READER, expires_at=memory.clock.now() - ago))


def test_only_owners_manage_keys(memory: Installation) -> None:
    service = memory.wired.service
    writer = caller_of(memory, service.issue_key(OWNER, REQUEST).secret)

    for call in (
        lambda: service.issue_key(writer, REQUEST),
        lambda: service.list_keys(writer),
        lambda: service.rotate_key(writer, writer.key),
        lambda: service.revoke_key(writer, writer.key),
    ):
        with pytest.raises(NotAllowed):
            call()
    with pytest.raises(NotFound):
        service.rotate_key(OWNER, KeyId("01J0000000000000000000000A"))


@pytest.mark.parametrize("spaces", [(), ("no spaces",), ("a" * 129,), ("a*b",)])
def test_spaces_that_can_not_be_named_are_refused(memory: Installation, spaces: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        memory.wired.service.issue_key(OWNER, KeyRequest(Role.READER, spaces=spaces))


def test_a_repeated_request_makes_one_key_whose_last_secret_holds(memory: Installation) -> None:
    service, request = memory.wired.service, Idempotency("k", b"body")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: service.issue_key(OWNER, REQUEST, request), range(8)))
    last = service.issue_key(OWNER, REQUEST, request)

    assert {answer.key.id for answer in answers} == {last.key.id}
    assert len(service.list_keys(OWNER).keys) == 1
    assert caller_of(memory, last.secret).key == last.key.id


def test_a_repeated_rebuild_begins_nothing(memory: Installation) -> None:
    service, request = memory.wired.service, Idempotency("k", b"body")

    first = service.rebuild_index(OWNER, request)
    building = memory.wired.build_index.generations.read().building
    second = service.rebuild_index(OWNER, request)

    assert (first.state, second.state) == ("building", "building")
    assert memory.wired.build_index.generations.read().building == building
    assert service.rebuild_index(OWNER).state == "building"
    assert memory.wired.build_index.generations.read().building != building


def test_an_owner_of_some_spaces_manages_the_keys_of_those_alone(memory: Installation) -> None:
    service = memory.wired.service
    everywhere = service.issue_key(OWNER, KeyRequest(Role.READER))
    bound = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.OWNER, spaces=("team.*",))).secret)

    for spaces in (None, ("*",), ("tea*",), ("team",), ("team.a", "other")):
        with pytest.raises(NotAllowed):
            service.issue_key(bound, KeyRequest(Role.READER, spaces=spaces))
    for call in (service.rotate_key, service.revoke_key):
        with pytest.raises(NotFound):
            call(bound, everywhere.key.id)
    made = service.issue_key(bound, KeyRequest(Role.OWNER, spaces=("team.a", "team.b*")))
    assert {key.id for key in service.list_keys(bound).keys} == {made.key.id, bound.key}
    assert service.revoke_key(bound, made.key.id).revoked_at is not None


def test_nobody_gives_more_trust_than_they_have(memory: Installation) -> None:
    service = memory.wired.service
    lowered = service.issue_key(OWNER, KeyRequest(Role.OWNER, max_trust=Trust.B))

    made = service.issue_key(caller_of(memory, lowered.secret), KeyRequest(Role.WRITER, max_trust=Trust.A1))

    assert made.key.max_trust is Trust.B


def test_nobody_gets_the_secret_of_a_key_that_they_could_not_make(memory: Installation) -> None:
    service = memory.wired.service
    ends = memory.clock.now() + timedelta(days=1)
    lowered = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.OWNER, max_trust=Trust.B)).secret)
    ending = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.OWNER, expires_at=ends)).secret)
    better = service.issue_key(OWNER, KeyRequest(Role.OWNER, expires_at=ends))
    longer = service.issue_key(OWNER, KeyRequest(Role.READER, max_trust=Trust.B))

    for caller, issued in ((lowered, better), (ending, longer)):
        with pytest.raises(NotAllowed):
            service.rotate_key(caller, issued.key.id)
        assert caller_of(memory, issued.secret).key == issued.key.id
    assert service.rotate_key(lowered, longer.key.id).key.id == longer.key.id
    assert service.rotate_key(ending, better.key.id).key.id == better.key.id
    assert service.rotate_key(ending, ending.key).key.expires_at == ends


def test_no_key_outlives_the_one_that_made_it(memory: Installation) -> None:
    service = memory.wired.service
    ends = memory.clock.now() + timedelta(days=1)
    ending = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.OWNER, expires_at=ends)).secret)

    asked = (None, ends + timedelta(days=1), ends - timedelta(hours=1))
    made = [service.issue_key(ending, KeyRequest(Role.READER, expires_at=each)).key.expires_at for each in asked]

    assert made == [ends, ends, ends - timedelta(hours=1)]


def test_a_repeated_request_for_a_key_that_is_revoked_gets_no_secret(memory: Installation) -> None:
    service, request = memory.wired.service, Idempotency("k", b"body")
    issued = service.issue_key(OWNER, REQUEST, request)
    service.revoke_key(OWNER, issued.key.id)

    with pytest.raises(WrongState):
        service.issue_key(OWNER, REQUEST, request)


def test_a_repeated_request_gives_no_secret_that_a_lowered_owner_could_not_have(memory: Installation) -> None:
    service, request = memory.wired.service, Idempotency("k", b"body")
    owner = caller_of(memory, service.issue_key(OWNER, KeyRequest(Role.OWNER)).secret)
    service.issue_key(owner, KeyRequest(Role.OWNER), request)

    for lowered in (replace(owner, max_trust=Trust.B), replace(owner, expires_at=START + timedelta(days=1))):
        with pytest.raises(NotAllowed):
            service.issue_key(lowered, KeyRequest(Role.OWNER), request)


def test_a_revoked_key_gets_no_new_secret(memory: Installation) -> None:
    service = memory.wired.service
    issued = service.issue_key(OWNER, REQUEST)
    service.revoke_key(OWNER, issued.key.id)

    with pytest.raises(WrongState):
        service.rotate_key(OWNER, issued.key.id)


def test_a_rotated_key_lets_its_holder_in_at_once(memory: Installation) -> None:
    service = memory.wired.service
    issued = service.issue_key(OWNER, REQUEST)
    caller_of(memory, issued.secret)

    for _ in range(3):
        issued = service.rotate_key(OWNER, issued.key.id)
        assert caller_of(memory, issued.secret).key == issued.key.id
        memory.clock.turn(timedelta(seconds=1))


def test_guesses_at_a_known_key_read_it_at_most_once_a_second(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    memory = install(tmp_path, table=(table := MeteredTable(sqlite)), sqlite=sqlite)
    issued = memory.wired.service.issue_key(OWNER, REQUEST)
    caller_of(memory, issued.secret)
    table.begin()

    for number in range(50):
        with pytest.raises(Unauthenticated):
            caller_of(memory, key_text.compose(issued.key.id, bytes([number]) * 32))
        assert caller_of(memory, issued.secret).key == issued.key.id

    assert table.calls == 1
    sqlite.close()


def test_in_the_process_that_ends_a_key_it_ends_at_once(memory: Installation) -> None:
    service = memory.wired.service
    revoked, rotated = service.issue_key(OWNER, REQUEST), service.issue_key(OWNER, REQUEST)
    assert caller_of(memory, revoked.secret).key == revoked.key.id
    assert caller_of(memory, rotated.secret).key == rotated.key.id

    service.revoke_key(OWNER, revoked.key.id)
    service.rotate_key(OWNER, rotated.key.id)

    for ended in (revoked, rotated):
        with pytest.raises(Unauthenticated):
            caller_of(memory, ended.secret)
