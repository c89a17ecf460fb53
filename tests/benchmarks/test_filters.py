"""A filter that one memory in a thousand passes still fills the limit, whichever it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import filters


@pytest.mark.slow  # minutes: a hundred thousand memories are saved
def test_what_one_in_a_thousand_of_a_hundred_thousand_passes_fills_the_limit(tmp_path: Path) -> None:
    found = {each.name: each.found for each in filters.measure(100_000, tmp_path)}

    assert found == dict.fromkeys(filters.FILTERS, filters.LIMIT)


@pytest.mark.slow  # half a minute: saves
def test_a_filter_gives_all_that_pass_and_nothing_else(tmp_path: Path) -> None:
    found = {each.name: each.found for each in filters.measure(3_000, tmp_path)}

    few = dict.fromkeys(filters.FILTERS.keys() - {"none", "half, by a tag"}, 3_000 // filters.RARE)
    assert found == few | {"none": filters.LIMIT, "half, by a tag": filters.LIMIT}
