"""Which documents of an entry a sweep deletes, whatever order they came to show in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.adapters.aws.opensearch_hits import newest_of
from palimpsest.adapters.aws.opensearch_sweeping import useless

GONE, MAIN = -1, 0


def hit(id: str, revision: int, passage: int = MAIN) -> Json:
    return {"_id": id, "_source": {"key": "a", "revision": revision, "passage": passage}}


def ids(hits: list[Json]) -> str:
    return "".join(sorted(each["_id"] for each in hits))


@pytest.mark.parametrize(
    ("held", "gone_as_of", "deleted"),
    [
        ([], None, ""),
        ([hit("a", 1), hit("b", 1, 1)], None, ""),
        ([hit("a", 1), hit("b", 2), hit("c", 1, 1), hit("d", 2, 1)], None, "ac"),
        # doubles of one revision: the one that searches let count stays
        ([hit("a", 2), hit("b", 2), hit("c", 2, 1), hit("d", 2, 1)], None, "ad"),
        # the passages of a newer revision show before its main document
        ([hit("a", 1), hit("b", 2, 1), hit("c", 2, 2)], None, ""),
        ([hit("b", 2, 1), hit("c", 2, 2)], None, ""),
        # a tombstone: what is older goes, it stays until the table says that the entry is gone
        ([hit("a", 1), hit("b", 2, GONE)], None, "a"),
        ([hit("a", 3), hit("b", 2, GONE)], None, "b"),
        ([hit("b", 2, GONE)], None, ""),
        ([hit("b", 2, GONE)], 2, "b"),
        # gone: all up to that revision, nothing newer
        ([hit("a", 1), hit("b", 2, 1), hit("c", 3), hit("d", 3, 1)], 2, "ab"),
    ],
)
def test_what_is_deleted(held: list[Json], gone_as_of: int | None, deleted: str) -> None:
    assert ids(useless(held, gone_as_of)) == deleted
    assert ids(useless(held[::-1], gone_as_of)) == deleted


documents = st.lists(st.tuples(st.integers(1, 4), st.integers(GONE, 2)), max_size=8).map(
    lambda pairs: [hit(chr(97 + place), *pair) for place, pair in enumerate(pairs)]
)


@given(documents)
def test_what_counts_before_a_sweep_counts_after_it_and_a_second_one_finds_nothing(held: list[Json]) -> None:
    deleted = useless(held, None)
    left = [each for each in held if each not in deleted]

    assert newest_of(left) == newest_of(held)
    assert useless(left, None) == []
    newest = max((each["_source"]["revision"] for each in held), default=0)
    seen = {(each["_source"]["passage"]) for each in held if each["_source"]["revision"] == newest} - {GONE, MAIN}
    assert seen <= {each["_source"]["passage"] for each in left}


@given(documents, st.integers(0, 5))
def test_nothing_newer_than_the_word_that_an_entry_is_gone_is_deleted(held: list[Json], gone_as_of: int) -> None:
    deleted = useless(held, gone_as_of)

    assert [each for each in held if each not in deleted] == [
        each for each in held if each["_source"]["revision"] > gone_as_of
    ]
