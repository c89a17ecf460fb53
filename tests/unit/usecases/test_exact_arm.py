"""What is asked for by its id, and to the letter."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.belief import Status
from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.ports.search_index import SearchIndexes
from palimpsest.settings import Settings
from palimpsest.usecases.answers import ArmReport, ArmState, Confidence, Hit, Recalled, RecallQuery
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation, install
from tests.support.sleeping_indexes import SleepingIndexes


def _installed(folder: Path, indexes: SearchIndexes | None = None) -> Installation:
    """One in which no arm is late, however busy the machine is."""
    return install(folder, indexes=indexes, settings=Settings(key="k" * 43, recall_seconds=20.0))


def _recalled(memory: Installation, query: str, filters: Filters = Filters()) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery(query, filters=filters, is_dry_run=True))


def _exact(answer: Recalled) -> ArmReport:
    return next(arm for arm in answer.arms if arm.name == "exact")


def _best(answer: Recalled) -> Hit:
    best = answer.hits[0]
    assert isinstance(best, Hit)
    return best


def test_an_id_comes_before_everything_and_is_sure(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    root = memory.save("the harbour opens at six")
    memory.save("which memory is which")
    memory.index()

    found = _recalled(memory, f"which memory is {root}")

    assert _best(found).memory.head.root == root
    assert "exact" in _best(found).why
    assert found.confidence is Confidence.CONFIDENT


def test_by_its_id_and_at_another_time_the_version_of_that_time_is_found(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    root = RootId(memory.save("the harbour opens at six"))
    before = memory.clock.now()
    memory.clock.turn(timedelta(hours=1))
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("the harbour opens at seven"))
    memory.index()

    then = _recalled(memory, root, Filters(believed_at=before))

    assert _best(then).memory.version.number == 1
    assert "exact" in _best(then).why
    assert _best(_recalled(memory, root)).memory.version.number == 2


def test_what_is_forgotten_or_was_not_there_yet_is_not_answered_for_by_its_id(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    memory.save("trains leave at nine")
    before = memory.clock.now()
    memory.clock.turn(timedelta(days=1))
    root = RootId(memory.save("the harbour opens at six"))
    memory.index()

    too_early = _recalled(memory, f"what is {root}", Filters(believed_at=before))
    memory.wired.service.forget(OWNER, VersionRef(root))
    forgotten = _recalled(memory, f"what is {root}")

    for answer in (too_early, forgotten):
        assert [each.head.root for each in answer.memories if each.head.root == root] == []
        assert answer.confidence is not Confidence.CONFIDENT
    assert _exact(forgotten).state is ArmState.EMPTY


def test_by_its_id_every_version_is_found_where_older_ones_are_shown(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    root = RootId(memory.save("the harbour opens at six"))
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("the harbour opens at seven"))
    memory.save("trains leave at nine")
    memory.index()

    found = _recalled(memory, root, Filters(statuses=(Status.CURRENT, Status.STALE)))

    named = [hit.memory.version.number for hit in found.hits if isinstance(hit, Hit) and hit.scores["named"]]
    assert sorted(named) == [1, 2]


def test_an_id_of_another_space_is_nothing(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    root = memory.save("the harbour opens at six", "elsewhere")
    memory.save("trains leave at nine")
    memory.index()

    found = _recalled(memory, root)

    assert _exact(found).state is ArmState.EMPTY
    assert root not in [each.head.root for each in found.memories]


def test_what_is_named_by_its_id_is_found_though_the_index_that_knows_the_rest_sleeps(tmp_path: Path) -> None:
    indexes = SleepingIndexes(tmp_path)
    memory = _installed(tmp_path, indexes)
    root = memory.save("the harbour opens at six")
    memory.index()
    memory.clock.turn(timedelta(minutes=10))
    indexes.engine.is_asleep = True

    both, quoted = _recalled(memory, f"{root} and ERR-4411"), _recalled(memory, "what is ERR-4411")

    assert _best(both).memory.head.root == root
    assert (_exact(both).state, _exact(both).reason, _exact(both).candidates) == (
        ArmState.DEGRADED,
        "index_asleep",
        1,
    )
    assert (_exact(quoted).state, _exact(quoted).candidates) == (ArmState.DEGRADED, 0)


def test_a_quotation_is_found_by_all_of_its_words(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    memory.save("Perfect is the enemy of shipped, says Robert")
    memory.save("Robert shipped a perfect boat")
    memory.index()

    found = _recalled(memory, 'who says "enemy of shipped"')

    assert _best(found).memory.version.statement.content.startswith("Perfect is the enemy")
    assert [hit.scores.get("exact", 0.0) > 0 for hit in found.hits] == [True, False]


def test_signs_without_a_word_are_no_quotation(tmp_path: Path) -> None:
    memory = _installed(tmp_path)
    memory.save("trains leave at nine")
    memory.index()

    plain, signed = _recalled(memory, "trains"), _recalled(memory, 'trains "?!"')

    assert _best(signed).score == pytest.approx(_best(plain).score, abs=1e-6)
    assert _exact(signed).state is ArmState.SKIPPED
