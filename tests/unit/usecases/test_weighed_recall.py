"""What age, use, marks and source make of scores decides who is among the results, and only those are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.strength import Rating
from palimpsest.usecases.answers import Hit, Recalled, RecallQuery
from palimpsest.usecases.drafts import Draft, JudgeMode
from tests.support.constant_embedder import ConstantEmbedder
from tests.support.installation import OWNER, Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    """Texts of as many words are equally near in it."""
    installation = install(tmp_path, embedder=ConstantEmbedder())
    yield installation
    installation.sqlite.close()


def save(memory: Installation, *texts: str) -> list[RootId]:
    remember = memory.wired.service.remember
    return [remember(OWNER, Draft(text, judge=JudgeMode.OFF)).memory.head.root for text in texts]


def recalled(memory: Installation, limit: int, *, dry: bool = True) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery("what does Ola drink", limit=limit, is_dry_run=dry))


def roots(found: Recalled) -> list[RootId]:
    return [each.head.root for each in found.memories]


@pytest.mark.parametrize("is_indexed", [True, False], ids=["index", "tail"])
def test_what_weighs_more_takes_the_place_of_what_was_a_little_nearer(memory: Installation, is_indexed: bool) -> None:
    save(memory, "Ola drinks tea", "Ola drinks milk")
    if is_indexed:
        memory.index()
    (first,) = roots(recalled(memory, 1))
    memory.wired.service.rate(OWNER, VersionRef(first), Rating.HARMFUL)

    (second,) = roots(recalled(memory, 1))

    assert second != first
    assert roots(recalled(memory, 2)) == [second, first]


def test_the_weight_that_decides_is_the_one_that_is_told(memory: Installation) -> None:
    for root in save(memory, "Ola drinks tea", "Ola drinks milk")[:1]:
        memory.wired.service.rate(OWNER, VersionRef(root), Rating.WRONG)

    found = recalled(memory, 10)

    weights = {hit.memory.version.statement.content: hit.scores["weight"] for hit in found.hits if isinstance(hit, Hit)}
    assert weights["Ola drinks tea"] < weights["Ola drinks milk"]
    assert [each.reinforcement.ratings.wrong for each in found.memories] == [0, 1]


def test_only_what_was_returned_is_recorded_in_its_order(memory: Installation) -> None:
    save(memory, *(f"Ola drinks tea number {number:02}" for number in range(12)))
    (first, *_) = roots(recalled(memory, 3))
    memory.wired.service.rate(OWNER, VersionRef(first), Rating.HARMFUL)
    store, space = memory.wired.service.recall.record.recalls, memory.wired.build_index.spaces.ensure("default").id

    found = recalled(memory, 3, dry=False)

    (record,) = store.recent(space, OWNER.key, memory.clock.now())
    assert first not in roots(found)
    assert list(record.refs) == [each.version.ref for each in found.memories]
    assert record.results == len(found.hits) == 3


def test_a_recall_reads_a_few_more_than_it_gives(memory: Installation) -> None:
    save(memory, *(f"Ola drinks tea number {number:02}" for number in range(40)))

    for limit in (1, 2, 20):
        assert len(recalled(memory, limit).hits) == limit


def test_what_can_not_be_weighed_in_time_is_told(memory: Installation) -> None:
    save(memory, "Ola drinks tea")
    lets_go = Event()
    recall = memory.wired.service.recall
    slow = replace(recall.weigh, executor=ThreadPoolExecutor(1))
    slow.executor.submit(lets_go.wait, 30)

    found = replace(recall, weigh=slow)(OWNER, RecallQuery("what does Ola drink", is_dry_run=True))
    lets_go.set()

    assert [each.version.statement.content for each in found.memories] == ["Ola drinks tea"]
    assert next(arm.reason for arm in found.arms if arm.name == "tail") == "uses_late"
