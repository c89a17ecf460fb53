"""Laws of what ways along relations give, for any relations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.graph.spreading import HOPS, SHARE, spread

KEYS = list("abcdefgh")
SCORES = st.dictionaries(st.sampled_from(KEYS), st.floats(0.01, 1.0), min_size=1)
WAYS = st.dictionaries(st.sampled_from(KEYS), st.lists(st.sampled_from(KEYS), max_size=4))
Ways = Mapping[str, Collection[str]]


class Asking:
    """Ways that remember what was asked of them."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self.asked: list[Sequence[str]] = []

    def __call__(self, keys: Sequence[str]) -> Ways:
        self.asked.append(keys)
        return {key: self.ways[key] for key in keys if key in self.ways}


def best(own: Mapping[str, float], most: int = 3) -> list[str]:
    return sorted(own, key=lambda key: -own[key])[:most]


def final(own: Mapping[str, float], leaders: Sequence[str], ways: Ways) -> dict[str, float]:
    return dict(own) | spread(own, leaders, Asking(ways), width=99, most=99)


def test_a_hop_gives_three_tenths_and_two_give_nine_hundredths() -> None:
    own = {"a": 0.8, "b": 0.5, "c": 0.1}
    ways = {"a": ["b", "c", "d"], "d": ["e"], "e": ["f"]}

    assert spread(own, ["a"], Asking(ways), width=5, most=10) == pytest.approx({"c": 0.24, "d": 0.24, "e": 0.072})


def test_a_way_goes_on_through_what_was_found_without_it() -> None:
    assert spread({"a": 0.8, "b": 0.5}, ["a"], Asking({"a": ["b"], "b": ["c"]}), width=5, most=10) == pytest.approx(
        {"c": 0.072}
    )


@given(SCORES, WAYS)
def test_nothing_stands_above_what_led_to_it(own: dict[str, float], ways: Ways) -> None:
    leaders = best(own)
    given_scores = spread(own, leaders, Asking(ways), width=4, most=4)

    after = own | given_scores
    for key, score in given_scores.items():
        assert own.get(key, 0.0) < score <= SHARE * max(own[leader] for leader in leaders)
        assert any(key in ways.get(other, ()) and score <= SHARE * after[other] + 1e-12 for other in after)


@given(SCORES, WAYS)
def test_the_best_stays_the_best_and_the_others_keep_their_order(own: dict[str, float], ways: Ways) -> None:
    after = final(own, best(own), ways)

    top = max(own.values())
    assert {key for key in own if own[key] == top} == {key for key in after if after[key] == max(after.values())}
    untouched = [key for key in own if after[key] == own[key]]
    assert sorted(untouched, key=lambda key: -after[key]) == sorted(untouched, key=lambda key: -own[key])


@given(SCORES, WAYS, st.integers(0, 4), st.integers(0, 4))
def test_no_circle_leads_on_for_ever(own: dict[str, float], ways: Ways, width: int, most: int) -> None:
    asking = Asking(ways)

    given_scores = spread(own, best(own), asking, width=width, most=most)

    asked = [key for keys in asking.asked for key in keys]
    assert len(asking.asked) <= HOPS
    assert len(asked) == len(set(asked)) <= 3 + width
    assert sum(key not in own for key in given_scores) <= most


@given(SCORES, WAYS, st.floats(0.0, 0.5))
def test_a_better_leader_makes_nothing_worse(own: dict[str, float], ways: Ways, more: float) -> None:
    leaders = best(own)
    raised = own | {leaders[-1]: own[leaders[-1]] + more}

    before, after = final(own, leaders, ways), final(raised, leaders, ways)

    assert all(after[key] >= score for key, score in before.items())
