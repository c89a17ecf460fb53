"""What comes late to an erasure (workers, entries, generations, older steps), and what was made from the memory."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.domain import lineage
from palimpsest.domain.belief import Annotations, State
from palimpsest.domain.errors import ConditionFailed
from palimpsest.domain.ids import KeyId, RootId, VersionRef
from palimpsest.domain.judgement import Verdict
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Statement
from palimpsest.ports.search_index import Search
from palimpsest.ports.table import Key
from palimpsest.stores import keys, unjudged
from palimpsest.stores.derivations import DERIVED_FROM
from palimpsest.stores.texts import Words
from palimpsest.usecases.candidates import entry_key
from palimpsest.usecases.drafts import Draft
from tests.support import conflicting
from tests.support.installation import OWNER, START, Installation, install
from tests.support.interposing_table import Call, InterposingTable
from tests.unit.jobs.test_erase import erase, held, memory, rich

__all__ = ["memory"]


def test_a_late_worker_writes_nothing_beside_a_tombstone(memory: Installation) -> None:
    root = rich(memory)
    beliefs = memory.wired.service.remember.steps.beliefs
    belief = beliefs.read(root)
    space = memory.wired.build_index.spaces.ensure("default")
    rows = memory.wired.index_changes.follow.beliefs.log
    row, *_ = _rows(memory, root)
    features = memory.wired.service.remember.featurise.one(belief.current.statement.content)
    forget = lineage.forget(belief.head, Stamp(memory.clock.now(), KeyId("late")), window=timedelta(days=1))
    erase(memory, root)

    beliefs.add_vectors({(root, 1): np.ones((1, 64), np.float32)}, beliefs.model)
    beliefs.announce(belief.head, space, features, memory.clock.now())
    rows.put_again(row, memory.wired.build_index.ids.ulid(), memory.clock.now())
    memory.wired.embed_pending()
    with pytest.raises(ConditionFailed):
        beliefs.commit(forget, space, None, text_before=Words.of(belief.current.statement))

    assert [item["sk"] for item in memory.sqlite.scan().items if item["pk"] == f"M#{root}"] == ["H"]
    assert len(_rows(memory, root)) == 1


def test_what_waits_for_a_judgement_goes_with_the_memory(memory: Installation) -> None:
    """A second reader's report: the entry stayed after a verified receipt."""
    root = rich(memory)
    memory.sqlite.transact([unjudged.begun(VersionRef(root, 2), memory.clock.now())[0]])

    receipt = erase(memory, root)

    assert receipt.erasure.removed["unjudged"] == 1
    assert [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith("JP#")] == []


def test_an_index_entry_that_comes_late_stays_out(memory: Installation) -> None:
    root = rich(memory)
    follow, searching = memory.wired.index_changes.follow, memory.wired.index_changes.searching
    head = follow.beliefs.entries.beliefs.heads([root])[root]
    opened = searching.open(searching.answering())
    late = list(follow.beliefs.entries.of([(head, [1, 2])], opened.generation.model))
    erase(memory, root)

    opened.index.upsert(late)
    memory.index()

    assert held(memory, root, 2) == set()
    assert opened.index.vector(_search(memory)).keys == []


def test_every_generation_of_the_index_is_gone_through(memory: Installation) -> None:
    root = rich(memory)
    build = memory.wired.build_index
    building = build.begin()
    build.fill.searching.create(building)
    index = build.fill.searching.open(building).index
    head = build.fill.entries.beliefs.heads([root])[root]
    index.upsert(build.fill.entries.of([(head, [1, 2])], building.model))

    receipt = erase(memory, root)

    assert receipt.erasure.removed["entry"] == 4
    assert not index.held(head.space, [entry_key(root, 1), entry_key(root, 2)])
    build.finish()
    assert memory.recalled("peregrine vault") == []


def test_a_rebuild_after_an_erasure_brings_nothing_back(memory: Installation) -> None:
    root = rich(memory)
    erase(memory, root)

    memory.wired.build_index.begin()
    memory.wired.build_index.finish()

    assert held(memory, root, 2) == set()
    assert memory.recalled("peregrine vault") == []


def test_an_index_that_is_turned_off_is_named_in_the_receipt(tmp_path: Path) -> None:
    class Off(EmbeddedIndexes):
        off = False

        @property
        def is_off(self) -> bool:
            return self.off

    indexes = Off(tmp_path)
    memory = install(tmp_path, indexes=indexes)
    root = rich(memory)
    indexes.off = True

    receipt = erase(memory, root)

    assert [each.where.split()[0] for each in receipt.remains if each.holds == "features"] == ["search_index"]
    memory.sqlite.close()


def test_a_recall_record_goes_on_without_the_erased_memory(memory: Installation) -> None:
    other = memory.save("the vault of the bank opens at nine")
    root = rich(memory)

    receipt = erase(memory, root)

    (record,) = [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith("EC#")]
    recalls = memory.wired.service.recall.record.recalls
    space = memory.wired.build_index.spaces.ensure("default").id
    assert record["refs"] == f"{other}@1"
    assert str(record["prints"]).split() == recalls.fingerprints(space, "the vault of the bank opens at nine")
    assert receipt.erasure.removed["recall"] == 1


