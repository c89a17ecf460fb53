"""The simulation of the tail says what the page of scale shows, and where the bound lies."""

from __future__ import annotations

import pytest

import tail
from harness.backlog import Consumer, stand
from tests.architecture import tree

PAGE = tree.ROOT / "docs/operate/scale.md"


@pytest.mark.parametrize(("characters", "refresh"), [(200, 10), (2_048, 60)])
def test_the_page_shows_what_the_simulation_says(characters: int, refresh: int) -> None:
    rows = [f"| {' | '.join(tail.row(each))} |" for each in tail.standings_of(characters, refresh, Consumer())]

    wanted = "\n".join(
        [tail.title(characters, refresh) + ":", "", f"| {' | '.join(tail.HEAD)} |", "|---|---|---|---|---|---|"]
    )

    assert "\n".join([wanted, *rows]) in PAGE.read_text("utf-8"), "\n".join([wanted, *rows])


def test_a_tail_that_holds_all_that_waits_is_whole_and_one_that_does_not_says_so() -> None:
    standings = [stand(rate, characters=2_048, refresh_seconds=10, consumer=Consumer()) for rate in (5, 50)]

    assert (
        [each.is_truncated for each in standings] == [each.read < each.waiting for each in standings] == [False, True]
    )


def test_the_lag_of_a_cut_tail_is_that_of_the_oldest_row_that_was_not_read() -> None:
    cut = stand(50, characters=200, refresh_seconds=10, consumer=Consumer())

    assert cut.lag_seconds == pytest.approx(cut.waiting / cut.rate, abs=0.5)
