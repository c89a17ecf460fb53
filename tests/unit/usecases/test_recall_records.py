"""What was recalled is known for a day, to the key and in the space that it was recalled to, newest first."""

from __future__ import annotations

from datetime import timedelta

from palimpsest.domain.ids import KeyId, SpaceId
from palimpsest.stores.recalls import WINDOW, Recalls
from palimpsest.usecases.answers import RecallQuery
from tests.support.installation import OWNER, Installation


def recalls_of(memory: Installation) -> tuple[Recalls, SpaceId]:
    store = memory.wired.service.recall.record.recalls
    return store, memory.wired.build_index.spaces.ensure("default").id


def test_the_newest_recall_comes_first_with_what_it_answered(memory: Installation) -> None:
    root = memory.save("Ola drinks tea. She takes it black.")
    store, space = recalls_of(memory)
    first = memory.wired.service.recall(OWNER, RecallQuery("tea"))
    memory.clock.turn(timedelta(minutes=1))
    second = memory.wired.service.recall(OWNER, RecallQuery("tea"))

    recent = store.recent(space, OWNER.key, memory.clock.now())

    assert [record.recall for record in recent] == [second.id, first.id]
    assert [str(ref) for ref in recent[0].refs] == [f"{root}@1"]
    assert recent[0].prints == set(store.fingerprints(space, "ola drinks tea!\nshe takes it black"))


def test_a_dry_run_leaves_no_mark(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    store, space = recalls_of(memory)

    memory.wired.service.recall(OWNER, RecallQuery("tea", is_dry_run=True))

    assert store.recent(space, OWNER.key, memory.clock.now()) == ()


def test_other_keys_other_spaces_and_yesterday_do_not_count(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    other = memory.wired.build_index.spaces.ensure("other").id
    store, space = recalls_of(memory)
    memory.wired.service.recall(OWNER, RecallQuery("tea"))

    assert store.recent(space, KeyId("another"), memory.clock.now()) == ()
    assert store.recent(other, OWNER.key, memory.clock.now()) == ()
    assert len(store.recent(space, OWNER.key, memory.clock.now() + WINDOW - timedelta(minutes=1))) == 1
    assert store.recent(space, OWNER.key, memory.clock.now() + WINDOW + timedelta(minutes=1)) == ()


def test_no_more_than_twenty_records_are_read(memory: Installation) -> None:
    memory.save("Ola drinks tea")
    store, space = recalls_of(memory)
    for _ in range(25):
        memory.wired.service.recall(OWNER, RecallQuery("tea"))

    assert len(store.recent(space, OWNER.key, memory.clock.now())) == 20
