"""A serverless engine that scaled to zero: recall answers from the table, says so, and has it woken once."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.errors import IndexUnavailable
from palimpsest.jobs.wake_index import WakeIndex
from palimpsest.ports.work_queue import Job, Work, read
from palimpsest.settings import Settings
from palimpsest.usecases.answers import ArmState, Recalled, RecallQuery
from palimpsest.usecases.readings import ListQuery
from tests.support.installation import OWNER, Installation, install
from tests.support.sleeping_indexes import Engine, SleepingIndexes

NOT_ASKED = (ArmState.DEGRADED, "index_asleep")


@dataclass
class Cloud:
    """Installations over one table and one engine, as functions of one account are."""

    sqlite: SqliteTable
    indexes: SleepingIndexes
    hosts: list[Installation]

    @property
    def engine(self) -> Engine:
        return self.indexes.engine

    def taken(self) -> list[Work]:
        """The messages that waited."""
        taken = (host.queue.take(0) for host in self.hosts for _ in range(5))
        return [read(delivery.body) for delivery in taken if delivery is not None]

    def turn(self, by: timedelta) -> None:
        for host in self.hosts:
            host.clock.turn(by)


@pytest.fixture
def cloud(tmp_path: Path) -> Cloud:
    sqlite, indexes = SqliteTable(":memory:"), SleepingIndexes(tmp_path)
    settings = Settings(key="k" * 43, recall_seconds=0.2)
    hosts = [install(tmp_path, sqlite=sqlite, indexes=indexes, settings=settings) for _ in range(2)]
    hosts[0].save("the quick brown fox")
    hosts[0].index()
    made = Cloud(sqlite, indexes, hosts)
    made.turn(timedelta(minutes=10))  # past the tail's margin: only the index finds it by its watermark
    made.taken()
    made.engine.is_asleep = True
    return made


def recall(host: Installation) -> Recalled:
    return host.wired.service.recall(OWNER, RecallQuery("brown fox", is_dry_run=True))


def arms(answer: Recalled) -> dict[str, tuple[ArmState, str | None]]:
    return {arm.name: (arm.state, arm.reason) for arm in answer.arms}


def texts(answer: Recalled) -> list[str]:
    return [each.version.statement.content for each in answer.memories]


def test_a_recall_while_the_engine_sleeps_is_answered_from_the_table_and_says_so(cloud: Cloud) -> None:
    answer = recall(cloud.hosts[0])

    assert texts(answer) == ["the quick brown fox"]
    assert arms(answer)["tail"] == (ArmState.OK, None)
    assert arms(answer)["keyword"] == NOT_ASKED


def test_an_engine_that_is_only_slow_is_left_alone_and_the_table_answers(cloud: Cloud) -> None:
    cloud.engine.holds = threading.Event()

    answer = recall(cloud.hosts[0])

    assert texts(answer) == ["the quick brown fox"]
    assert arms(answer)["vector"] == (ArmState.DEGRADED, "late")
    assert cloud.taken() == []
    cloud.engine.holds.set()


def test_every_space_of_a_recall_is_answered_while_the_engine_sleeps(cloud: Cloud) -> None:
    host = cloud.hosts[0]
    names = [f"team-{number}" for number in range(4)]
    for name in names:
        host.save(f"brown fox of {name}", space=name)

    asked = RecallQuery("brown fox", spaces=tuple(names), is_dry_run=True)
    found, noted = (host.wired.service.recall(OWNER, asked) for _ in range(2))

    for answer in (found, noted):
        assert sorted(texts(answer)) == [f"brown fox of {name}" for name in names]
    assert [work.job for work in cloud.taken()] == [Job.WAKE_INDEX]


def test_a_list_and_the_status_wake_nobody(cloud: Cloud) -> None:
    host, heard = cloud.hosts[0], cloud.engine.questions

    host.wired.service.list_memories(OWNER, ListQuery())
    report = host.wired.service.index.report(OWNER)

    assert report.index.state == "ready"
    assert cloud.engine.questions == heard
    recall(host)
    assert host.wired.service.index.report(OWNER).index.state == "asleep"


def test_a_sleeping_engine_is_woken_once_and_not_asked_until_it_is_awake(cloud: Cloud) -> None:
    answers = [recall(host) for host in cloud.hosts for _ in range(3)]

    assert [work.job for work in cloud.taken()] == [Job.WAKE_INDEX]
    assert [arms(answer)["keyword"] for answer in answers[1:3]] == [NOT_ASKED, NOT_ASKED]
    assert all(texts(answer) == ["the quick brown fox"] for answer in answers)
    heard = cloud.engine.questions
    cloud.turn(timedelta(seconds=6))  # by then each host has read the note
    assert [arms(recall(host))["vector"] for host in cloud.hosts] == [NOT_ASKED, NOT_ASKED]
    assert cloud.engine.questions == heard


def test_the_worker_asks_until_the_engine_answers_and_recalls_ask_it_again(cloud: Cloud) -> None:
    host = cloud.hosts[0]
    recall(host)
    cloud.engine.wakes_at = cloud.engine.questions + 3
    pauses: list[float] = []

    (work,) = cloud.taken()
    is_unfinished = WakeIndex(host.wired.index_changes.searching, pauses.append)(work.subject, lambda: 60.0)

    assert not is_unfinished
    assert len(pauses) == 2
    assert arms(recall(host))["keyword"] == (ArmState.OK, None)


def test_a_worker_that_looked_a_moment_before_the_engine_was_found_asleep_wakes_it_all_the_same(cloud: Cloud) -> None:
    asked, worker = cloud.hosts
    searching = worker.wired.index_changes.searching
    searching.forget()
    searching.state()  # remembered for five seconds
    recall(asked)
    (work,) = cloud.taken()
    cloud.engine.wakes_at = cloud.engine.questions + 1

    assert not WakeIndex(searching, lambda _: None)(work.subject, lambda: 60.0)

    assert not cloud.engine.is_asleep


def test_a_worker_whose_time_is_over_asks_for_another_slice(cloud: Cloud) -> None:
    recall(cloud.hosts[0])
    (work,) = cloud.taken()

    cloud.hosts[0].wired.worker(work, lambda: 0.0)

    assert cloud.taken() == [work]


def test_nobody_is_waited_for_longer_than_two_minutes(cloud: Cloud) -> None:
    host = cloud.hosts[0]
    recall(host)
    (work,) = cloud.taken()
    cloud.turn(timedelta(minutes=2))

    host.wired.worker(work, lambda: 60.0)

    assert cloud.taken() == []
    recall(host)
    assert [each.job for each in cloud.taken()] == [Job.WAKE_INDEX]


def test_an_index_that_is_gone_is_built_anew_by_the_next_plan(cloud: Cloud) -> None:
    host = cloud.hosts[0]
    before = host.wired.index_changes.searching.state().active
    cloud.engine.reason = "index_missing"

    assert texts(recall(host)) == ["the quick brown fox"]
    host.wired.plan()

    building = host.wired.build_index.generations.read().building
    assert building is not None
    assert building != before


def test_a_request_that_is_wrong_in_itself_costs_no_index(cloud: Cloud) -> None:
    host, engine = cloud.hosts[0], cloud.engine
    engine.is_asleep = False
    before = engine.questions

    def refuse(what: object = None) -> None:
        if what is not None or engine.questions <= before + 2:
            raise IndexUnavailable("index_mapping", "400")

    engine.when_asked = refuse
    assert texts(recall(host)) == ["the quick brown fox"]
    assert engine.questions == before + 3  # both arms, then the check
    engine.hear = refuse
    host.save("another fox")
    rows = host.doorbells()
    assert host.wired.index_changes(rows) == rows

    assert not host.wired.build_index.generations.read().is_lost


def test_an_index_of_another_form_is_built_anew(cloud: Cloud) -> None:
    host = cloud.hosts[0]
    cloud.engine.reason = "index_mapping"
    host.save("another fox")

    rows = host.doorbells()
    assert host.wired.index_changes(rows) == rows

    assert host.wired.build_index.generations.read().is_lost


def test_an_engine_that_refuses_is_no_sleeping_one(cloud: Cloud) -> None:
    cloud.engine.reason = "index_unreachable"

    answer = recall(cloud.hosts[0])

    assert texts(answer) == ["the quick brown fox"]
    assert arms(answer)["keyword"] == (ArmState.FAILED, "index_unreachable")
    assert cloud.taken() == []
