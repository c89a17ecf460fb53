"""Where arms are mute, as the status tells it."""

from __future__ import annotations

from pathlib import Path

from palimpsest.stores.mutes import Mute
from tests.support.installation import OWNER, install


def test_one_arm_that_is_mute_in_very_many_spaces_hides_no_other(tmp_path: Path) -> None:
    memory = install(tmp_path)
    generation = memory.wired.build_index.generations.read().active
    assert generation is not None
    mutes, now = memory.wired.service.recall.search_spaces.health.mutes, memory.clock.now()
    for number in range(1_001):
        space = memory.wired.build_index.spaces.ensure(f"s{number}").id
        mutes.keep(space, {"keyword": Mute("keyword", generation.id, now, 3, 3)}, now)
    space = memory.wired.build_index.spaces.ensure("last").id
    mutes.keep(space, {"vector": Mute("vector", generation.id, now, 3, 3)}, now)

    standing = {each.name: each.is_healthy for each in memory.wired.service.report_status(OWNER).arms}

    assert (standing["keyword"], standing["vector"], standing["exact"]) == (False, False, True)
