"""All sources are read anew without the graph ever being empty, and what people decided holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.domain.errors import NotAllowed, NotFound, WrongState
from palimpsest.domain.run import Run, RunKind, RunStatus
from palimpsest.jobs.hear_changes import GATHERED
from palimpsest.ports.work_queue import read
from palimpsest.usecases.add_document import Sending
from palimpsest.usecases.entities import EntityEdit
from tests.support.graph import entities, links, require_counts, settle, stores
from tests.support.installation import OWNER, Installation, install
from tests.support.run_driving import WRITER, work


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    installed.save("Ola Nowak works at Acme Corp")
    installed.save("Piotr Zieliński lives in Kraków")
    installed.wired.service.add_document(OWNER, Sending("r.md", b"# Team\n\nOla Nowak runs the release.\n"))
    settle(installed)
    yield installed
    installed.sqlite.close()


def index(memory: Installation, *, is_anew: bool) -> Run:
    run = memory.wired.service.graph.index(OWNER, None, is_anew=is_anew).run
    work(memory)
    return memory.wired.service.runs.show(OWNER, run.id).run


def test_everything_is_read_anew_and_comes_to_the_same_graph(memory: Installation) -> None:
    before = entities(memory)

    run = index(memory, is_anew=True)

    assert (run.kind, run.status, run.counts.applied) == (RunKind.REINDEX, RunStatus.SUCCESS, 3)
    assert entities(memory) == before
    require_counts(memory)


def test_what_people_decided_holds_when_everything_is_read_anew(memory: Installation) -> None:
    known, graph = entities(memory), memory.wired.service.graph
    graph.entities.change(WRITER, known["Ola Nowak"].id, EntityEdit(name="Aleksandra Nowak", type="agent"))
    graph.entities.delete(WRITER, known["Kraków"].id)
    graph.merge(WRITER, known["Acme"].id, known["Piotr Zieliński"].id)

    index(memory, is_anew=True)

    assert {name: each.type for name, each in entities(memory).items()} == {
        "Aleksandra Nowak": "agent",
        "Piotr Zieliński": "person",
    }
    require_counts(memory)


def test_each_source_is_there_at_every_moment(memory: Installation) -> None:
    graph = memory.wired.service.graph
    run = graph.index(OWNER, None, is_anew=True).run
    left = iter([1_000.0] * 4)

    seen = set()
    while (delivery := memory.queue.take(0.0)) is not None:
        memory.wired.worker(read(delivery.body), lambda: next(left, 0.0))
        seen.add(tuple(sorted(entities(memory))))

    assert seen == {("Acme", "Kraków", "Ola Nowak", "Piotr Zieliński")}
    assert memory.wired.service.runs.show(OWNER, run.id).run.status is RunStatus.SUCCESS


def test_indexing_reads_only_what_is_outdated(memory: Installation) -> None:
    run = index(memory, is_anew=False)

    assert (run.status, run.counts.applied, run.counts.skipped) == (RunStatus.SUCCESS, 3, 0)
    assert {item.reason for item in stores(memory).runs.page(run.id, 0)} == {"read_already"}


def test_indexing_reads_what_was_undone(memory: Installation) -> None:
    root = memory.save("Jan Kowalski works at Globex GmbH")
    memory.wired.hear_changes(memory.doorbells())
    memory.clock.turn(GATHERED)
    work(memory)
    run = memory.wired.service.runs.page(OWNER, space=None).runs[0].run
    memory.wired.service.runs.undo(OWNER, run.id)
    work(memory)
    assert "Globex" not in entities(memory)

    index(memory, is_anew=False)

    assert "Globex" in entities(memory)
    assert len(links(memory, root)) == 1
    require_counts(memory)


def test_reading_everything_anew_is_an_owners_and_can_not_be_undone(memory: Installation) -> None:
    with pytest.raises(NotAllowed):
        memory.wired.service.graph.index(WRITER, None, is_anew=True)
    with pytest.raises(NotFound):
        memory.wired.service.graph.index(OWNER, "nowhere", is_anew=False)

    run = index(memory, is_anew=True)
    with pytest.raises(WrongState):
        memory.wired.service.runs.undo(OWNER, run.id)