def test_two_memories_that_are_erased_at_once_are_both_out_of_the_record_that_named_them(tmp_path: Path) -> None:
    sqlite = SqliteTable(":memory:")
    table = InterposingTable(sqlite)
    memory = install(tmp_path, table=table, sqlite=sqlite)
    memory.save("the vault of the bank opens at nine")
    other = RootId(memory.save("the vault of the castle stays shut"))
    root = rich(memory)

    def takes_it_out(name: str, call: Call) -> bool:
        return name in ("write", "write_batch", "transact") and "EC#" in str(call)

    table.interpose(takes_it_out, lambda: erase(memory, other))
    erase(memory, root)

    (record,) = [item for item in sqlite.scan().items if str(item["pk"]).startswith("EC#")]
    space = memory.wired.build_index.spaces.ensure("default").id
    fingerprints = memory.wired.service.recall.record.recalls.fingerprints
    assert root not in str(record["refs"])
    assert other not in str(record["refs"])
    assert str(record["prints"]).split() == fingerprints(space, "the vault of the bank opens at nine")
    sqlite.close()


# --- what was made from it ---


def derived(memory: Installation, root: RootId, content: str) -> RootId:
    """A memory that was made from another one."""
    service, space = memory.wired.service, memory.wired.build_index.spaces.ensure("default")
    made = RootId(f"mem_{memory.wired.build_index.ids.ulid()}")
    statement = Statement(content, START, level="L1", derived_from=(f"{root}@1",))
    step = lineage.begin(
        made, space.id, statement, Stamp(START, KeyId("job")), annotations=Annotations(), embedded=False
    )
    features = service.remember.featurise.one(content)
    service.remember.steps.beliefs.commit(step, space, features, text_before=None)
    return made


def test_what_was_made_from_an_erased_memory_is_forgotten_with_it_and_named(memory: Installation) -> None:
    root = rich(memory)
    summary = derived(memory, root, "there is a vault with marmalade")
    of_that = derived(memory, summary, "vaults hold marmalade")

    receipt = erase(memory, root)

    heads = memory.wired.service.remember.steps.beliefs.heads([summary, of_that])
    assert [heads[each].state for each in (summary, of_that)] == [State.FORGOTTEN] * 2
    assert receipt.erasure.hidden == {each: heads[each].restore_until for each in (summary, of_that)}
    assert {each.where for each in receipt.remains if each.holds == "text"} == {
        f"derived {summary}",
        f"derived {of_that}",
    }
    assert memory.recalled("marmalade in the vault") == []
    assert (
        memory.wired.service.history(OWNER, VersionRef(summary), include_forgotten=True).steps[0].note
        == receipt.erasure.id
    )


def test_a_derived_version_comes_with_an_edge_to_its_source(memory: Installation) -> None:
    root = RootId(memory.save("a source"))

    made = derived(memory, root, "made from it")

    place = keys.edge(made, DERIVED_FROM, root)
    assert place in memory.sqlite.get([place]).items


def _rows(memory: Installation, root: RootId) -> list[Key]:
    places = [Key(str(item["pk"]), str(item["sk"])) for item in memory.sqlite.scan().items]
    return [key for key in places if keys.is_log(key) and keys.root_of_row(key.sk) == root]


def _search(memory: Installation) -> Search:
    space = memory.wired.build_index.spaces.ensure("default").id
    return Search(space, (), lambda: memory.wired.service.recall.understand.embedder.query("peregrine vault"))


def test_an_erased_side_takes_its_conflicts_along_and_leaves_the_other_side_undisputed(memory: Installation) -> None:
    towns = conflicting.begin(memory)

    receipt = erase(memory, towns.new)

    assert receipt.erasure.removed["conflict"] == 1
    assert conflicting.pending(memory) == []
    assert not towns.read(towns.old).head.is_disputed or memory.recalled("Ola Gdańsk") == ["Ola lives in Gdańsk"]
    assert [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith(("C#", "CL#"))] == []
    assert not any("Kraków" in repr(item) for item in memory.sqlite.scan().items)


def test_an_erased_side_takes_its_findings_along(memory: Installation) -> None:
    old = memory.wired.service.remember(OWNER, Draft("the review is on Monday"))
    conflicting.save(memory, Draft("the review is on Friday"), doubts=[old])

    receipt = erase(memory, old.memory.head.root)

    assert receipt.erasure.removed["finding"] == 1
    assert [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith("F#")] == []


def test_a_finding_that_comes_late_is_not_kept(memory: Installation) -> None:
    service = memory.wired.service
    old, new = (service.remember(OWNER, Draft(f"the review is on {day}")) for day in ("Monday", "Friday"))
    erase(memory, old.memory.head.root)

    doubt = Verdict("rules", doubts=(conflicting.opinion(old),))
    service.remember.notice(new, doubt, Stamp(memory.clock.now(), OWNER.key))

    assert [item for item in memory.sqlite.scan().items if str(item["pk"]).startswith("F#")] == []
