"""What is saved and ingested is read for entities in the background: memories and documents meet in what they name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain.graph.entity import Tally
from palimpsest.domain.graph.links import ChunkSource, Outcome
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.domain.run import Run, RunKind, RunStatus
from palimpsest.jobs.hear_changes import GATHERED
from palimpsest.settings import Settings
from palimpsest.usecases.add_document import DocumentAdded, Sending
from palimpsest.usecases.drafts import Annotation, Revision
from palimpsest.usecases.entities import EntityEdit
from tests.support.graph import entities, everything, links, named, require_counts, resume, settle, stores, tally
from tests.support.installation import OWNER, Installation, install
from tests.support.interposing_table import InterposingTable, dies
from tests.support.run_driving import work

OLA = "Ola Nowak works at Acme Corp"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    installed = install(tmp_path)
    yield installed
    installed.sqlite.close()


def send(memory: Installation, text: str, path: str = "r.md") -> DocumentAdded:
    return memory.wired.service.add_document(OWNER, Sending(path, text.encode()))


def runs(memory: Installation, space: str = "default") -> list[Run]:
    found = stores(memory).spaces.find(space)
    return stores(memory).runs.listed(found.id, None, 50)[0] if found else []


def test_a_memory_and_a_document_meet_in_what_both_name(memory: Installation) -> None:
    root = memory.save(OLA)
    send(memory, "# Runbook\n\nOla Nowak owns the acme/queue service.\n")

    settle(memory)

    assert {"Ola Nowak", "Acme"} == named(memory, root)[0]
    assert tally(memory, "Ola Nowak") == Tally(memories=1, chunks=1)
    (relation,) = links(memory, root)[0].relations
    assert (relation.predicate, relation.confidence >= 0.7) == ("works_at", True)
    require_counts(memory)


def test_two_spaces_have_two_entities_of_one_name(memory: Installation) -> None:
    memory.save(OLA, "one")
    memory.save(OLA, "two")

    settle(memory)

    assert entities(memory, "one")["Ola Nowak"].id != entities(memory, "two")["Ola Nowak"].id
    require_counts(memory, "one")


def test_spellings_of_one_name_key_are_one_entity_under_the_first_of_them(memory: Installation) -> None:
    memory.save("The worker depends on @acme/queue")
    settle(memory)
    memory.save("Ola Nowak prefers @Acme/Queue over RabbitMQ")
    settle(memory)

    assert [name for name in entities(memory) if "queue" in name.casefold()] == ["@acme/queue"]
    assert tally(memory, "@acme/queue").memories == 2


def test_a_new_version_is_read_and_the_one_before_counts_no_more(memory: Installation) -> None:
    root = memory.save(OLA)
    settle(memory)
    memory.wired.service.revise(OWNER, VersionRef(RootId(root)), Revision("Ola Nowak works at Globex GmbH"))

    settle(memory)

    before, after = links(memory, root)
    assert (before.is_live, after.is_live) == (False, True)
    assert (tally(memory, "Ola Nowak"), tally(memory, "Acme")) == (Tally(memories=1, stale=1), Tally(stale=1))
    require_counts(memory)


def test_what_is_forgotten_counts_no_more_and_counts_again_when_it_is_restored(memory: Installation) -> None:
    root = RootId(memory.save(OLA))
    settle(memory)

    memory.wired.service.forget(OWNER, VersionRef(root))
    settle(memory)
    forgotten = tally(memory, "Acme")
    memory.wired.service.restore(OWNER, VersionRef(root))
    settle(memory)

    assert (forgotten, tally(memory, "Acme")) == (Tally(stale=1), Tally(memories=1))
    require_counts(memory)


def test_what_is_forgotten_before_its_last_version_was_read_counts_no_more(memory: Installation) -> None:
    root = RootId(memory.save(OLA))
    settle(memory)

    memory.wired.service.revise(OWNER, VersionRef(root), Revision("Ola Nowak works at Globex GmbH"))
    memory.wired.service.forget(OWNER, VersionRef(root))
    settle(memory)

    assert (tally(memory, "Ola Nowak"), tally(memory, "Acme")) == (Tally(stale=1), Tally(stale=1))
    require_counts(memory)


def test_what_is_erased_takes_along_the_entities_that_nothing_else_names(memory: Installation) -> None:
    root = RootId(memory.save(OLA))
    memory.save("Ola Nowak prefers tea")
    settle(memory)

    memory.wired.service.erase(OWNER, VersionRef(root))
    settle(memory)

    assert "Acme" not in entities(memory)
    assert "Ola Nowak" in entities(memory)
    assert links(memory, root) == []
    require_counts(memory)


def test_what_was_done_to_an_entity_goes_with_it(memory: Installation) -> None:
    root = RootId(memory.save(OLA))
    settle(memory)
    graph, acme = memory.wired.service.graph, entities(memory)["Acme"].id
    graph.entities.change(OWNER, acme, EntityEdit(name="Apex"))
    graph.entities.undo(OWNER, acme)
    assert len(graph.show.history(OWNER, acme).events) == 2

    memory.wired.service.erase(OWNER, VersionRef(root))
    settle(memory)

    assert [each for each in everything(memory) if each["pk"] == f"N#{acme}"] == []


def test_chunks_that_a_new_edition_leaves_out_take_their_links_along(memory: Installation) -> None:
    send(memory, "# A\n\nOla Nowak owns the acme/queue service.\n\n# B\n\nPiotr Zieliński lives in Kraków.\n")
    settle(memory)
    assert "Piotr Zieliński" in entities(memory)

    send(memory, "# A\n\nOla Nowak owns the acme/queue service.\n")
    settle(memory)

    assert "Piotr Zieliński" not in entities(memory)
    assert tally(memory, "Ola Nowak") == Tally(chunks=1)
    require_counts(memory)


def test_a_chunk_of_formulas_is_not_read(memory: Installation) -> None:
    document = send(memory, "f(x) = x^3 - 2*x^2 + 1, g(x) = 3*x^2 / (x + 1), h(x) = f(x) * g(x) - 4/7").document
    settle(memory)

    (shown,) = memory.wired.service.library.chunks_of(OWNER, document.id).chunks
    read = stores(memory).links.of(ChunkSource(shown.chunk.id, document.id))
    assert [each.outcome for each in read] == [Outcome.MATH_DENSE]


def test_a_burst_of_saves_is_one_run_that_tells_of_each_source(memory: Installation) -> None:
    roots = [memory.save(text) for text in (OLA, "Piotr Zieliński lives in Kraków", "nothing is named here")]

    settle(memory)

    (run,) = runs(memory)
    assert (run.kind, run.status, run.counts.applied) == (RunKind.INDEX, RunStatus.SUCCESS, 3)
    page = stores(memory).runs.page(run.id, 0)
    assert {item.subject: item.reason for item in page} == dict(zip(roots, ("linked", "linked", "empty"), strict=True))


def test_more_than_a_run_holds_are_several_runs(memory: Installation) -> None:
    send(memory, "\n".join(f"# {section}\n\nnothing is named here\n" for section in range(1_002)))

    settle(memory)

    assert sorted(run.counts.applied for run in runs(memory)) == [2, 1_000]


def test_doorbells_that_ring_again_read_nothing_again(memory: Installation) -> None:
    memory.save(OLA)
    rows = memory.doorbells()
    memory.wired.hear_changes(rows)
    memory.clock.turn(GATHERED)
    work(memory)

    memory.wired.hear_changes(rows)
    memory.clock.turn(GATHERED)
    work(memory)

    assert len(runs(memory)) == 1


def test_a_plan_asks_for_what_a_lost_message_left_unread(memory: Installation) -> None:
    root = memory.save(OLA)
    memory.wired.hear_changes(memory.doorbells())
    memory.clock.turn(timedelta(hours=1))
    while memory.queue.take(0.0) is not None:
        pass

    memory.wired.plan()
    work(memory)

    assert named(memory, root) == [{"Ola Nowak", "Acme"}]


def test_an_undone_run_leaves_the_graph_as_it_was_and_nothing_reads_the_sources_again(memory: Installation) -> None:
    root = memory.save(OLA)
    settle(memory)
    (run,) = runs(memory)

    memory.wired.service.runs.undo(OWNER, run.id)
    settle(memory)
    memory.wired.service.annotate(OWNER, VersionRef(RootId(root)), Annotation(tags=("work",)))
    settle(memory)

    assert entities(memory) == {}
    assert [each.outcome for each in links(memory, root)] == [Outcome.UNDONE]
    assert runs(memory)[-1].status is RunStatus.UNDONE
    require_counts(memory)


def test_nothing_is_read_by_itself_where_that_is_switched_off(tmp_path: Path) -> None:
    memory = install(tmp_path, settings=Settings(key="k" * 43, auto_index=False))
    root = memory.save(OLA)

    settle(memory)

    assert (links(memory, root), memory.wired.plan()) == ([], 0)


def test_where_nothing_is_read_by_itself_a_run_that_is_asked_for_settles_what_was_forgotten(
    tmp_path: Path,
) -> None:
    memory = install(tmp_path, settings=Settings(key="k" * 43, auto_index=False))
    root = RootId(memory.save(OLA))
    memory.wired.service.graph.index(OWNER, None, is_anew=False)
    settle(memory)
    memory.wired.service.forget(OWNER, VersionRef(root))

    memory.wired.service.graph.index(OWNER, None, is_anew=False)
    settle(memory)
    memory.wired.service.graph.index(OWNER, None, is_anew=False)
    settle(memory)

    assert [tally(memory, each) for each in ("Ola Nowak", "Acme")] == [Tally(stale=1)] * 2
    assert [run.counts.planned for run in runs(memory)] == [0, 1, 1]
    memory.sqlite.close()


def test_a_worker_that_dies_before_any_write_leaves_what_the_next_one_brings_to_the_same_end(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    for at in count():
        space = f"space-{at}"
        root = memory.save(OLA, space)
        memory.wired.hear_changes(memory.doorbells())
        memory.clock.turn(GATHERED)
        has_ended = not dies(table, at, lambda: work(memory))
        resume(memory)

        assert named(memory, root, space) == [{"Ola Nowak", "Acme"}], at
        require_counts(memory, space)
        if has_ended:
            break
    assert at > 5
    sqlite.close()


def change(memory: Installation, root: RootId, what: str) -> None:
    if what == "forget":
        memory.wired.service.forget(OWNER, VersionRef(root))
    elif what == "erase":
        memory.wired.service.erase(OWNER, VersionRef(root))
        work(memory)
    elif what == "retype":
        memory.wired.service.graph.entities.change(OWNER, entities(memory)["Acme"].id, EntityEdit(type="project"))
    elif what == "delete":
        memory.wired.service.graph.entities.delete(OWNER, entities(memory)["Acme"].id)
    elif what == "revise":
        memory.wired.service.revise(OWNER, VersionRef(root), Revision("Ola Nowak works at Globex GmbH"))
    else:
        ola = entities(memory)["Ola Nowak"].id
        memory.wired.service.graph.entities.change(OWNER, ola, EntityEdit(name="Aleksandra Nowak"))


@pytest.mark.parametrize("what", ["forget", "erase", "revise", "rename"])
def test_what_happens_to_a_memory_while_it_is_read_is_seen(tmp_path: Path, what: str) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    memory.save("Ola Nowak prefers tea")
    settle(memory)
    root = RootId(memory.save(OLA))

    table.interpose(lambda name, call: name == "transact" and "GX#" in str(call), lambda: change(memory, root, what))
    settle(memory)
    settle(memory)

    expected = {"forget": [], "erase": [], "revise": ["Globex"], "rename": ["Acme"]}[what]
    assert [name for name in entities(memory) if name in ("Acme", "Globex")] == expected
    require_counts(memory)
    sqlite.close()


@pytest.mark.parametrize("what", ["retype", "delete"])
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "last"])
def test_an_entity_changes_while_its_first_source_comes_or_its_last_one_goes(
    tmp_path: Path, *, what: str, is_first: bool
) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    root = RootId(memory.save(OLA))
    settle(memory)
    change(memory, root, "revise")
    if is_first:
        settle(memory)
        memory.save("Kasia Wiśniewska works at Acme Corp")

    table.interpose(lambda name, call: name == "transact" and "GX#" in str(call), lambda: change(memory, root, what))
    settle(memory)

    require_counts(memory)
    sqlite.close()
