"""What second looks are kept under, how many are, and which are not."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event

import pytest

from palimpsest.domain.errors import RerankerUnavailable
from palimpsest.usecases.kept_looks import KeptLooks, Seen, look_key

SOON = 5.0
HIT = ("s", "mem_1#00000001", "Ola drinks tea")


def done(seen: Seen) -> Future[Seen]:
    job: Future[Seen] = Future()
    job.set_result(seen)
    return job


def test_the_oldest_look_leaves_when_there_are_too_many() -> None:
    kept = KeptLooks(most=2)
    for number in (1, 2):
        kept.wait(b"%d" % number, partial(done, [number]), SOON)
    kept.wait(b"1", partial(done, [9]), SOON)

    kept.wait(b"3", partial(done, [3]), SOON)

    assert kept.wait(b"1", partial(done, [9]), SOON) == [1]
    assert kept.wait(b"2", partial(done, [9]), SOON) == [9]


def test_a_look_under_way_is_joined_and_a_failed_one_forgotten() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    first.set_running_or_notify_cancel()
    for _ in range(2):
        with pytest.raises(TimeoutError):
            kept.wait(b"k", lambda: first, 0)

    first.set_exception(RerankerUnavailable("reranker_failed", "a bad day"))

    assert kept.wait(b"k", partial(done, [1]), SOON) == [1]


def test_a_late_look_is_there_for_the_next_recall() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    first.set_running_or_notify_cancel()
    with pytest.raises(TimeoutError):
        kept.wait(b"k", lambda: first, 0)

    first.set_result([2])

    assert kept.wait(b"k", partial(done, [1]), SOON) == [2]


def test_a_look_that_nobody_waits_for_any_more_is_not_begun() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    with pytest.raises(TimeoutError):
        kept.wait(b"k", lambda: first, 0)

    assert first.cancelled()
    assert kept.wait(b"k", partial(done, [1]), SOON) == [1]


def test_whoever_gives_up_does_not_end_the_wait_of_another() -> None:
    kept, first = KeptLooks(), Future[Seen]()
    with ThreadPoolExecutor(1) as other:
        is_asked = Event()

        def begin() -> Future[Seen]:
            is_asked.set()
            return first

        waits = other.submit(kept.wait, b"k", begin, SOON)
        assert is_asked.wait(SOON)

        with pytest.raises(TimeoutError):
            kept.wait(b"k", lambda: first, 0)
        first.set_result([3])

        assert waits.result(timeout=SOON) == [3]


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


def test_one_that_fails_at_once_says_what_with() -> None:
    failed: Future[Seen] = Future()
    failed.set_exception(RerankerUnavailable("reranker_failed", "a bad day"))

    with pytest.raises(RerankerUnavailable):
        KeptLooks().wait(b"k", lambda: failed, SOON)
