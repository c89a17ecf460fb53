"""What the status tells, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from palimpsest.adapters.embedded.search_index import EmbeddedIndexes
from palimpsest.adapters.embedded.sqlite_table import SqliteTable
from palimpsest.adapters.no_index import NoIndexes
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import EmbedderUnavailable, WrongState
from palimpsest.domain.ids import KeyId
from palimpsest.ports.embedder import Vector
from palimpsest.usecases.drafts import Draft
from tests.support.hashing_embedder import HashingEmbedder
from tests.support.installation import OWNER, Installation, install

EVERYWHERE = Caller(KeyId("all"), Role.READER)


class Silent(HashingEmbedder):
    """Embeds nothing."""

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        raise EmbedderUnavailable("embedder_failed", "it is silent")


@pytest.fixture
def waiting(tmp_path: Path) -> Installation:
    """Two memories of one space wait for their vectors."""
    memory = install(tmp_path, embedder=Silent())
    for text in ("one", "two"):
        memory.wired.service.remember(OWNER, Draft(text, space="alpha"))
    return memory


@pytest.mark.parametrize("caller", [OWNER, EVERYWHERE])
def test_a_key_for_every_space_is_told_how_many_memories_wait(waiting: Installation, caller: Caller) -> None:
    index = waiting.wired.service.report_status(caller).index

    assert (index.pending_embeddings, index.given_up) == (2, None)


@pytest.mark.parametrize("spaces", [("alpha",), ("beta",), ("a*", "b*")])
def test_a_key_for_some_spaces_is_told_nothing_that_counts_over_all(
    waiting: Installation, spaces: tuple[str, ...]
) -> None:
    index = waiting.wired.service.report_status(Caller(KeyId("some"), Role.READER, spaces)).index

    assert (index.pending_embeddings, index.given_up) == (None, None)
    assert index.state == "ready"


def test_an_installation_without_an_index_is_not_behind_and_builds_none(tmp_path: Path) -> None:
    memory = install(tmp_path, indexes=NoIndexes(), prepare=False)
    memory.save("Marta prefers tea")

    index = memory.wired.service.report_status(OWNER).index

    assert (index.state, index.lag_seconds) == ("off", None)
    with pytest.raises(WrongState, match="PALIMPSEST_SEARCH=off"):
        memory.wired.service.rebuild_index(OWNER)


def test_a_rebuild_that_another_process_has_finished_is_told_at_once(tmp_path: Path) -> None:
    sqlite, indexes = SqliteTable(":memory:"), EmbeddedIndexes(tmp_path)
    one, other = (install(tmp_path, sqlite=sqlite, indexes=indexes) for _ in range(2))

    begun = one.wired.service.rebuild_index(OWNER)
    seen = one.wired.service.report_status(OWNER).index
    other.wired.build_index.finish()
    index = one.wired.service.report_status(OWNER).index

    assert (begun.state, seen.state, index.state) == ("building", "building", "ready")
    assert index.generation not in (None, begun.generation)
    sqlite.close()
