"""Of one key one rating of a memory counts a day, and what all come to is read from its counts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import IdempotencyReused, NotAllowed, NotFound, WrongState
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.source import Trust
from palimpsest.domain.strength import Rating, Ratings
from palimpsest.ports.work_queue import Job, Work
from palimpsest.stores.unreinforced import GATHERED
from palimpsest.usecases.answers import RecallQuery
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation

ANNA = Caller(KeyId("anna"), Role.WRITER, spaces=("default",), max_trust=Trust.A2)
GUEST = Caller(KeyId("guest"), Role.READER, spaces=("default",), max_trust=Trust.A2)
STRANGER = Caller(KeyId("stranger"), Role.WRITER, spaces=("other",), max_trust=Trust.A2)


def saved(memory: Installation, content: str = "Ola drinks tea") -> VersionRef:
    return VersionRef(RootId(memory.save(content)))


def test_another_rating_of_the_day_takes_the_place_of_the_one_before(memory: Installation) -> None:
    ref, rate = saved(memory), memory.wired.service.rate

    told = [rate(OWNER, ref, rating).ratings for rating in (Rating.USEFUL, Rating.USEFUL, Rating.WRONG, None, None)]

    assert told == [Ratings(useful=1), Ratings(useful=1), Ratings(wrong=1), Ratings(), Ratings()]


def test_other_keys_and_other_days_count_for_themselves(memory: Installation) -> None:
    ref, rate = saved(memory), memory.wired.service.rate
    rate(OWNER, ref, Rating.USEFUL)
    rate(ANNA, ref, Rating.HARMFUL)
    memory.clock.turn(timedelta(days=1))

    rated = rate(OWNER, ref, Rating.USEFUL)

    assert rated.ratings == Ratings(useful=2, harmful=1)
    assert rated.ratings.usefulness == 3 / 8
    assert rated.rating is Rating.USEFUL


def test_a_rating_belongs_to_the_memory_and_makes_no_step(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    service.rate(OWNER, VersionRef(ref.root, 1), Rating.USEFUL)
    before = service.read(OWNER, ref).head

    revised = service.revise(OWNER, ref, Revision("Ola drinks coffee")).memory

    assert before.revision == 1
    assert revised.reinforcement.ratings == Ratings(useful=1)


def test_a_rating_and_recalls_lie_beside_each_other(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    space = memory.wired.build_index.spaces.ensure("default").id
    service.rate(OWNER, ref, Rating.USEFUL)
    service.recall(OWNER, RecallQuery("tea", spaces=("default",)))
    memory.clock.turn(2 * GATHERED)
    memory.wired.worker(Work(Job.REINFORCE, space), lambda: 60.0)
    service.rate(OWNER, ref, Rating.WRONG)

    found = service.read(OWNER, ref).reinforcement

    assert (found.access_count, found.ratings) == (1, Ratings(wrong=1))


def test_a_retry_with_the_same_key_says_the_same_and_another_body_is_refused(memory: Installation) -> None:
    ref, rate = saved(memory), memory.wired.service.rate
    request = Idempotency("k", b"useful")
    first = rate(OWNER, ref, Rating.USEFUL, request)
    memory.clock.turn(timedelta(hours=20))

    again = rate(OWNER, ref, Rating.USEFUL, request)

    assert (first.ratings, again.ratings, again.rating) == (Ratings(useful=1), Ratings(useful=1), Rating.USEFUL)
    with pytest.raises(IdempotencyReused):
        rate(OWNER, ref, Rating.WRONG, Idempotency("k", b"wrong"))


def test_only_writers_of_the_space_rate_what_is_there(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service

    with pytest.raises(NotAllowed):
        service.rate(GUEST, ref, Rating.USEFUL)
    with pytest.raises(NotFound):
        service.rate(STRANGER, ref, Rating.USEFUL)
    with pytest.raises(NotFound):
        service.rate(OWNER, VersionRef(ref.root, 2), Rating.USEFUL)
    service.forget(OWNER, ref)
    with pytest.raises(WrongState):
        service.rate(OWNER, ref, Rating.USEFUL)


def test_an_erasure_takes_ratings_away(memory: Installation) -> None:
    ref, service = saved(memory), memory.wired.service
    service.rate(OWNER, ref, Rating.USEFUL)
    erasure = service.erase(OWNER, ref).erasure

    memory.wired.worker(Work(Job.ERASE, erasure.id), lambda: 60.0)

    left = [item["sk"] for item in memory.sqlite.scan().items if item["pk"] == f"M#{ref.root}"]
    assert left == ["H"]
