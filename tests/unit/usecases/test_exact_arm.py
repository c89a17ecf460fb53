"""What is asked for by its id, and to the letter."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.domain.filters import Filters
from palimpsest.domain.ids import RootId, VersionRef
from palimpsest.usecases.answers import ArmState, Confidence, Hit, Recalled, RecallQuery
from palimpsest.usecases.drafts import Revision
from tests.support.installation import OWNER, Installation, install


def _recalled(memory: Installation, query: str, filters: Filters = Filters()) -> Recalled:
    return memory.wired.service.recall(OWNER, RecallQuery(query, filters=filters, is_dry_run=True))


def _best(answer: Recalled) -> Hit:
    best = answer.hits[0]
    assert isinstance(best, Hit)
    return best


def test_an_id_comes_before_everything_and_is_sure(tmp_path: Path) -> None:
    memory = install(tmp_path)
    root = memory.save("the harbour opens at six")
    memory.save("which memory is which")
    memory.index()

    found = _recalled(memory, f"which memory is {root}")

    assert _best(found).memory.head.root == root
    assert "exact" in _best(found).why
    assert found.confidence is Confidence.CONFIDENT


def test_by_its_id_and_at_another_time_the_version_of_that_time_is_found(tmp_path: Path) -> None:
    memory = install(tmp_path)
    root = RootId(memory.save("the harbour opens at six"))
    before = memory.clock.now()
    memory.clock.turn(timedelta(hours=1))
    memory.wired.service.revise(OWNER, VersionRef(root), Revision("the harbour opens at seven"))
    memory.index()

    then = _recalled(memory, root, Filters(believed_at=before))

    assert _best(then).memory.version.number == 1
    assert "exact" in _best(then).why
    assert _best(_recalled(memory, root)).memory.version.number == 2


def test_a_quotation_is_found_by_all_of_its_words(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("Perfect is the enemy of shipped, says Robert")
    memory.save("Robert shipped a perfect boat")
    memory.index()

    found = _recalled(memory, 'who says "enemy of shipped"')

    assert _best(found).memory.version.statement.content.startswith("Perfect is the enemy")
    assert [hit.scores.get("exact", 0.0) > 0 for hit in found.hits] == [True, False]


def test_signs_without_a_word_are_no_quotation(tmp_path: Path) -> None:
    memory = install(tmp_path)
    memory.save("trains leave at nine")
    memory.index()

    plain, signed = _recalled(memory, "trains"), _recalled(memory, 'trains "?!"')

    assert _best(signed).score == pytest.approx(_best(plain).score, abs=1e-6)
    assert next(arm for arm in signed.arms if arm.name == "exact").state is ArmState.SKIPPED
