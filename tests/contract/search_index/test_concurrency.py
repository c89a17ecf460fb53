"""Many threads at once: nothing is lost, nobody sees half of anything."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from palimpsest.ports.search_index import SearchIndex
from tests.contract.search_index.sample import (
    HERE,
    THERE,
    entry,
    keys,
    known,
    removals,
    rows,
    search,
    seen,
    statistics_of,
)

WRITERS, ROUNDS = 4, 25


def test_threads_that_write_and_search_lose_and_invent_nothing(index: SearchIndex) -> None:
    def write(writer: int) -> None:
        for number in range(ROUNDS):
            key = f"{writer}-{number}"
            index.upsert([entry(key, "kot wrong", number)])
            index.upsert([entry(key, "kot pies", number), entry(key, "pies", number, space=THERE)])
            if number % 5 == 0:
                index.remove(HERE, removals(key))

    def look(reader: int) -> set[tuple[int, ...]]:
        found = set()
        for _ in range(ROUNDS):
            asked = search("kot pies wrong", reader)
            both = index.keyword(asked).candidates, index.vector(asked)
            found |= {row.counts for candidates in both for row in rows(candidates, asked)}
        return found

    with ThreadPoolExecutor(WRITERS * 2) as pool:
        written = [pool.submit(write, writer) for writer in range(WRITERS)]
        looked = [pool.submit(look, reader) for reader in range(WRITERS)]
        for job in written:
            job.result()
        shapes = set().union(*(job.result() for job in looked))

    kept = [f"{writer}-{number}" for writer in range(WRITERS) for number in range(ROUNDS) if number % 5]
    expected = statistics_of([entry(key, "kot pies") for key in kept], ["kot", "pies", "wrong"])
    assert seen(lambda: known(index.statistics(HERE, ["kot", "pies", "wrong"])), expected) == expected
    assert sorted(keys(index.keyword(search("kot")).candidates)) == sorted(kept)
    assert sorted(keys(index.vector(search("", 1)))) == sorted(kept)
    assert len(index.vector(search("", 1, space=THERE))) == WRITERS * ROUNDS
    assert shapes <= {(1, 0, 1), (1, 1, 0)}


def test_a_first_search_by_many_threads_reads_the_space_once_for_all(index: SearchIndex) -> None:
    index.upsert(entry(f"{number:03d}", "kot", number) for number in range(150))
    assert seen(lambda: len(index.vector(search("", 1))), 150) == 150

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: keys(index.vector(search("kot", 1))), range(16)))

    assert all(each == found[0] for each in found)
    assert len(found[0]) == 150
