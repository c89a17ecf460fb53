"""The canary of an index that answers in part."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from palimpsest.stores.canaries import GATHERED, RESTS
from tests.unit.jobs.test_canary import Watched


def test_what_could_be_looked_at_only_in_part_stays_as_mute_as_it_was(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    root, *_ = watched.say()
    watched.ears.deaf.add("keyword")
    watched.look()
    watched.ears.lacking = "index_partial"

    watched.wait(timedelta(minutes=10))
    watched.touch(root)
    watched.wait(RESTS + GATHERED)
    watched.run()

    assert watched.mute() == {"keyword"}
