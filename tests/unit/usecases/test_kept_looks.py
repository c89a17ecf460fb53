"""What second looks are kept under, how many are, and which are not."""

from __future__ import annotations

from concurrent.futures import Future

from palimpsest.domain.errors import RerankerUnavailable
from palimpsest.usecases.kept_looks import KeptLooks, Seen, look_key

HIT = ("s", "mem_1#00000001", "Ola drinks tea")


def done(seen: Seen) -> Future[Seen]:
    job: Future[Seen] = Future()
    job.set_result(seen)
    return job


def test_the_oldest_look_leaves_when_there_are_too_many() -> None:
    kept = KeptLooks(most=2)
    for number in (1, 2):
        kept.job(b"%d" % number, lambda number=number: done([number]))  # type: ignore[misc]
    kept.job(b"1", lambda: done([9]))

    kept.job(b"3", lambda: done([3]))

    assert kept.job(b"1", lambda: done([9])).result() == [1]
    assert kept.job(b"2", lambda: done([9])).result() == [9]


def test_a_look_under_way_is_joined_and_a_failed_one_forgotten() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    assert kept.job(b"k", lambda: first) is first
    assert kept.job(b"k", lambda: done([1])) is first

    first.set_exception(RerankerUnavailable("reranker_failed", "a bad day"))

    assert kept.job(b"k", lambda: done([1])).result() == [1]


def test_a_look_that_nobody_waited_for_is_forgotten() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    kept.job(b"k", lambda: first)

    first.cancel()

    assert kept.job(b"k", lambda: done([1])).result() == [1]


def test_another_reranker_query_space_version_text_or_order_is_another_key() -> None:
    other = ("s", "mem_2#00000001", "Jan sails")
    one = look_key("r", "q", [HIT, other])

    others = [
        look_key("r2", "q", [HIT, other]),
        look_key("r", "q2", [HIT, other]),
        look_key("r", "q", [("s2", *HIT[1:]), other]),
        look_key("r", "q", [("s", "mem_1#00000002", HIT[2]), other]),
        look_key("r", "q", [(*HIT[:2], "Ola drinks coffee"), other]),
        look_key("r", "q", [other, HIT]),
        look_key("r", "q", [HIT]),
    ]

    assert one == look_key("r", "q", [HIT, other])
    assert len({one, *others}) == 8
